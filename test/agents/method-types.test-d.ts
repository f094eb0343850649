import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  Agent,
  type ExecOptions,
  exec,
  type JsonObject,
  type Method,
  type MethodRun,
  method,
  type RunResult,
  type Runtime,
  type ToolContext,
  type ToolEntry,
  tool,
} from "../../src/core.ts";

const input = z.object({ id: z.string(), count: z.number().default(1), when: z.string().transform(Number) });

class Support extends Agent {
  find = this.method({ description: "Find.", input }, (args, ctx) => {
    expectTypeOf(args).toEqualTypeOf<{ id: string; count: number; when: number }>();
    expectTypeOf(ctx).toEqualTypeOf<ToolContext>();
    return { found: args.count };
  });
  slow = this.method({ input: z.object({ n: z.number() }) }, async ({ n }) => `${n}`);
  none = this.method({}, (args) => args);
  raw = this.method({ input: { type: "object", properties: { n: { type: "number" } } } }, (args) => args);
  handle = this.method({ input: z.object({ ticket: z.string() }) }, ({ ticket }) =>
    this.runtime.exec(ticket, { tools: [this.find, this.slow] }),
  );
  /** Offers itself: by its name, or with a return type. */
  solve = this.method({}, () => this.runtime.exec("solve", { tools: [this.named("solve")] }));
  explicit = this.method({}, (): Promise<string> => this.runtime.exec("solve", { tools: [this.explicit] }));
  even = this.method({}, () => this.runtime.exec("even", { tools: [this.named("odd")] }));
  odd = this.method({}, () => this.runtime.exec("odd", { tools: [this.even] }));
  #secret = this.method({ name: "secret" }, () => 1 as const);
  private quiet = this.method({}, () => 2 as const);
  protected hidden = this.method({}, () => 3 as const);
  uses() {
    expectTypeOf(this.#secret()).toEqualTypeOf<Promise<1>>();
    expectTypeOf(this.quiet()).toEqualTypeOf<Promise<2>>();
    return [this.#secret, this.quiet, this.hidden];
  }
}

const support = new Support();

describe("a method as code", () => {
  it("takes what its schema takes and gives what its function returns", () => {
    expectTypeOf(support.find).parameters.toEqualTypeOf<
      [args: { id: string; when: string; count?: number | undefined }]
    >();
    expectTypeOf(support.find({ id: "7", when: "8" })).toEqualTypeOf<Promise<{ found: number }>>();
    expectTypeOf(support.slow({ n: 1 })).toEqualTypeOf<Promise<string>>();
    expectTypeOf(support.handle({ ticket: "t" })).toEqualTypeOf<Promise<string>>();
    // @ts-expect-error: `when` is missing
    void support.find({ id: "7" });
    // @ts-expect-error: a number is no id
    void support.find({ id: 7, when: "8" });
    // @ts-expect-error: there is no `idd`
    void support.find({ id: "7", when: "8", idd: 1 });
    // @ts-expect-error: arguments are needed
    void support.find();
  });

  it("needs no arguments where none are needed", () => {
    expectTypeOf(support.none()).toEqualTypeOf<Promise<JsonObject>>();
    expectTypeOf(support.raw({ n: 1 })).toEqualTypeOf<Promise<JsonObject>>();
    const optional = method({ name: "o", input: z.object({ n: z.number().optional() }) }, ({ n }) => n);
    expectTypeOf(optional()).toEqualTypeOf<Promise<number | undefined>>();
  });

  it("has the types of arktype, valibot, and a schema with its JSON Schema beside it", () => {
    const ark = method({ name: "a", input: type({ n: "number" }) }, ({ n }) => n);
    expectTypeOf(ark({ n: 1 })).toEqualTypeOf<Promise<number>>();
    const schema = v.object({ n: v.pipe(v.string(), v.transform(Number)) });
    const beside = method({ name: "v", input: { schema, jsonSchema: { type: "object" } } }, ({ n }) => n);
    expectTypeOf(beside).parameters.toEqualTypeOf<[args: { n: string }]>();
    expectTypeOf(beside({ n: "1" })).toEqualTypeOf<Promise<number>>();
  });

  it("is no value before it is awaited, and its handle none at all", () => {
    const wanted = (_text: string) => {};
    // @ts-expect-error: a promise
    wanted(support.slow({ n: 1 }));
    // @ts-expect-error: a handle
    wanted(support.slow.run({ n: 1 }));
    const later = async (): Promise<void> => {
      const handle = support.slow.run({ n: 1 });
      // @ts-expect-error: a handle is no promise of the value
      const text: string = await handle;
      void text;
      expectTypeOf(await handle).toEqualTypeOf<MethodRun<string>>();
    };
    void later;
  });
});

describe("a method's run", () => {
  it("takes the same arguments, then options; its result has the value", () => {
    const handle = support.find.run({ id: "7", when: "8" }, { signal: new AbortController().signal });
    expectTypeOf(handle).toEqualTypeOf<MethodRun<{ found: number }>>();
    expectTypeOf(handle.result).toEqualTypeOf<Promise<RunResult<{ found: number }>>>();
    expectTypeOf(support.none.run()).toEqualTypeOf<MethodRun<JsonObject>>();
    // @ts-expect-error: `when` is missing
    void support.find.run({ id: "7" });
    // @ts-expect-error: there is no such option
    void support.none.run({}, { timeoutMs: 5 });
    const later = async () => {
      const result = await support.slow.run({ n: 1 }).result;
      if (result.outcome === "stop") expectTypeOf(result.value).toEqualTypeOf<string>();
      else expectTypeOf(result.value).toEqualTypeOf<string | undefined>();
      if (result.outcome === "aborted") expectTypeOf(result.value).toEqualTypeOf<undefined>();
    };
    void later;
  });
});

describe("a method as an entry", () => {
  it("stands in tools beside tools, names and objects, also in an array of them", () => {
    const plain = tool({ name: "t", execute: () => 1 });
    const entries: ToolEntry[] = [support.find, support.slow, support.none, plain, "read_file", tool.named("mine")];
    void exec("go", { tools: entries });
    void exec("go", { tools: [support.find, { spec: { name: "x" }, execute: () => 1 }] });
    const methods: Method[] = [support.none, support.raw];
    void exec("go", { tools: methods });
  });

  it("no wrong literal stands there, nor what is no method", () => {
    // @ts-expect-error: no tool comes with this name
    void exec("go", { tools: ["read_fil"] });
    // @ts-expect-error: a function is no method
    void exec("go", { tools: [() => 1] });
    // @ts-expect-error: a promise of its value is no method
    void exec("go", { tools: [support.none()] });
    // @ts-expect-error: a handle is no method
    void exec("go", { tools: [support.none.run()] });
  });

  it("its rule of approval is asked with what its function gets", () => {
    method({ name: "m", input, requiresApproval: ({ when }) => when > 1 }, () => 1);
    // @ts-expect-error: `when` is a number by then
    method({ name: "m", input, requiresApproval: ({ when }) => when.length > 1 }, () => 1);
  });
});

describe("exec through variables and wrappers", () => {
  it("keeps its type", () => {
    const options = { tools: [support.find], maxIterations: 3 };
    expectTypeOf(exec("go", options)).toEqualTypeOf<Promise<string>>();
    const frozen = { tools: [support.find], toolChoice: ["find"] } as const;
    expectTypeOf(exec("go", frozen)).toEqualTypeOf<Promise<string>>();
    const plain: ExecOptions = { tools: [support.find] };
    void exec("go", plain);
    function wrapper<const O extends ExecOptions>(runtime: Runtime, given: O) {
      return runtime.exec("go", given);
    }
    expectTypeOf(wrapper(support.runtime, { tools: [] })).toEqualTypeOf<Promise<string>>();
    expectTypeOf(wrapper(support.runtime, {})).toEqualTypeOf<Promise<string>>();
    expectTypeOf(exec("go", {})).toEqualTypeOf<Promise<string>>();
    const empty = {};
    expectTypeOf(exec("go", { ...empty })).toEqualTypeOf<Promise<string>>();
    expectTypeOf(exec("go", { choices: undefined, output: undefined })).toEqualTypeOf<Promise<string>>();
    expectTypeOf(wrapper(support.runtime, { choices: ["a", "b"] })).toEqualTypeOf<Promise<"a" | "b">>();
    const m = method({ name: "m" }, () => exec("go", options));
    expectTypeOf(m()).toEqualTypeOf<Promise<string>>();
  });
});

describe("a subclass", () => {
  it("may replace a method by one that fits, also with a narrower value", () => {
    class Better extends Support {
      override slow = this.method({ input: z.object({ n: z.number() }) }, () => "fixed" as const);
      protected override hidden = this.method({}, () => 3 as const);
    }
    expectTypeOf(new Better().slow({ n: 1 })).toEqualTypeOf<Promise<"fixed">>();
    class Worse extends Support {
      // @ts-expect-error: it gives something else
      override slow = this.method({ input: z.object({ n: z.number() }) }, () => 5);
    }
    class Stricter extends Support {
      // @ts-expect-error: it needs more
      override none = this.method({ input: z.object({ n: z.number() }) }, () => ({}));
    }
    void [Worse, Stricter];
  });

  it("sees method and named, others do not", () => {
    // @ts-expect-error: protected
    support.method({}, () => 1);
    // @ts-expect-error: protected
    support.named("find");
    // @ts-expect-error: protected
    void support.hidden;
    class Wrong extends Agent {
      static override readonly defaults = { maxIterations: 3, system: "Be brief." };
      // @ts-expect-error: not an option of a method
      m = this.method({ descripton: "x" }, () => 1);
    }
    // @ts-expect-error: belongs to one call
    void new Wrong({ signal: new AbortController().signal });
  });
});

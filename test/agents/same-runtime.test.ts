import { describe, expect, test } from "vitest";
import { Agent, createRuntime, exec, type Method, method, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { picks } from "../loop/play.fixture.ts";

/** The ways in which code calls a method. */
const ways: readonly (readonly [string, (m: Method) => Promise<unknown>])[] = [
  ["as code", (m) => m()],
  ["watched", async (m) => (await m.run().result).value],
];

describe.each(ways)("inside a method of an agent with a runtime that is called %s", (_, run) => {
  const make = () => createRuntime({ model: scripted(["by the runtime of A"]) });

  test("an agent without one has that runtime", async () => {
    class Inner extends Agent {
      n = this.method({}, () => this.runtime.exec("in", { tools: [] }));
    }
    const inner = new Inner();
    class Outer extends Agent {
      m = this.method({}, () => inner.n());
    }
    expect(await run(new Outer({ runtime: make() }).m)).toBe("by the runtime of A");
  });

  test("so have one that it makes, the imported exec, and methods without a class", async () => {
    class Inner extends Agent {
      n = this.method({}, () => this.runtime.exec("in", { tools: [] }));
    }
    const bodies = [
      () => new Inner().n(),
      () => exec("in", { tools: [] }),
      () => method({ name: "f" }, (_args, ctx) => ctx.runtime.exec("in", { tools: [] }))(),
    ];
    for (const body of bodies) {
      class Outer extends Agent {
        m = this.method({}, body);
      }
      expect(await run(new Outer({ runtime: make() }).m)).toBe("by the runtime of A");
    }
  });

  test("the defaults of its agent stay its own", async () => {
    const model = scripted(["in"]);
    class Outer extends Agent {
      m = this.method({}, () => exec("in", { tools: [] }));
    }
    await run(new Outer({ runtime: createRuntime({ model }), system: "of A" }).m);
    expect(model.requests[0]).not.toHaveProperty("system");
  });

  test("the outermost one counts, as everywhere", async () => {
    class Inner extends Agent {
      n = this.method({}, () => exec("in", { tools: [] }));
    }
    const other = new Inner({ runtime: createRuntime({ model: scripted([]) }) });
    for (const [, inwards] of ways) {
      class Outer extends Agent {
        m = this.method({}, () => inwards(other.n));
      }
      expect(await run(new Outer({ runtime: make() }).m)).toBe("by the runtime of A");
    }
  });

  test("inside of a run it is that of the run", async () => {
    const around = scripted([picks("t"), "by the run", "done"]);
    class Outer extends Agent {
      m = this.method({}, () => exec("in", { tools: [] }));
    }
    const outer = new Outer({ runtime: createRuntime({ model: scripted([]) }) });
    let said: unknown;
    const t = tool({
      name: "t",
      execute: async () => {
        said = await run(outer.m);
      },
    });
    await createRuntime({ model: around }).exec("go", { tools: [t] });
    expect(said).toBe("by the run");
  });

  test("its limits of recursion hold for methods inside", async () => {
    let reached = 0;
    const again: Method = method({ name: "again" }, (): Promise<unknown> => {
      reached++;
      return again();
    });
    class Outer extends Agent {
      m = this.method({}, () => again().catch(() => reached));
    }
    const runtime = createRuntime({ model: scripted([]), recursion: { maxRepeats: 2 } });
    expect(await run(new Outer({ runtime }).m)).toBe(2);
  });
});

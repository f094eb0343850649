import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Agent, method, RondoError, tool } from "../index.ts";
import type { ModuleWatch } from "./module-watch.ts";
import { offersOf } from "./offers.ts";

const file = fileURLToPath(import.meta.url);
const watch: ModuleWatch = { files: [], failedImport: () => undefined, otherVersion: undefined };

function offered(exports: { readonly [name: string]: unknown }) {
  const { entries, agent } = offersOf(exports, file, watch);
  return { names: entries.map((entry) => ("spec" in entry ? entry.spec.name : entry.name)), agent };
}

class Desk extends Agent {
  ask = this.method({}, () => "asked");
  #hidden = this.method({ name: "hidden" }, () => "no");
  code = () => this.#hidden({});
}
class Big extends Desk {
  tell = this.method({}, () => "told");
}
const desk = new Desk();
const ping = tool({ name: "ping", execute: () => "pong" });

describe("what is offered", () => {
  test("public methods of an agent, in the order of its fields", () => {
    const big = new Big();
    expect(offered({ big })).toEqual({ names: ["ask", "tell"], agent: big });
  });

  test("of a class one agent is made", () => {
    const { names, agent } = offered({ Desk });
    expect(names).toEqual(["ask"]);
    expect(agent).toBeInstanceOf(Desk);
  });

  test("not of a class of which there is an agent already, nor of one that another extends", () => {
    expect(offered({ Desk, default: desk })).toEqual({ names: ["ask"], agent: desk });
    expect(offered({ Desk, Big }).names).toEqual(["ask", "tell"]);
    expect(offered({ Agent, Desk, big: new Big() }).names).toEqual(["ask", "tell"]);
  });

  test("methods, of agents and without, tools and what has their shape; each once", () => {
    const say = method({ name: "say" }, () => "said");
    const shaped = { spec: { name: "shaped" }, execute: () => 1 };
    const all = offered({
      ask: desk.ask,
      again: desk.ask,
      say,
      ping,
      pong: ping,
      shaped,
      n: 1,
      f: () => 1,
      none: null,
    });
    expect(all).toEqual({ names: ["ask", "say", "ping", "shaped"], agent: undefined });
  });

  test("two agents are offered, and neither is the one of the file", () => {
    class Other extends Agent {
      other = this.method({}, () => 1);
    }
    expect(offered({ desk, Other })).toEqual({ names: ["ask", "other"], agent: undefined });
  });

  test("an agent without methods is one all the same: for its defaults", () => {
    class Plain extends Agent {}
    expect(offered({ Plain }).names).toEqual([]);
  });
});

describe("mistakes", () => {
  const failure = (exports: { readonly [name: string]: unknown }) => {
    try {
      offered(exports);
    } catch (error) {
      if (RondoError.isInstance(error)) return { code: error.code, message: error.message };
    }
    throw new Error("nothing was wrong");
  };

  test("two of one name: both are named", () => {
    const ask = tool({ name: "ask", execute: () => 1 });
    const { code, message } = failure({ desk, ask });
    expect(code).toBe("error");
    expect(message).toMatch(/offers\.test\.ts(:\d+)?: Desk\.ask \(line \d+\) and the export ask are both named "ask"/);
    expect(failure({ glob: tool({ name: "glob", execute: () => 1 }) }).message).toContain(
      'the built-in tool glob and the export glob are both named "glob"',
    );
  });

  test("two agents of one class have the same methods", () => {
    expect(failure({ desk, second: new Desk() }).message).toMatch(/Desk\.ask .* and Desk\.ask are both named "ask"/);
  });

  test.each([
    [{}, "exports nothing. Export a class that extends Agent"],
    [{ p: Promise.resolve(desk) }, "only p (a promise; write export const x = await …)."],
    [{ desk: { ask: 1 }, none: undefined, f() {} }, "only desk (an object), none (undefined), f (a function)."],
    [{ t: { name: "t", execute: () => 1 } }, "only t (an object; wrap it in tool({ … }))."],
  ])("nothing that can be offered is a mistake in the call: %j", (exports, said) => {
    const { code, message } = failure(exports);
    expect(code).toBe("invalid_option");
    expect(message).toContain(said);
  });

  test("methods of another copy of the package are refused", () => {
    const foreign = Object.assign(() => 1, { [Symbol.for("rondo.method")]: true });
    expect(failure({ foreign }).message).toContain("the export foreign is of another copy of rondo");
    const agent = { [Symbol.for("rondo.agent")]: {} };
    expect(failure({ agent }).message).toContain("the export agent is of another copy of rondo");
  });
});

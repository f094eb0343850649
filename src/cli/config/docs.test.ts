import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeHome } from "./config.fixture.ts";
import { readProjectConfig } from "./project-config.ts";
import { readUserConfig } from "./user-config.ts";

const page = readFileSync(new URL("../../../docs/config.md", import.meta.url), "utf8");
const [own = "", its = "", ...more] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

test("the files in docs/config.md are right", () => {
  const { project, userFile } = makeHome({ "xdg/rondo/config.json": own, "project/rondo.config.json": its });
  expect(readUserConfig(userFile)).toEqual(JSON.parse(own));
  expect(readProjectConfig(project)?.config).toEqual(JSON.parse(its));
  expect(more).toEqual([]);
});

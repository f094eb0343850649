/** Two steps; mostly the second one needs what the first one found. */
import { absent, asked, call, type Entry, either, oneOf } from "./table.ts";

const linesUnderSrc = { pattern: oneOf("^", "", ".*"), path: "src", output: "count", max: oneOf(200, 2000, absent) };

export const stepRequests: readonly Entry[] = [
  asked(
    "Find the file dates.ts and read it",
    call("glob", { pattern: "**/dates.ts" }),
    call("read_file", { path: "src/utils/dates.ts" }),
  ),
  asked(
    "find package.json, then show me its first 5 lines",
    call("glob", { pattern: "**/package.json" }),
    call("read_file", { path: "package.json", limit: 5 }),
  ),
  asked(
    "Which file under src is the longest? Read its first 10 lines.",
    call("grep", linesUnderSrc),
    call("read_file", { path: "src/parser.ts", limit: 10 }),
  ),
  asked(
    "list the docs folder and then open the first file in it",
    call("list_dir", { path: "docs" }),
    call("read_file", { path: "docs/intro.md" }),
  ),
  asked(
    'search for "createServer" in src, then read the file that contains it',
    call("grep", { pattern: "createServer", path: "src", output: oneOf("lines", "files", absent) }),
    call("read_file", { path: "src/server/http.ts" }),
  ),
  asked(
    'Read config/app.yaml, then replace "debug: true" with "debug: false" in it',
    call("read_file", { path: "config/app.yaml" }),
    call("edit_file", { path: "config/app.yaml", edits: [{ old_string: "debug: true", new_string: "debug: false" }] }),
  ),
  asked(
    "Look up the orders of customer Smith, then get the status of the first one",
    call("find_orders", { customer: "Smith" }),
    call("order_status", { order_id: "ORD-77" }),
  ),
  asked(
    "what's the weather in Paris? Also run `1 + 1`",
    call("get_weather", { city: "Paris" }),
    call("run_code", { code: "1 + 1" }),
  ),
  asked(
    "Find all shell scripts and show me the first one",
    call("glob", { pattern: oneOf("**/*.sh", "*.sh") }),
    call("read_file", { path: "scripts/build.sh" }),
  ),
  asked(
    'Write "v2" to version.txt and then read it back',
    call("write_file", { path: "version.txt", content: "v2" }),
    call("read_file", { path: "version.txt" }),
  ),
  asked(
    'run `6 * 7` and save the text "answer" to out.txt',
    call("run_code", { code: "6 * 7" }),
    call("write_file", { path: "out.txt", content: "answer" }),
  ),
  asked(
    "grep for fetchUser in src; open the first match",
    call("grep", { pattern: "fetchUser", path: "src", output: oneOf("lines", "files", absent) }),
    call("read_file", { path: "src/parser.test.ts", offset: oneOf(1, absent) }),
  ),
  asked(
    'Convert 80 USD to EUR, then mail "rates checked" to fin@example.org with the subject "rates"',
    call("convert_currency", { amount: 80, from: "USD", to: "EUR" }),
    call("send_mail", { to: ["fin@example.org"], subject: "rates", body: "rates checked" }),
  ),
  asked(
    "Count the lines of every file in src/server and then show the shortest one",
    either(
      call("grep", {
        pattern: oneOf("^", "", ".*"),
        path: "src/server",
        output: "count",
        max: oneOf(200, 2000, absent),
      }),
      call("grep", {
        pattern: oneOf("^", "", ".*"),
        glob: /^src\/server\//u,
        output: "count",
        max: oneOf(200, 2000, absent),
      }),
    ),
    call("read_file", { path: "src/server/routes.ts" }),
  ),
];

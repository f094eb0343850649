// node bench/nesting.mjs [--src]: what a method costs as plain code, and a nested exec beside a round of the loop.
// CPU time, best of the repeats; measures the built package, or the sources with --src.
const from = process.argv.includes('--src') ? '../src/core.ts' : '../dist/core.js';
const { createRuntime, exec, method, tool } = await import(from);
const { z } = await import('zod');

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const text = { role: 'assistant', content: [{ type: 'text', text: 'ok' }], model: 'fake', usage, stopReason: 'stop' };
const callOf = (id) => ({
  role: 'assistant', content: [{ type: 'tool_call', id, name: 'work', arguments: '{}' }], model: 'fake', usage, stopReason: 'tool_calls',
});

/** Calls `work` for so many rounds in runs of the prompt "go"; every other run gets text at once. */
function fake(rounds) {
  let left = rounds;
  return {
    id: 'fake',
    async *stream({ messages }) {
      const outer = messages[0].content === 'go' && left-- > 0;
      if (!outer) {
        yield { type: 'text', delta: 'ok' };
        yield { type: 'end', message: text };
        return;
      }
      const id = `c${left}`;
      yield { type: 'call_start', id, name: 'work' };
      yield { type: 'call_delta', id, delta: '{}' };
      yield { type: 'call_end', id };
      yield { type: 'end', message: callOf(id) };
    },
  };
}

/** CPU microseconds for each of `count`, best of the repeats; what is measured takes turns, so that all are as warm. */
async function best(count, works, repeats) {
  const least = works.map(() => Infinity);
  for (let i = 0; i < repeats; i++) {
    for (const [at, work] of works.entries()) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      least[at] = Math.min(least[at], (user + system) / count);
    }
  }
  return least;
}

const calls = 10_000;
async function callsOf(fn, args) {
  for (let i = 0; i < calls; i++) await fn(args);
}
const inner = async ({ n }) => n + 1;
const input = z.object({ n: z.number() });
const schema = method({ name: 'm', input }, inner);
const none = method({ name: 'n', input: { type: 'object' } }, inner);
const checked = async (args) => inner(input.parse(args));
const inside = method({ name: 'i' }, () => callsOf(schema, { n: 1 }));

const [bare, parsed, plain, typed, nested] = await best(
  calls,
  [() => callsOf(inner, { n: 1 }), () => callsOf(checked, { n: 1 }), () => callsOf(none, { n: 1 }), () => callsOf(schema, { n: 1 }), () => inside()],
  15,
);

const rounds = 200;
const runOf = (entry) => async () => {
  await createRuntime().exec('go', { model: fake(rounds), tools: [entry], maxIterations: Infinity });
};
const watched = method({ name: 'w' }, () => exec('inner', { tools: [] }));
const other = tool({ name: 'other', execute: () => 'x' });
const [round, picked, nest, offering, watch] = await best(
  rounds,
  [
    runOf(tool({ name: 'work', execute: async () => 'ok' })),
    runOf(method({ name: 'work' }, async () => 'ok')),
    runOf(method({ name: 'work' }, () => exec('inner', { tools: [] }))),
    runOf(method({ name: 'work' }, () => exec('inner', { tools: [other] }))),
    runOf(tool({ name: 'work', execute: async () => (await watched.run().result).value })),
  ],
  80,
);

const us = (value) => `${value.toFixed(2)} us`;
console.log(`a call of the function itself           ${us(bare)}; with zod ${us(parsed)}`);
console.log(`a method, any object                    ${us(plain)} (+${us(plain - bare)})`);
console.log(`a method, zod                           ${us(typed)} (+${us(typed - bare)})`);
console.log(`a method, zod, inside another           ${us(nested)} (+${us(nested - bare)})`);
console.log(`a round with one tool call              ${us(round)}; the tool a method ${us(picked)}`);
const beside = (value) => `${us(value)} (x${(value / round).toFixed(2)} of a round)`;
console.log(`a nested exec without tools             ${beside(nest - picked)}`);
console.log(`a nested exec that offers a tool        ${beside(offering - picked)}`);
console.log(`a watched method with an exec           ${beside(watch - round)}`);

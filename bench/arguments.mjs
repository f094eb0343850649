// node bench/arguments.mjs [--src]: one call whose arguments come in pieces of 20 bytes, over HTTP through each provider's package.
// CPU microseconds a piece, best of the repeats: flat from the short to the long call means linear. The server is a process of its own.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const chat = (delta, finish_reason = null) => event({ id: 'x', choices: [{ index: 0, delta, finish_reason }] });
const item = (args) => ({ type: 'function_call', id: 'fc', call_id: 'c', name: 'take', arguments: args, status: 'completed' });

/** How each grammar writes one call: what stands before its pieces, a piece, and what stands behind them. */
const grammars = {
  'openai-chat': {
    before: chat({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'take', arguments: '' } }] }),
    piece: (args) => chat({ tool_calls: [{ index: 0, function: { arguments: args } }] }),
    behind: () => `${chat({}, 'tool_calls')}data: [DONE]\n\n`,
    text: `${chat({ content: 'ok' })}${chat({}, 'stop')}data: [DONE]\n\n`,
  },
  openai: {
    before: event({ type: 'response.output_item.added', output_index: 0, item: item('') }),
    piece: (args) => event({ type: 'response.function_call_arguments.delta', item_id: 'fc', output_index: 0, delta: args }),
    behind: (all) => event({ type: 'response.output_item.done', output_index: 0, item: item(all) })
      + event({ type: 'response.completed', response: { output: [], usage: { input_tokens: 1, output_tokens: 1 } } }),
    text: event({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } })
      + event({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: 'ok' })
      + event({ type: 'response.completed', response: { output: [], usage: { input_tokens: 1, output_tokens: 1 } } }),
  },
  anthropic: {
    before: event({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 1 } } })
      + event({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'take', input: {} } }),
    piece: (args) => event({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: args } }),
    behind: () => event({ type: 'content_block_stop', index: 0 })
      + event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } }) + event({ type: 'message_stop' }),
    text: event({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 1 } } })
      + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
      + event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } })
      + event({ type: 'content_block_stop', index: 0 })
      + event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) + event({ type: 'message_stop' }),
  },
};

const argumentsOf = (bytes) => JSON.stringify({ text: 'lorem ipsum dolor sit '.repeat(Math.ceil(bytes / 22)).slice(0, bytes) });

if (process.argv[2] === 'serve') {
  createServer((request, response) => {
    const [, name, bytes] = request.url.split('/');
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('end', () => {
      const { before, piece, behind, text } = grammars[name];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (body.includes('"done"')) return response.end(text);
      const all = argumentsOf(+bytes);
      response.write(before);
      for (let at = 0; at < all.length; at += 20) response.write(piece(all.slice(at, at + 20)));
      response.end(behind(all));
    });
  }).listen(0, '127.0.0.1', function () { process.send(this.address().port); });
} else {
  const from = process.argv.includes('--src') ? '../src/core.ts' : '../dist/core.js';
  const { createRuntime, resolveModel, tool } = await import(from);
  const server = fork(new URL(import.meta.url), ['serve']);
  const port = await new Promise((resolve) => server.once('message', resolve));
  let taken = 0;
  const take = tool({
    name: 'take', description: 'Takes a text.', input: { type: 'object', properties: { text: { type: 'string' } } }, maxResultChars: 100,
    execute: ({ text }) => { taken = text.length; return 'done'; },
  });
  const runtime = createRuntime({ tools: [take] });
  const sizes = [62_500, 250_000, 1_000_000];
  const rows = [];
  for (const name of Object.keys(grammars)) {
    const row = { wire: name };
    for (const bytes of [sizes[0], ...sizes]) {
      let least = Infinity;
      for (let repeat = 0; repeat < 3; repeat++) {
        const model = resolveModel(`${name}/m`, { apiKey: 'x', baseURL: `http://127.0.0.1:${port}/${name}/${bytes}` });
        const before = process.cpuUsage();
        let deltas = 0;
        const run = runtime.run('Go.', { model, tools: [take] });
        for await (const e of run) if (e.type === 'message_update') deltas++;
        const { user, system } = process.cpuUsage(before);
        if (taken !== bytes || deltas < bytes / 20) throw new Error(`${name}: ${taken} of ${bytes} bytes, ${deltas} deltas`);
        least = Math.min(least, (user + system) / (bytes / 20));
      }
      row[`${bytes / 1000} kB`] = +least.toFixed(1);
    }
    row.growth = +(row['1000 kB'] / row['62.5 kB']).toFixed(2);
    rows.push(row);
  }
  console.table(rows);
  server.kill();
}

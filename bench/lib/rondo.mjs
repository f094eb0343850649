// The adapter for Rondo: its built package, a fake model that streams what a real one streams, every wrapper stage on.
import { z } from '../peers/bare/deps.mjs';
import { createRuntime, resolveModel, tool } from '../../dist/core.js';

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

async function* fakeModel(job, i, request) {
  job.onRequest?.({ tools: request.tools, system: request.system, messages: request.messages });
  if (job.wait) await job.wait(i);
  const turn = job.turn(i), content = [];
  if (turn.deltas) {
    let text = '';
    for (const delta of turn.deltas) { text += delta; yield { type: 'text', delta }; }
    content.push({ type: 'text', text });
  } else for (const call of turn.calls) {
    yield { type: 'call_start', id: call.id, name: call.name };
    yield { type: 'call_delta', id: call.id, delta: call.json };
    yield { type: 'call_end', id: call.id };
    content.push({ type: 'tool_call', id: call.id, name: call.name, arguments: call.json });
  }
  yield { type: 'end', message: { role: 'assistant', content, model: 'fake', usage, stopReason: turn.deltas ? 'stop' : 'tool_calls' } };
}

const cache = new WeakMap();
function toolsOf(job) {
  let tools = cache.get(job.tools);
  if (!tools) {
    // The cap on results is raised, so that all bytes go on as they do in the other adapters.
    tools = job.tools.map(({ name, description, schema, execute }) =>
      tool({ name, description, input: schema(z), readOnly: true, maxResultChars: Infinity, execute }));
    cache.set(job.tools, tools);
  }
  return tools;
}

/** One runtime for the process, as a service has; each session brings its own model. */
const runtime = createRuntime();

/** Opens sessions; `reads`: whether somebody reads the events. */
export function makeOpen({ reads }) {
  return function open(job) {
    let i = 0;
    const model = job.wire
      ? resolveModel('openai-chat/gpt-4o', { apiKey: 'x', baseURL: job.wire.baseURL })
      : { id: 'fake', stream: (request) => fakeModel(job, i++, request) };
    const options = { model, system: job.system, tools: toolsOf(job), maxIterations: Infinity, ...(job.parallel !== false && { toolExecution: 'overlap' }) };
    const session = {};
    session.run = async () => {
      if (!reads) return runtime.exec(job.prompt, options);
      session.handle = runtime.run(job.prompt, options);
      let text = '';
      for await (const event of session.handle) {
        if (event.type !== 'message_update' || event.update.type !== 'text') continue;
        text += event.update.delta;
        job.onDelta(event.update.delta);
      }
      session.result = await session.handle.result;
      return text;
    };
    return session;
  };
}

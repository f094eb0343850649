// node run.mjs [--best: minima instead of medians] [--only W1,W2] [--adapters bare,ai6] [--max 330] [--out results-peers.json] [--force-sessions]
// Repeats are interleaved over adapters; repeats stop when --max seconds are used. Every child is awaited or killed by pid.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync, existsSync, statSync, lstatSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import os from 'node:os';
const here = dirname(fileURLToPath(import.meta.url));
const arg = (n, d) => { const i = process.argv.indexOf('--' + n); return i < 0 ? d : process.argv[i + 1]; };
const has = (n) => process.argv.includes('--' + n);
const MAX = +arg('max', 330) * 1000, t0 = performance.now(), used = () => performance.now() - t0;
const only = arg('only', 'W6,W7,W3,W8,W2,W5,W4,W1').split(',');
const later = ['W1', 'W8', 'W2', 'W3', 'W5', 'W4', 'W6'];   // order of the repeats after the first
const outFile = arg('out', 'results-peers.json');

const metas = [];
for (const f of readdirSync(join(here, 'adapters')).sort()) {
  const src = readFileSync(join(here, 'adapters', f), 'utf8');
  const m = src.match(/export const meta = (\{.*\});/);   // meta must be one line, so the parent need not import peers
  if (m) metas.push(new Function('return ' + m[1])());
}
const wanted = arg('adapters');
const adapters = metas.filter((m) => !wanted || wanted.split(',').includes(m.name))
  .sort((a, b) => (a.name === 'bare' ? -1 : b.name === 'bare' ? 1 : 0));

function child(cmd, args, { timeout = 60000, cwd = here } = {}) {
  return new Promise((ok) => {
    const t = performance.now();
    const p = spawn(cmd, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, OPENAI_API_KEY: 'x', LANGSMITH_TRACING: 'false' } });
    let o = '', e = '', dead = false;
    p.stdout.on('data', (d) => (o += d)); p.stderr.on('data', (d) => (e = (e + d).slice(-4000)));
    const k = setTimeout(() => { dead = true; process.kill(p.pid, 'SIGKILL'); }, timeout);
    p.on('close', (rc) => { clearTimeout(k); ok({ rc, out: o, err: e, dead, ms: performance.now() - t }); });
  });
}
// ---- W6 helpers: closure of a package's dependencies inside its own install
function closure(peer, roots) {
  const base = join(here, 'peers', peer, 'node_modules'), seen = new Map();
  const find = (name, from) => {
    for (let d = from; ; d = dirname(d)) {
      const p = join(d, 'node_modules', name); if (existsSync(join(p, 'package.json'))) return p;
      if (d === here || d === '/' || d === join(here, 'peers', peer)) return null;
    }
  };
  const walk = (dir) => {
    if (!dir || seen.has(dir)) return; seen.set(dir, size(dir));
    const pj = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
    const opt = new Set(Object.entries(pj.peerDependenciesMeta ?? {}).filter(([, v]) => v.optional).map(([k]) => k));
    for (const n of [...Object.keys(pj.dependencies ?? {}), ...Object.keys(pj.optionalDependencies ?? {}), ...Object.keys(pj.peerDependencies ?? {}).filter((n) => !opt.has(n))]) walk(find(n, dir));
  };
  const size = (d) => { let s = 0; for (const f of readdirSync(d)) { if (f === 'node_modules') continue; const p = join(d, f), st = lstatSync(p); s += st.isDirectory() ? size(p) : st.size; } return s; };
  for (const r of roots) walk(join(base, r));
  return { packages: seen.size, mb: [...seen.values()].reduce((a, b) => a + b, 0) / 1e6 };
}
const version = (m) => { try { return m.lib ? JSON.parse(readFileSync(join(here, 'peers', m.peer, 'node_modules', m.roots[0], 'package.json'))).version : 'zod only'; } catch { return m.version ?? '?'; } };

const server = spawn(process.execPath, [join(here, 'lib/sse-server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
const port = await new Promise((ok) => server.stdout.once('data', (d) => ok(+String(d))));
const baseURL = `http://127.0.0.1:${port}`;

// The longest runs are repeated only where that takes no time.
const fast = ({ peer }) => peer === 'bare' || peer === 'rondo';
const errors = {};
// --merge <file>: start from the raw samples of an earlier run (same machine), so more repeats can be gathered in several goes
const samples = arg('merge') ? JSON.parse(readFileSync(join(here, arg('merge')), 'utf8')).samples ?? {} : {};
const add = (a, w, o) => { (samples[a] ??= {})[w] ??= {}; for (const [k, v] of Object.entries(o)) if (typeof v === 'number') (samples[a][w][k] ??= []).push(v); };
async function task(m, w, rep) {
  if (m.only && !m.only.includes(w)) return;
  if (w === 'W6') {
    const cwd = m.peer ? join(here, 'peers', m.peer) : here;
    for (const [key, code] of [['node_ms', '0'], ...(m.lib ? [['import_ms', `import('${m.lib}')`]] : [])]) {
      const r = await child('/bin/bash', ['-c', `TIMEFORMAT='%R %U %S'; time ${process.execPath} -e "${code}"`], { cwd });
      const t = r.err.trim().split('\n').pop().split(' ').map(Number);
      if (r.rc !== 0) { errors[m.name + ' W6'] = r.err.slice(-300); continue; }
      add(m.name, 'W6', { [key]: t[0] * 1000, [key.replace('_ms', '_cpu_ms')]: (t[1] + t[2]) * 1000 });
    }
    if (rep === 0) try {
      const c = closure(m.peer, m.roots), p = closure(m.peer, [...m.roots, ...m.providerRoots]);
      const ls = await child('/bin/bash', ['-c', 'npm ls --all --parseable 2>/dev/null | tail -n +2 | wc -l'], { cwd });
      add(m.name, 'W6', { packages: c.packages, mb: c.mb, packages_with_openai: p.packages, mb_with_openai: p.mb, npm_ls_all: +ls.out });
    } catch (e) { errors[m.name + ' W6 size'] = String(e); }
    return;
  }
  const opt = { sequential: !!m.sequential, budgetMs: w === 'W4' ? (has('force-sessions') ? 200000 : 9000) : 7000, long: (rep === 0 || fast(m)) && !has('no-long'), baseURL: m.noWire ? undefined : baseURL, force: has('force-sessions') };
  const r = await child(process.execPath, ['--expose-gc', '--no-warnings', 'child.mjs', m.name, w, JSON.stringify(opt)], { timeout: has('force-sessions') ? 240000 : 45000 });
  const line = r.out.trim().split('\n').pop();
  if (r.rc !== 0 || !line) { errors[`${m.name} ${w}`] = r.dead ? `killed after ${Math.round(r.ms)} ms` : (r.err || r.out).slice(-500); return; }
  add(m.name, w, JSON.parse(line));
  if (w === 'W5' && rep === 0) {  // one more run with --trace-gc: bytes allocated in the JS heap
    const g = await child(process.execPath, ['--expose-gc', '--no-warnings', '--trace-gc', 'child.mjs', m.name, w, JSON.stringify({ once: true })], { timeout: 45000 });
    let prev = null, sum = 0;
    for (const mm of g.out.matchAll(/: (?:Scavenge|Mark-Compact|Mark-sweep)[^\n]*? (\d+\.?\d*) \(\d+\.?\d*\) -> (\d+\.?\d*) /g)) { if (prev !== null) sum += Math.max(0, +mm[1] - prev); prev = +mm[2]; }
    add(m.name, w, { alloc_mb_whole_child: sum });
  }
}
const load0 = os.loadavg();
const plan = [];
const reps = +arg('reps', 5);
for (let rep = 0; rep < reps; rep++) for (const w of rep ? later.filter((w) => only.includes(w)) : only) { for (const m of adapters) plan.push([m, w, rep]); }
for (const [m, w, rep] of plan) {
  if (used() > MAX) break;
  await task(m, w, rep);
  if (has('v')) process.stderr.write(`${Math.round(used() / 1000)}s ${m.name} ${w} #${rep}\n`);
}
process.kill(server.pid, 'SIGKILL');

// ---- aggregate
const med = (a) => { const s = [...a].sort((x, y) => x - y); return s.length % 2 ? s[s.length >> 1] : (s[s.length / 2 - 1] + s[s.length / 2]) / 2; };
const result = { date: new Date().toISOString(), node: process.version, cpus: os.cpus().length, cpu: os.cpus()[0]?.model, load_before: load0, load_after: os.loadavg(), seconds: used() / 1000, adapters: {}, errors };
for (const m of adapters) {
  const o = (result.adapters[m.name] = { version: version(m), workloads: {} });
  for (const [w, ks] of Object.entries(samples[m.name] ?? {})) { o.workloads[w] = {}; for (const [k, v] of Object.entries(ks)) o.workloads[w][k] = { median: med(v), min: Math.min(...v), n: v.length }; }
}
const rows = [
  ['W1 CPU us/round R=10', 'W1', 'cpu_us@10'], ['W1 CPU us/round R=50', 'W1', 'cpu_us@50'], ['W1 CPU us/round R=200', 'W1', 'cpu_us@200'], ['W1 CPU us/round R=1000', 'W1', 'cpu_us@1000'],
  ['W1 wall us/round R=200', 'W1', 'us@200'], ['W1 wall us/round R=1000', 'W1', 'us@1000'],
  ['W2 CPU us/delta n=5000', 'W2', 'cpu_us/delta@5000'], ['W2 CPU us/delta n=20000', 'W2', 'cpu_us/delta@20000'], ['W2 wall us/delta n=20000', 'W2', 'us/delta@20000'], ['W2 ms to first delta', 'W2', 'ttfd_ms@20000'],
  ['W3 64 calls x 5 ms, default: wall ms', 'W3', 'ms_default'], ['W3 same, CPU ms', 'W3', 'cpu_ms_default'], ['W3 sequential: wall ms', 'W3', 'ms_sequential'],
  ['W4 sessions run (of 1000)', 'W4', 'sessions', 'plain'], ['W4 CPU us/model call', 'W4', 'cpu_us_per_round'], ['W4 wall ms', 'W4', 'wall_ms', 'plain'], ['W4 peak RSS MB', 'W4', 'peak_rss_mb'], ['W4 KB per session in flight', 'W4', 'kb_parked'], ['W4 KB per finished session held', 'W4', 'kb_held'],
  ['W5 50x50kB CPU ms', 'W5', 'cpu_ms'], ['W5 peak RSS MB', 'W5', 'peak_rss_mb'], ['W5 JS heap MB allocated (whole child)', 'W5', 'alloc_mb_whole_child'], ['W5 over HTTP CPU ms', 'W5', 'wire_cpu_ms'], ['W5 over HTTP peak RSS MB', 'W5', 'wire_peak_rss_mb'],
  ['W6 import wall ms', 'W6', 'import_ms'], ['W6 import CPU ms', 'W6', 'import_cpu_ms'], ['W6 bare node wall ms', 'W6', 'node_ms', 'plain'], ['W6 installed MB', 'W6', 'mb'], ['W6 packages', 'W6', 'packages'], ['W6 MB with OpenAI provider', 'W6', 'mb_with_openai'], ['W6 npm ls --all count (bench install)', 'W6', 'npm_ls_all', 'plain'],
  ['W7 prefix share, in process', 'W7', 'inproc_prefix', 'plain'], ['W7 prefix share, HTTP body', 'W7', 'wire_prefix', 'plain'], ['W7 message objects reused', 'W7', 'msg_objects_reused', 'plain'], ['W7 last body bytes', 'W7', 'wire_last_bytes', 'plain'],
  ['W8 CPU us/round over HTTP', 'W8', 'cpu_us'], ['W8 wall us/round over HTTP', 'W8', 'us'],
];
const names = adapters.map((a) => a.name);
const fmt = (v) => (v === undefined ? '-' : Math.abs(v) >= 100 ? v.toFixed(0) : Math.abs(v) >= 10 ? v.toFixed(1) : v.toFixed(2));
const lines = [`| ${[`measure (${has('best') ? 'best' : 'median'}; xN = ratio to the first)`, ...names.map((n) => `${n} ${result.adapters[n].version}`)].join(' | ')} |`, `|${'---|'.repeat(names.length + 1)}`];
for (const [label, w, k, mode] of rows) {
  const vs = names.map((n) => result.adapters[n].workloads[w]?.[k]?.[has('best') ? 'min' : 'median']);
  if (vs.every((v) => v === undefined)) continue;
  const best = vs[0] > 0 ? vs[0] : Math.min(...vs.filter((v) => v > 0));
  lines.push(`| ${[label, ...vs.map((v) => (v === undefined ? '-' : mode === 'plain' ? fmt(v) : `${fmt(v)} (x${fmt(v / best)})`))].join(' | ')} |`);
}
result.table = lines; result.samples = samples;
writeFileSync(join(here, outFile), JSON.stringify(result, null, 1));
console.log(lines.join('\n'));
console.log(`\n${Math.round(result.seconds)} s, load ${load0.map((x) => x.toFixed(1))} -> ${os.loadavg().map((x) => x.toFixed(1))}; errors: ${JSON.stringify(errors)}`);

/*
 * Preloaded into a process whose memory a run watches. A full collection comes before each sample: what is left on the heap is what somebody
 * still refers to, and not what V8 has not got round to yet.
 */
const { appendFileSync } = require('node:fs') as typeof import('node:fs');
const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
const { runInNewContext } = require('node:vm') as typeof import('node:vm');
const { isMainThread } = require('node:worker_threads') as typeof import('node:worker_threads');

const file = process.env.MEMORY_LOG_FILE ?? '';
const everyMs = Number(process.env.MEMORY_LOG_MS);
const BYTES_PER_MB = 1024 * 1024;

function sample(collect: () => void): void {
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  const [residentMb, liveMb] = [rss / BYTES_PER_MB, (heapUsed + external) / BYTES_PER_MB];
  appendFileSync(file, `${JSON.stringify({ atMs: performance.now(), residentMb, liveMb })}\n`);
}

// A thread of the process would be given this program too.
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setInterval(() => sample(collect), everyMs).unref();
}

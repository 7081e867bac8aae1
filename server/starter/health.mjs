// Ends with code 0 when the process that works in the data folder answers: over its operator socket, which every role has, and at its
// address when it has one. For the HEALTHCHECK of containers, which have no curl.
import { request } from 'node:http';
import { join } from 'node:path';

const WITHIN_MS = 3_000;

const socketPath = join(process.env.MESSAGING_DATA_DIR || './data', 'postrider.sock');
try {
  const { url } = JSON.parse(await ping());
  const { ok, status } = url
    ? await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(WITHIN_MS) })
    : { ok: true };
  if (!ok) throw new Error(`/healthz answers ${status}`);
} catch (error) {
  console.error(`Not healthy: ${error.message}`);
  process.exitCode = 1;
}

/** @returns {Promise<string>} what the process says of itself */
function ping() {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, method: 'POST', path: '/ping', timeout: WITHIN_MS }, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      resolve(text);
    });
    call.on('timeout', () => call.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
    call.on('error', reject);
    call.end('{}');
  });
}

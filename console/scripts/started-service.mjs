// The service with its simulator, as `npm start` runs it, on free ports with a folder of its own that is removed again.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project; this file lies in console/scripts. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
/** The Chromium that draws the pages. */
export const BROWSER = process.env.TEST_BROWSER || '/usr/bin/chromium';
/** How every Chromium is started here: its sandbox cannot be had by root and in containers. */
export const BROWSER_FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/**
 * Does the work while the service runs.
 * @param {(service: { base: string, simulator: string, link: string, key: string, linkAt: number }) => Promise<void>} work
 *   gets both addresses, the printed sign-in link with the time at which it was printed (ms of `performance.now`), and a key
 * @param {Record<string, string>} settings further keys of its environment
 */
export async function withService(work, settings = {}) {
  const data = mkdtempSync(join(tmpdir(), 'postrider-console-'));
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const service = spawn(process.execPath, [join(root, 'scripts', 'start.mjs')], {
    cwd: root,
    env: { ...process.env, PORT: port, MESSAGING_SIMULATOR_PORT: simulatorPort, MESSAGING_DATA_DIR: data, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('close', resolve));
  try {
    const printed = await readPrinted(service, ended);
    await work({ base: `http://localhost:${port}`, simulator: `http://localhost:${simulatorPort}`, ...printed });
  } finally {
    service.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

function readPrinted(service, ended) {
  return new Promise((resolve, reject) => {
    let text = '';
    let linkAt = 0;
    service.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const [link] = /http\S+\/sign-in#token=\S+/.exec(text) ?? [];
      const [key] = /pr_(?:test|live)_\w+/.exec(text) ?? [];
      if (link && linkAt === 0) linkAt = performance.now();
      if (link && key && /Ctrl-C stops/.test(text)) resolve({ link, key, linkAt });
    });
    ended.then(() => reject(new Error(`The service ended:\n${text}`)));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}

import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { HANGS_AFTER_MS, pollUntil } from './pause.ts';
import { freePort } from './ports.ts';
import { startProgram } from './process.ts';
import type { Workspace } from './workspace.ts';

/** A Redis server of our own. */
export interface Redis {
  readonly url: string;
  readonly version: string;
  stop(): Promise<void>;
}

/** The version of the installed Redis server; null when there is none. */
export function findRedis(): string | null {
  try {
    return /v=([\d.]+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' }))?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Starts one that answers only after the disk has what was asked of it (`appendfsync always`): as durable as the
 * databases that it is compared with. @throws Error when Redis is not installed
 */
export async function startRedis(workspace: Workspace): Promise<Redis> {
  const version = findRedis();
  if (version === null) throw new Error('Redis is not installed: there is no redis-server.');
  const port = await freePort();
  const options = ['--port', port, '--bind', '127.0.0.1', '--dir', workspace.folder, '--save', ''];
  const program = await startProgram({
    name: 'Redis',
    program: 'redis-server',
    args: [...options, '--appendonly', 'yes', '--appendfsync', 'always'].map(String),
    env: {},
    logFile: join(workspace.folder, 'redis.log'),
    ready: () => untilPonging(port),
  });
  workspace.onClose(() => program.stop());
  return { url: `redis://127.0.0.1:${port}`, version, stop: () => program.stop() };
}

async function untilPonging(port: number): Promise<void> {
  const probe = (): Promise<boolean | null> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('error', reject);
      socket.once('data', (answer) => {
        socket.destroy();
        resolve(answer.toString().startsWith('+PONG') ? true : null);
      });
    });
  await pollUntil({ what: 'Redis does not answer', everyMs: 20, timeoutMs: HANGS_AFTER_MS, probe });
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './job.ts';

/** A running load generator. */
export interface LoadProcess {
  /** One job at a time. @throws Error when the process ends before it answers */
  run(job: LoadJob): Promise<LoadResult>;
  close(): void;
}

/** Starts the built load generator as a child process. */
export function startLoadProcess(): LoadProcess {
  const child = fork(fileURLToPath(new URL('./main.js', import.meta.url)), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return { run: (job) => ask(child, job), close: () => child.disconnect() };
}

async function ask(child: ChildProcess, job: LoadJob): Promise<LoadResult> {
  const gone = new AbortController();
  const left = (): void => gone.abort();
  child.once('exit', left);
  try {
    child.send(job);
    const [result] = (await once(child, 'message', { signal: gone.signal })) as [LoadResult];
    return result;
  } catch (error) {
    throw gone.signal.aborted ? new Error('The load generator ended before its job was done.') : error;
  } finally {
    child.off('exit', left);
  }
}

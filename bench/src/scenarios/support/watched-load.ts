import type { Server } from '../../harness/server.ts';
import type { LoadJob, LoadResult } from '../../load/job.ts';
import type { LoadProcess } from '../../load/load-process.ts';
import { type Watch, watchProgress } from '../../progress.ts';

/** What came of a job, and what the server did meanwhile. */
export interface WatchedLoad {
  readonly result: LoadResult;
  readonly watch: Watch;
}

/** Runs a job, and watches the server until it is over. @throws Error when the load generator or the server ends before that */
export async function runWatched(load: LoadProcess, server: Server, job: LoadJob): Promise<WatchedLoad> {
  let over = false;
  const running = load.run(job).finally(() => {
    over = true;
  });
  const [result, watch] = await Promise.all([running, watchProgress(server, () => over)]);
  return { result, watch };
}

import { generateLoad } from './generator.ts';
import type { LoadJob, LoadResult } from './job.ts';

/*
 * The load generator as a separate process: it must not share an event loop with the server or with what watches it.
 * Each message from the parent is a job; its result is the answer. It ends when the parent goes away.
 */
process.on('message', (job: LoadJob) => {
  void generateLoad(job).then((result) => {
    tellUnanswered(job, result);
    process.send?.(result);
  });
});
process.on('disconnect', () => process.exit(0));

const STATUS = /^\d+$/;

/** Figures leave it out, and it must not go unnoticed. */
function tellUnanswered({ origin }: LoadJob, { outcomes }: LoadResult): void {
  const unanswered = Object.fromEntries(Object.entries(outcomes).filter(([name]) => !STATUS.test(name)));
  if (Object.keys(unanswered).length > 0) console.error(`Without an answer from ${origin}:`, unanswered);
}

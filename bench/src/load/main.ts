import { generateLoad } from './generator.ts';
import type { LoadJob } from './job.ts';

/*
 * The load generator as a separate process: it must not share an event loop with the server or with what watches it.
 * Each message from the parent is a job; its result is the answer. It ends when the parent goes away.
 */
process.on('message', (job: LoadJob) => {
  void generateLoad(job).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));

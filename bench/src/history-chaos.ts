import { parseArgs } from 'node:util';
import { findPostgresBin } from './harness/postgres.ts';
import { tryLosses } from './history/try-losses.ts';
import { wholeOf } from './options.ts';
import { runProgram } from './run-program.ts';

/*
 * node bench/dist/src/history-chaos.js [--seconds N] [--times N] [--quick] [--keep]
 * A backup that was made under load is restored, and a replica that is behind takes over, each on a PostgreSQL of our own in a
 * temporary folder. Exit 1 on any violation.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string' },
      times: { type: 'string', default: '1' },
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const seconds = wholeOf('seconds', values.seconds ?? (values.quick ? '3' : '10'), 1);
  const times = wholeOf('times', values.times, 1);
  if (findPostgresBin() === null) {
    say('PostgreSQL is not installed: nothing was tried.');
    return 1;
  }
  const results = await tryLosses({ times, seconds, keep: values.keep, say });
  return results.every(({ violations }) => violations.length === 0) ? 0 : 1;
}

await runProgram(main);

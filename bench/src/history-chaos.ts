import { parseArgs } from 'node:util';
import { builtPrograms } from './harness/paths.ts';
import { findPostgresBin, startPostgres } from './harness/postgres.ts';
import { makeWorkspace } from './harness/workspace.ts';
import type { HistoryVerdict } from './history/audit-history.ts';
import { type HistoryLoss, runHistoryChaos } from './history/run-history-chaos.ts';
import { wholeOf } from './options.ts';
import { runProgram } from './run-program.ts';

/*
 * node bench/dist/src/history-chaos.js [--seconds N] [--quick] [--keep]
 * A backup that was made under load is restored, and a replica that is behind takes over, each on a PostgreSQL of our own in a
 * temporary folder. Exit 1 on any violation.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const LOSSES: readonly HistoryLoss[] = ['restore_dump', 'failover'];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const seconds = wholeOf('seconds', values.seconds ?? (values.quick ? '3' : '10'), 1);
  if (findPostgresBin() === null) {
    say('PostgreSQL is not installed: nothing was tried.');
    return 1;
  }
  let violations = 0;
  for (const loss of LOSSES) {
    const verdict = await tryLoss(loss, seconds, values.keep);
    report(loss, verdict);
    violations += verdict.violations.length;
  }
  return violations === 0 ? 0 : 1;
}

async function tryLoss(loss: HistoryLoss, seconds: number, keep: boolean): Promise<HistoryVerdict> {
  const workspace = makeWorkspace(keep);
  if (keep) say(`  logs in ${workspace.folder}`);
  try {
    const postgres = await startPostgres(workspace.folder);
    // A failover has killed it already.
    workspace.onClose(() => postgres.stop());
    return await runHistoryChaos({ programs: builtPrograms(), workspace, postgres, loss, seconds });
  } finally {
    await workspace.close();
  }
}

const SHOWN = 20;

function report(loss: HistoryLoss, { counts, violations }: HistoryVerdict): void {
  const { accepted, lost, held, spared, copies } = counts;
  say(`${loss}: ${accepted} accepted, ${lost} lost with the database, ${held} held`);
  say(`  ${spared} of those held had left: each would have been a copy; ${copies} copies`);
  for (const violation of violations.slice(0, SHOWN)) say(`  VIOLATION ${violation}`);
  say(violations.length === 0 ? '  no violation' : `  ${violations.length} violations`);
}

await runProgram(main);

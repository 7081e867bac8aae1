import { builtPrograms } from '../harness/paths.ts';
import { startPostgres } from '../harness/postgres.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import type { HistoryVerdict } from './audit-history.ts';
import { type HistoryLoss, runHistoryChaos } from './run-history-chaos.ts';

const LOSSES: readonly HistoryLoss[] = ['restore_dump', 'restore_backup', 'failover'];

export interface LossSpec {
  /** How often each loss is tried. */
  readonly times: number;
  /** How long messages come before the backup, and from it to the loss. */
  readonly seconds: number;
  /** Leaves the logs behind, and says where. */
  readonly keep: boolean;
  readonly say: (line: string) => void;
}

/** What became of one loss. */
export interface LossResult extends HistoryVerdict {
  readonly loss: HistoryLoss;
}

/** Takes the database back in time in each way, on a separate PostgreSQL, and reports the result. */
export async function tryLosses(spec: LossSpec): Promise<readonly LossResult[]> {
  const results: LossResult[] = [];
  for (let time = 0; time < spec.times; time += 1)
    for (const loss of LOSSES) {
      const result = { loss, ...(await tryLoss(loss, spec)) };
      report(result, spec.say);
      results.push(result);
    }
  return results;
}

async function tryLoss(loss: HistoryLoss, { seconds, keep, say }: LossSpec): Promise<HistoryVerdict> {
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

function report({ loss, counts, violations }: LossResult, say: LossSpec['say']): void {
  const { accepted, lost, held, spared, copies } = counts;
  say(`${loss}: ${accepted} accepted, ${lost} lost with the database, ${held} held`);
  say(`  ${spared} of those held had left: each would have been a copy; ${copies} copies`);
  for (const violation of violations.slice(0, SHOWN)) say(`  VIOLATION ${violation}`);
  say(violations.length === 0 ? '  no violation' : `  ${violations.length} violations`);
}

import { type Patch, patchServer } from '../../harness/patched-server.ts';
import { builtPrograms } from '../../harness/paths.ts';
import { makeWorkspace } from '../../harness/workspace.ts';
import type { ViolationKind } from '../evidence.ts';
import { type Fault, LATE_STATUS_DELAYS } from '../plan.ts';
import { runChaos } from '../run-chaos.ts';

/** Boot, one round and the way to rest take about 15 s on two busy cores; against hanging only. */
export const PROOF_TIMEOUT_MS = 300_000;
const SEED = 5;

/** What a short chaos found. */
export interface Proof {
  readonly accepted: number;
  readonly kinds: readonly ViolationKind[];
  /** The same in words. */
  readonly violations: readonly string[];
}

/** One round on the embedded database with a copy of the built server that lacks the patched guards; none: the whole one. */
export async function proveWith(patches: readonly Patch[], faults: readonly Fault[]): Promise<Proof> {
  const workspace = makeWorkspace();
  try {
    const programs = patches.length === 0 ? builtPrograms() : patchServer(builtPrograms(), workspace.folder, patches);
    const spec = {
      programs,
      database: 'pglite',
      postgres: null,
      rounds: 1,
      seed: SEED,
      auditEvery: 1,
      keep: false,
      faults,
      statusDelays: LATE_STATUS_DELAYS,
    } as const;
    const { report } = await runChaos({ ...spec, say: () => undefined });
    return {
      accepted: report.counts.accepted,
      kinds: report.violations.map(({ kind }) => kind),
      violations: report.violations.map(({ what }) => what),
    };
  } finally {
    await workspace.close();
  }
}

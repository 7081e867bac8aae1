import { patchServer } from '../../harness/patched-server.ts';
import { builtPrograms } from '../../harness/paths.ts';
import { makeWorkspace } from '../../harness/workspace.ts';
import type { Violation } from '../evidence.ts';
import { LATE_STATUS_DELAYS } from '../network-chaos.ts';
import { runChaos } from '../run-chaos.ts';
import { type Variant, variants } from './variants.ts';

const SEED = 5;

/** A server, and what the audit must say of it; null: nothing. */
export interface Proof extends Omit<Variant, 'expected'> {
  readonly expected: Variant['expected'] | null;
}

/** Every variant that lacks a guard, and the whole server. */
export const PROOFS: readonly Proof[] = [
  ...variants,
  { name: 'every guard in place', patches: [], expected: null, faults: ['kill_server'] },
];

/** What a short chaos found. */
export interface Finding {
  readonly accepted: number;
  readonly violations: readonly Violation[];
}

/** One round on the embedded database with a copy of the built server, patched. */
export async function proveWith({ patches, faults }: Proof): Promise<Finding> {
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
    return { accepted: report.counts.accepted, violations: report.violations };
  } finally {
    await workspace.close();
  }
}

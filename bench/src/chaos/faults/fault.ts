import type { DatabaseKind } from '../../harness/stage.ts';
import type { Random } from '../../random.ts';
import type { Arena } from '../arena.ts';

/** Undoes what was inflicted. The recovery is measured from its start. */
export type Repair = () => Promise<void>;

/** One fault of a round. */
export interface FaultAction {
  readonly databases: readonly DatabaseKind[];
  /** Milliseconds between the fault and its repair. */
  readonly lasts: (random: Random) => number;
  /** True: the neighbour of the loaded tenant must not feel it. */
  readonly isApart?: boolean;
  /** True: only a run that names it has it. A second cell takes connections and changes what the other faults meet. */
  readonly isNamedOnly?: boolean;
  /** True: the database must be on a separate disk, which takes the right to mount one. */
  readonly needsDisk?: boolean;
  readonly inflict: (arena: Arena, random: Random) => Promise<Repair>;
}

export const BOTH: readonly DatabaseKind[] = ['postgres', 'pglite'];
/** The embedded database allows one process and lives inside it: it has no connections, locks or processes to take away. */
export const POSTGRES: readonly DatabaseKind[] = ['postgres'];

/** What was hit comes back without help. */
export const NO_REPAIR: Repair = () => Promise.resolve();

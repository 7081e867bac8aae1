/** Whether there is work of some kinds that loops poll for, asked once for all loops of a process. */
export interface DueWork<Kind extends string> {
  /** @returns whether work of this kind may be due; true as well when the database cannot say */
  has(kind: Kind): Promise<boolean>;
  /** The same step, skipped while nothing of this kind is due. */
  gate(kind: Kind, step: () => Promise<unknown>): () => Promise<unknown>;
}

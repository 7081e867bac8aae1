import type { LedgerEntry } from '../chaos/evidence.ts';

/** A post and what it was answered. */
export interface Posted {
  readonly status: number;
  readonly id: string | null;
  /** True of those that came when the service had its database back. */
  readonly isAfter: boolean;
}

/** A message as the database has it in the end. */
export interface FinalRow {
  readonly messageId: string;
  readonly possibleDuplicate: boolean;
  readonly isHeld: boolean;
}

export interface HistoryEvidence {
  readonly posted: readonly Posted[];
  readonly ledger: readonly LedgerEntry[];
  readonly rows: readonly FinalRow[];
  /** Why each history of the database began. */
  readonly reasons: readonly string[];
}

export interface HistoryVerdict {
  readonly violations: readonly string[];
  readonly counts: {
    readonly accepted: number;
    /** Accepted before the loss, and not in the database any more. */
    readonly lost: number;
    readonly held: number;
    /** Held messages that the network has: each would have been a copy. */
    readonly spared: number;
    readonly copies: number;
  };
}

/** Of what left, so many may be copies. */
const COPIES_ALLOWED = 0.01;

/** What a restore or a failover may cost: messages of the lost time, and hardly a copy, none of them unmarked. A pure function. */
export function auditHistory({ posted, ledger, rows, reasons }: HistoryEvidence): HistoryVerdict {
  const accepts = new Map<string, number>();
  for (const { messageId } of ledger) if (messageId !== null) accepts.set(messageId, (accepts.get(messageId) ?? 0) + 1);
  const rowOf = new Map(rows.map((row) => [row.messageId, row]));
  const accepted = posted.flatMap(({ status, id, isAfter }) =>
    status === 202 && id !== null ? [{ id, isAfter }] : [],
  );
  const copied = [...accepts].filter(([, count]) => count > 1).map(([id]) => id);
  const held = rows.filter(({ isHeld }) => isHeld);
  const violations = [
    ...copied
      .filter((id) => rowOf.get(id)?.possibleDuplicate !== true)
      .map((id) => `${id} left ${accepts.get(id)} times, and nothing says that it may be a duplicate.`),
    ...accepted
      .filter(({ id, isAfter }) => isAfter && accepts.get(id) !== 1)
      .map(({ id }) => `${id} was accepted afterwards and left ${accepts.get(id) ?? 0} times.`),
  ];
  if (copied.length > COPIES_ALLOWED * accepts.size)
    violations.push(`${copied.length} of ${accepts.size} messages left more than once.`);
  if (reasons.length < 2) violations.push('The service did not notice that the database went back.');
  const lost = accepted.filter(({ id }) => !rowOf.has(id)).length;
  if (lost === 0 || held.length === 0)
    violations.push('No message was lost, or none held: nothing was put to the test.');
  const counts = {
    accepted: accepted.length,
    lost,
    held: held.length,
    spared: held.filter(({ messageId }) => accepts.has(messageId)).length,
    copies: copied.length,
  };
  return { violations, counts };
}

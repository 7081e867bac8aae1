import type { ChainedEntry } from '#access/domain/audit-chain';
import { claimUnforwarded, markForwarded, readChain } from '#access/store/audit-chain';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Hands entries of one tenant, in the order of its chain, to a log server. Rejects when it may not have taken them. */
export type SendToLogServer = (entries: readonly ChainedEntry[]) => Promise<void>;

/** Entries of one exchange. */
const AT_ONCE = 500;
/** Longer than an exchange takes. A process that dies leaves its chain to others after this time. */
const HOLD_MS = 60_000;
/** How long a process leaves a log server alone that did not take what it was sent. */
export const REST_MS = 10_000;

export interface ForwardDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly send: SendToLogServer;
}

/**
 * Makes the step that forwards the audit log: it sends the next entries of one chain and stores how far the log server has come.
 * What it may not have taken is sent again, so that it gets each entry at least once. A failure is logged, never thrown.
 * @returns the step; it resolves with the number of entries, 0 when there are none or the log server is left alone
 */
export function makeAuditForwarder(parts: ForwardDeps): () => Promise<number> {
  const { clock, log } = parts.rt;
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.monotonic() < restsUntilMs) return 0;
    try {
      return await forwardNext(parts);
    } catch (error) {
      restsUntilMs = clock.monotonic() + REST_MS;
      log.warn({ error: (error as Error).message }, 'audit.forward_failed');
      return 0;
    }
  };
}

async function forwardNext({ rt: { clock }, db, send }: ForwardDeps): Promise<number> {
  const nowMs = clock.now();
  const chain = await claimUnforwarded(db, { nowMs, untilMs: nowMs + HOLD_MS });
  if (chain === null) return 0;
  const { tenantId, forwardedSeq: afterSeq } = chain;
  let forwardedSeq = afterSeq;
  try {
    const seals = await readChain(db, tenantId, { afterSeq, limit: AT_ONCE });
    await send(seals.flatMap(({ seq, hash, entry }) => (entry === null ? [] : [{ seq, hash, entry }])));
    // Seals that were removed by hand cannot be forwarded: the missing numbers show it.
    forwardedSeq = seals.at(-1)?.seq ?? chain.seq;
  } finally {
    await markForwarded(db, { tenantId, forwardedSeq }, clock.now());
  }
  return forwardedSeq - afterSeq;
}

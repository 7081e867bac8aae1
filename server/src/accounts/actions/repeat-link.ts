import { findLinkedAccount, type LinkedAccount, takeLinkedAccount } from '#accounts/store/linked-accounts';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { LinkDeps } from './link-deps.ts';
import { RUN_MS } from './link-run.ts';
import { runLink } from './run-link.ts';

export interface RepeatLink extends Requester {
  readonly accountId: string;
}

/**
 * Runs again the unfinished steps of an account, finds new numbers, and reads the state of the known ones.
 * @throws ApiProblem not_found, conflict when it has no token, was replaced, or steps of it are being run
 */
export async function repeatLink(parts: LinkDeps, { tenantId, accountId, origin }: RepeatLink): Promise<LinkedAccount> {
  const { rt, db } = parts;
  const nowMs = rt.clock.now();
  const taken = await db.transaction(async (tx) => {
    const known = await findLinkedAccount(tx, tenantId, accountId);
    if (known === null) throw new ApiProblem('not_found');
    const run = { runId: rt.newId<string>(), runUntilMs: nowMs + RUN_MS };
    const account = await takeLinkedAccount(tx, { tenantId, accountId: known.accountId, ...run, nowMs });
    if (account === null) throw new ApiProblem('conflict', { sentence: whyNot(known, nowMs) });
    return account;
  });
  return runLink(parts, { account: taken, origin, grant: null });
}

function whyNot({ replacedMs, runUntilMs }: LinkedAccount, nowMs: number): string {
  if (replacedMs !== null) return 'This account was replaced by a later link.';
  if (runUntilMs > nowMs) return 'The steps of this account are already running.';
  return 'This link did not produce an access token. Open the dialog again.';
}

import { ApiProblem } from '#core/errors';
import { claimStaleAccounts, type StaleAccount } from '#templates/store/template-accounts';
import { syncTemplates } from './sync-templates.ts';
import type { TemplateDeps } from './template-deps.ts';

/**
 * A list is left alone for so long after it was read, automatically or by a person: callbacks report nearly everything
 * immediately.
 */
export const TEMPLATES_STALE_MS = 6 * 60 * 60_000;
/** Accounts of one look; each is a list of pages at the network. */
const AT_ONCE = 20;

/** How many accounts were read, and how many templates had changed without our hearing of it. */
export interface ReconciledTemplates {
  readonly accounts: number;
  readonly changed: number;
}

/**
 * Reads the lists of accounts that were not read for long, in case a callback got lost. A claim makes one process read
 * an account; an account that cannot be read is left alone for as long as any other.
 */
export async function reconcileTemplates(
  parts: TemplateDeps,
  staleMs: number = TEMPLATES_STALE_MS,
): Promise<ReconciledTemplates> {
  const nowMs = parts.rt.clock.now();
  const stale = await claimStaleAccounts(parts.db, { beforeMs: nowMs - staleMs, nowMs, limit: AT_ONCE });
  let changed = 0;
  for (const account of stale) changed += await readAccount(parts, account);
  return { accounts: stale.length, changed };
}

async function readAccount(parts: TemplateDeps, { tenantId, networkAccountId }: StaleAccount): Promise<number> {
  const about = { tenantId, networkAccountId };
  try {
    const [read] = await syncTemplates(parts, tenantId, networkAccountId);
    if (read === undefined) return 0;
    const { added, updated, deleted, error } = read;
    if (error !== null) parts.rt.log.warn({ ...about, error }, 'templates.not_read');
    return added + updated + deleted;
  } catch (error) {
    // The tenant has lost the account since: what it had of it stays as it was.
    if (!(error instanceof ApiProblem)) throw error;
    parts.rt.log.info({ ...about, error: error.message }, 'templates.not_read');
    return 0;
  }
}

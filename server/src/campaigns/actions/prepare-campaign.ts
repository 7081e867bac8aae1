import type { Campaign } from '#campaigns/domain/campaign';
import { advanceAudience, findMembers } from '#campaigns/store/campaign-audience';
import { addRecipients } from '#campaigns/store/campaign-recipients';
import { findCampaign, lockCampaign } from '#campaigns/store/campaigns';
import { readContactCondition } from '#contacts/actions/contact-condition';
import type { Condition } from '#core/conditions/condition';
import { ApiProblem } from '#core/errors';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { MAX_RECIPIENTS } from './manage-campaigns.ts';
import { moveCampaign } from './move-campaign.ts';

interface PrepareDeps {
  readonly rt: Runtime;
  readonly db: Database;
}

/** Members of one transaction: the lock of the campaign is held so long. */
export const PORTION_MEMBERS = 1_000;
/** Portions of one step, so that other campaigns have their turn. */
const PORTIONS_AT_ONCE = 20;

/**
 * Takes members of the audience in, a portion per transaction together with its place: a kill leaves each done or undone as
 * a whole. Behind the last one the campaign runs.
 * @param leaseMs for how long the campaign is this process's from each portion on
 */
export async function prepareCampaign({ rt, db }: PrepareDeps, campaign: Campaign, leaseMs: number): Promise<void> {
  const condition = await conditionOf({ rt, db }, campaign);
  if (condition === null) return;
  for (let portion = 1; portion <= PORTIONS_AT_ONCE; portion += 1) {
    const dueMs = rt.clock.now() + (portion === PORTIONS_AT_ONCE ? 0 : leaseMs);
    if (!(await addAudiencePortion({ rt, db }, campaign, { condition, dueMs }))) return;
  }
}

/** The condition; null when it is none any more, and the campaign is paused for that. */
async function conditionOf(parts: PrepareDeps, campaign: Campaign): Promise<Condition | null> {
  const { tenantId, audience } = campaign;
  try {
    return await readContactCondition(parts.db, tenantId, { input: audience?.condition, path: 'audience' });
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    await moveOn(parts, campaign, { move: 'pause', pauseReason: `The audience cannot be read: ${error.message}` });
    return null;
  }
}

/** @returns whether more may follow */
async function addAudiencePortion(
  { rt, db }: PrepareDeps,
  { tenantId, campaignId }: Campaign,
  { condition, dueMs }: { readonly condition: Condition; readonly dueMs: number },
): Promise<boolean> {
  const nowMs = rt.clock.now();
  const found = await findCampaign(db, tenantId, campaignId);
  if (found?.status !== 'preparing') return false;
  const { cursor, asOfMs } = found.progress;
  const query = { tenantId, condition, asOfMs: asOfMs ?? nowMs, after: cursor, limit: PORTION_MEMBERS };
  const members = await findMembers(db, query);
  return withEvents(rt, db, async (tx, events) => {
    const campaign = await lockCampaign(tx, tenantId, campaignId);
    if (campaign?.status !== 'preparing') return false;
    // Another process has done these members.
    if (campaign.progress.cursor !== cursor) return true;
    const phones = members.flatMap(({ recipient }) => (recipient === null ? [] : [recipient]));
    const fitting = [...new Set(phones)].slice(0, MAX_RECIPIENTS - campaign.total);
    if (fitting.length > 0)
      await addRecipients(
        tx,
        campaign,
        fitting.map((phone) => ({ phone, variables: null })),
      );
    const pending = members.length === PORTION_MEMBERS;
    const leftOut = members.length - phones.length + Math.max(0, phones.length - fitting.length);
    await advanceAudience(tx, campaign, { cursor: members.at(-1)?.contactId ?? null, leftOut, pending, dueMs, nowMs });
    if (pending) return true;
    const taken = (await lockCampaign(tx, tenantId, campaignId)) ?? campaign;
    await moveCampaign(rt, tx, events, { campaign: taken, move: 'start', pauseReason: null });
    return false;
  });
}

async function moveOn(
  { rt, db }: PrepareDeps,
  { tenantId, campaignId }: Campaign,
  move: { readonly move: 'pause'; readonly pauseReason: string },
): Promise<void> {
  await withEvents(rt, db, async (tx, events) => {
    const campaign = await lockCampaign(tx, tenantId, campaignId);
    if (campaign?.status === 'preparing') await moveCampaign(rt, tx, events, { campaign, ...move });
  });
}

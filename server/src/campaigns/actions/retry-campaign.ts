import { audit } from '#access/actions/audit';
import type { Campaign } from '#campaigns/domain/campaign';
import { putBackEnded } from '#campaigns/store/campaign-results';
import { ApiProblem } from '#core/errors';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { type CampaignRequest, requireCampaign } from './manage-campaigns.ts';
import { moveCampaign } from './move-campaign.ts';

/** The recipients to send to again. */
export interface RetryInput {
  readonly scope: 'failed' | 'skipped' | 'failed_and_skipped';
  /** Only those with one of these reasons; null: all but `NOT_BY_ITSELF`. */
  readonly codes: readonly string[] | null;
}

/** Sent to again only when the code is named: the first message may have arrived, or its recipient wants none. */
const NOT_BY_ITSELF = [
  'delivery_unknown',
  'contact_opted_out',
  'contact_blocked',
  'recipient_opted_out',
  'recipient_blocked',
] as const;

/** Recipients of one transaction: the lock of the campaign is held so long. */
const PORTION = 5_000;

/**
 * Sets recipients to waiting again, and the campaign to running. A kill on the way leaves some waiting in a campaign
 * that does not run; the same request continues there.
 * @returns the campaign, and how many wait again
 * @throws ApiProblem not_found, precondition_failed, campaign_state
 */
export async function retryCampaign(
  rt: Runtime,
  db: Database,
  request: CampaignRequest,
  wish: RetryInput,
): Promise<{ readonly campaign: Campaign; readonly retried: number }> {
  let retried = 0;
  let versions = request.versions;
  for (let last = PORTION; last === PORTION; retried += last) {
    last = await putBack(db, { ...request, versions }, wish);
    versions = null;
  }
  const campaign = await withEvents(rt, db, async (tx, events) => {
    const before = await requireEnded(await requireCampaign(tx, { ...request, versions }));
    if (before.total === before.accepted + before.skipped) return before;
    const move = before.status === 'paused' ? 'resume' : 'retry';
    const after = await moveCampaign(rt, tx, events, { campaign: before, move, pauseReason: null });
    const { tenantId, origin, campaignId } = request;
    const details = { scope: wish.scope, retried };
    await audit(rt, tx, { tenantId, origin, action: 'campaign.retried', targetId: campaignId, details });
    return after;
  });
  return { campaign, retried };
}

function putBack(db: Database, request: CampaignRequest, { scope, codes }: RetryInput): Promise<number> {
  return db.transaction(async (tx) => {
    const { tenantId, campaignId } = await requireEnded(await requireCampaign(tx, request));
    const statuses = scope === 'failed_and_skipped' ? (['failed', 'skipped'] as const) : ([scope] as const);
    return putBackEnded(tx, { tenantId, campaignId, statuses, codes, except: NOT_BY_ITSELF, limit: PORTION });
  });
}

/**
 * Only a campaign that is not running can be retried: nothing takes recipients meanwhile. @throws ApiProblem
 * campaign_state
 */
function requireEnded(campaign: Campaign): Campaign {
  const { status, progress } = campaign;
  if (status === 'completed' || (status === 'paused' && !progress.pending)) return campaign;
  const sentence = `The campaign is ${status}. Only a campaign that is completed or paused can be retried.`;
  throw new ApiProblem('campaign_state', { sentence });
}

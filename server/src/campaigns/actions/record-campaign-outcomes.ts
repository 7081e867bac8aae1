import type { Campaign } from '#campaigns/domain/campaign';
import { breakerReason, isBad, noteOutcomes } from '#campaigns/domain/campaign-breaker';
import { type NotedOutcome, noteProgress, noteResults } from '#campaigns/store/campaign-results';
import { lockCampaign } from '#campaigns/store/campaigns';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import type { CampaignOutcomes } from './campaign-outcome-feed.ts';
import { moveCampaign } from './move-campaign.ts';

interface FollowDeps {
  readonly rt: Runtime;
  readonly db: Database;
}

/** How far the place among the events may lag behind when none of them was about the campaign. */
const LAG = 500;

/**
 * Records what became of the messages of a campaign, as the tenant's events say: whether they left, failed, or failed
 * after they had left. A running campaign is paused when too many fail, and ends when every recipient has an outcome.
 */
export async function recordCampaignOutcomes(
  { rt, db }: FollowDeps,
  key: Campaign,
  { outcomes, upTo }: CampaignOutcomes,
): Promise<void> {
  const { tenantId, campaignId, eventSeq } = key;
  if (outcomes.length === 0 && upTo - eventSeq < LAG && !needsConclusion(key)) return;
  await withEvents(rt, db, async (tx, events) => {
    const campaign = await lockCampaign(tx, tenantId, campaignId);
    // Another process has read these events.
    if (campaign === null || campaign.eventSeq !== eventSeq) return;
    const noted = await noteResults(tx, campaign, outcomes);
    const recent = recentWith(campaign, noted);
    await noteProgress(tx, campaign, { eventSeq: upTo, recent });
    await conclude(rt, tx, events, campaign);
  });
}

function recentWith({ recent, breaker }: Campaign, noted: readonly NotedOutcome[]): string {
  if (breaker === null) return recent;
  const outcomes = noted.map(({ status, reason }) => ({
    bad: reason !== null && isBad(codeOf(reason)),
    late: status === 'sent' || status === 'failed',
  }));
  return noteOutcomes(recent, outcomes, breaker.of);
}

function codeOf(reason: string): string {
  return String((JSON.parse(reason) as { readonly code: unknown }).code);
}

/** Whether a running campaign may have to end or to pause. */
function needsConclusion({ status, total, accepted, skipped, sent, failed, recent, breaker }: Campaign): boolean {
  if (status !== 'running') return false;
  return (total === accepted + skipped && accepted === sent + failed) || breakerReason(recent, breaker) !== null;
}

/** Pauses a running campaign of which too much fails, and ends one that has no recipient left without an outcome. */
async function conclude(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  { tenantId, campaignId }: Campaign,
): Promise<void> {
  const campaign = await lockCampaign(tx, tenantId, campaignId);
  if (campaign === null || !needsConclusion(campaign)) return;
  const isDone = campaign.total === campaign.accepted + campaign.skipped;
  const done = isDone && campaign.accepted === campaign.sent + campaign.failed;
  const pauseReason = done ? null : breakerReason(campaign.recent, campaign.breaker);
  await moveCampaign(rt, tx, events, { campaign, move: done ? 'complete' : 'pause', pauseReason });
}

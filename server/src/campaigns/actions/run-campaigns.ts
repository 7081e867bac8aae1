import type { Campaign } from '#campaigns/domain/campaign';
import { claimCampaigns, findCampaign, lockCampaign, setCampaignDue, wakeCampaigns } from '#campaigns/store/campaigns';
import { ApiProblem } from '#core/errors';
import { withEvents } from '#events/actions/with-events';
import type { CampaignOutcomeFeed, CampaignOutcomes, OutcomeRound } from './campaign-outcome-feed.ts';
import { cancelQueuedMessages, currentAudience, dueOf, moveCampaign } from './move-campaign.ts';
import { prepareCampaign } from './prepare-campaign.ts';
import { recordCampaignOutcomes } from './record-campaign-outcomes.ts';
import { type SendDeps, sendNext } from './send-campaign.ts';

export interface CampaignDeps extends SendDeps {
  readonly outcomeFeed: CampaignOutcomeFeed;
}

const CAMPAIGNS_AT_ONCE = 20;
/**
 * After a process was killed during a step, another one continues after this time. A step that takes longer has no ill
 * effect.
 */
const STEP_LIMIT_MS = 5_000;
/** Between two steps of a campaign. */
const STEP_MS = 250;
/** The same once all its messages are queued, when no event wakes it: commits of other processes may be missed. */
const WAIT_MS = 2_000;

/** One step of every campaign that is due. @returns how many there were */
export async function runCampaigns(parts: CampaignDeps): Promise<number> {
  const nowMs = parts.rt.clock.now();
  const round = parts.outcomeFeed.round(parts.db);
  for (const { tenantId, names } of await round.newlyReported()) {
    if (names.length > 0) await wakeCampaigns(parts.db, { tenantId, names, nowMs, withinMs: WAIT_MS });
  }
  const claim = { nowMs, untilMs: nowMs + STEP_LIMIT_MS, limit: CAMPAIGNS_AT_ONCE };
  const due = await claimCampaigns(parts.db, claim);
  const outcomesOf = readerOf(round, due);
  await Promise.all(due.map((campaign) => stepApart({ ...parts, outcomesOf }, campaign)));
  return due.length;
}

/** What a step needs. */
interface StepDeps extends SendDeps {
  readonly outcomesOf: (campaign: Campaign) => Promise<CampaignOutcomes>;
}

function readerOf(round: OutcomeRound, due: readonly Campaign[]): StepDeps['outcomesOf'] {
  // Those that only record outcomes may be far behind, and would delay the others.
  const running = due.filter(({ status }) => status === 'running');
  return (campaign) => round.outcomesFor(campaign, running);
}

/** A campaign whose step fails delays no other; the step is repeated when its limit is over. */
async function stepApart(parts: StepDeps, campaign: Campaign): Promise<void> {
  const { tenantId, campaignId } = campaign;
  try {
    await stepCampaign(parts, campaign);
  } catch (error) {
    parts.rt.log.warn({ tenantId, campaignId, error: (error as Error).message }, 'campaign.step_failed');
  }
}

async function stepCampaign(parts: StepDeps, campaign: Campaign): Promise<void> {
  switch (campaign.status) {
    case 'scheduled':
      return begin(parts, campaign);
    case 'preparing':
      return prepareCampaign(parts, campaign, STEP_LIMIT_MS);
    case 'running':
      return run(parts, campaign);
    default:
      await recordCampaignOutcomes(parts, campaign, await parts.outcomesOf(campaign));
      return setCampaignDue(parts.db, campaign, dueOf(campaign, parts.rt.clock.now()));
  }
}

/** What became of messages that left first: it decides whether more may. */
async function run(parts: StepDeps, campaign: Campaign): Promise<void> {
  const { rt, db } = parts;
  await recordCampaignOutcomes(parts, campaign, await parts.outcomesOf(campaign));
  await sendNext(parts, campaign);
  const now = await findCampaign(db, campaign.tenantId, campaign.campaignId);
  if (now?.status === 'canceled') return cancelQueuedMessages(rt, db, now);
  const allQueued = now !== null && now.total === now.accepted + now.skipped;
  await setCampaignDue(db, campaign, rt.clock.now() + (allQueued ? WAIT_MS : STEP_MS));
}

/** Its time has come. Its segment is taken as it now is; one that is gone, as it was when the campaign was scheduled. */
async function begin({ rt, db }: SendDeps, { tenantId, campaignId }: Campaign): Promise<void> {
  await withEvents(rt, db, async (tx, events) => {
    const found = await lockCampaign(tx, tenantId, campaignId);
    if (found?.status !== 'scheduled') return;
    const { audience } = found;
    const renewed = audience === null ? null : await currentAudience(tx, tenantId, audience).catch(lastKnown);
    const campaign = { ...found, audience: renewed ?? audience };
    await moveCampaign(rt, tx, events, { campaign, move: audience === null ? 'start' : 'prepare', pauseReason: null });
  });
}

function lastKnown(error: unknown): null {
  if (error instanceof ApiProblem) return null;
  throw error;
}

import { audit } from '#access/actions/audit';
import { type Audience, CAMPAIGN_MOVES, type Campaign, type CampaignMove } from '#campaigns/domain/campaign';
import { findStillQueued } from '#campaigns/store/campaign-recipients';
import { findCampaign, updateCampaign } from '#campaigns/store/campaigns';
import { readContactCondition } from '#contacts/actions/contact-condition';
import { countContacts } from '#contacts/store/contact-lists';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, SqlRunner, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { EventType } from '#events/domain/event';
import { lastSequence } from '#events/store/events';
import { cancelMessage } from '#messages/actions/cancel-message';
import type { Runtime } from '#runtime/runtime';
import { type CampaignRequest, MAX_RECIPIENTS, requireCampaign, segmentAudience } from './manage-campaigns.ts';

/** Moves that people make. */
export type CampaignCommand = 'start' | 'pause' | 'resume' | 'cancel';

const EVENTS: Readonly<Partial<Record<CampaignMove, EventType>>> = {
  start: 'campaign.started',
  pause: 'campaign.paused',
  resume: 'campaign.resumed',
  retry: 'campaign.resumed',
  complete: 'campaign.completed',
  cancel: 'campaign.canceled',
};

/**
 * Starts, pauses, resumes or cancels a campaign. From the start on its recipients and its template stay as they are.
 * @throws ApiProblem not_found, precondition_failed, campaign_state, campaign_empty, campaign_full, unknown_segment
 */
export async function commandCampaign(
  rt: Runtime,
  db: Database,
  request: CampaignRequest,
  command: CampaignCommand,
): Promise<Campaign> {
  if (command === 'start') await checkSize(rt, db, request);
  const campaign = await withEvents(rt, db, async (tx, events) => {
    const found = await requireCampaign(tx, request);
    const before = command === 'start' ? await readyToStart(tx, found) : found;
    const move = moveOf(before, command, rt.clock.now());
    const pauseReason = move === 'pause' ? 'Paused through the API.' : null;
    const after = await moveCampaign(rt, tx, events, { campaign: before, move, pauseReason });
    const { tenantId, origin, campaignId } = request;
    const action = `campaign.${PAST[move]}` as const;
    await audit(rt, tx, { tenantId, origin, action, targetId: campaignId, details: {} });
    return after;
  });
  if (command === 'cancel') await cancelQueuedMessages(rt, db, campaign);
  return campaign;
}

/** The effect of a command: a start may be in the future, and members of an audience are added first. */
function moveOf(campaign: Campaign, command: CampaignCommand, nowMs: number): CampaignCommand | 'schedule' | 'prepare' {
  if (command === 'start' && (campaign.sendAtMs ?? 0) > nowMs) return 'schedule';
  if ((command === 'start' && campaign.audience !== null) || (command === 'resume' && campaign.progress.pending)) {
    return CAMPAIGN_MOVES.prepare.from.includes(campaign.status) ? 'prepare' : command;
  }
  return command;
}

/** @throws ApiProblem campaign_full, unknown_segment */
async function checkSize(rt: Runtime, db: Database, { tenantId, campaignId }: CampaignRequest): Promise<void> {
  const campaign = await findCampaign(db, tenantId, campaignId);
  if (campaign === null || campaign.audience === null || campaign.status !== 'draft') return;
  const { condition: input } = await currentAudience(db, tenantId, campaign.audience);
  const condition = await readContactCondition(db, tenantId, { input, path: 'audience' });
  const members = await countContacts(db, { tenantId, filter: { condition }, nowMs: rt.clock.now() });
  if (campaign.total + members > MAX_RECIPIENTS) throw new ApiProblem('campaign_full');
}

/** A campaign with its segment as it now is. @throws ApiProblem campaign_empty, unknown_segment */
async function readyToStart(tx: Transaction, campaign: Campaign): Promise<Campaign> {
  const { tenantId, audience, total, status } = campaign;
  if (!CAMPAIGN_MOVES.start.from.includes(status)) return campaign;
  if (audience !== null) return { ...campaign, audience: await currentAudience(tx, tenantId, audience) };
  if (total === 0) throw new ApiProblem('campaign_empty');
  return campaign;
}

/** An audience with the condition that its segment has now. @throws ApiProblem unknown_segment */
export async function currentAudience(db: SqlRunner, tenantId: TenantId, audience: Audience): Promise<Audience> {
  return audience.segmentId === null ? audience : segmentAudience(db, tenantId, audience.segmentId);
}

const PAST = {
  schedule: 'scheduled',
  prepare: 'prepared',
  start: 'started',
  pause: 'paused',
  resume: 'resumed',
  retry: 'retried',
  complete: 'completed',
  cancel: 'canceled',
} as const satisfies Readonly<Record<CampaignMove, string>>;

export interface MoveCampaign {
  /** Locked. */
  readonly campaign: Campaign;
  readonly move: CampaignMove;
  readonly pauseReason: string | null;
}

/** The one way in which the state of a campaign changes. @throws ApiProblem campaign_state */
export async function moveCampaign(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  { campaign, move, pauseReason }: MoveCampaign,
): Promise<Campaign> {
  const { from, to } = CAMPAIGN_MOVES[move];
  if (!from.includes(campaign.status)) {
    const sentence = `The campaign is ${campaign.status}. Only a campaign that is ${from.join(' or ')} can be ${PAST[move]}.`;
    throw new ApiProblem('campaign_state', { sentence });
  }
  const nowMs = rt.clock.now();
  const begins = campaign.startedMs === null && (to === 'running' || to === 'preparing');
  const changed: Campaign = {
    ...campaign,
    status: to,
    pauseReason,
    updatedMs: nowMs,
    startedMs: begins ? nowMs : campaign.startedMs,
    finishedMs: to === 'completed' || to === 'canceled' ? nowMs : null,
    // What failed before it was resumed is mended, or is found again soon enough.
    recent: to === 'running' ? '' : campaign.recent,
    eventSeq: begins ? await lastSequence(tx, campaign.tenantId) : campaign.eventSeq,
    progress:
      move === 'prepare' && campaign.progress.asOfMs === null
        ? { ...campaign.progress, pending: true, asOfMs: nowMs }
        : campaign.progress,
  };
  const after = await updateCampaign(tx, changed, dueOf(changed, nowMs));
  const type = EVENTS[move];
  if (type) events.add({ tenantId: campaign.tenantId, type, data: campaignData(after) });
  return after;
}

/** How long after its end a campaign still learns what became of its messages: reports come late, and few come later. */
const FOLLOW_FOR_MS = 3 * 86_400_000;
const FOLLOW_MS = 1_000;
const FOLLOW_SLOWLY_MS = 30_000;

/** When the next step of a campaign is due; null: there is none. */
export function dueOf({ status, sendAtMs, accepted, finishedMs }: Campaign, nowMs: number): number | null {
  if (status === 'scheduled') return sendAtMs;
  if (status === 'running' || status === 'preparing') return nowMs;
  if (status === 'draft' || accepted === 0) return null;
  const overMs = finishedMs === null ? 0 : nowMs - finishedMs;
  if (overMs > FOLLOW_FOR_MS) return null;
  return nowMs + Math.min(FOLLOW_SLOWLY_MS, FOLLOW_MS + Math.round(overMs / 10));
}

/** What events contain of a campaign. */
function campaignData(campaign: Campaign): JsonObject {
  const { campaignId, name, status, pauseReason, total, accepted, skipped, sent, failed } = campaign;
  return { id: campaignId, name, status, pause_reason: pauseReason, total, accepted, skipped, sent, failed };
}

/** Messages of one statement; a campaign is never further ahead of its number. */
const CANCEL_AT_ONCE = 500;

/** Messages of a canceled campaign that wait in the queue leave it; what is being sent is sent. */
export async function cancelQueuedMessages(rt: Runtime, db: Database, campaign: Campaign): Promise<void> {
  while (true) {
    const waiting = await findStillQueued(db, campaign, CANCEL_AT_ONCE);
    const outcomes: string[] = [];
    for (const messageId of waiting) outcomes.push((await cancelMessage(rt, db, campaign.tenantId, messageId)).kind);
    if (!outcomes.includes('canceled')) return;
  }
}

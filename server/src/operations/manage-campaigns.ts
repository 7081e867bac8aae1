import type { Origin } from '#core/audit';
import { CAMPAIGN_MOVES, type Campaign, type CampaignMove } from '#core/campaign';
import type { TemplateFields } from '#core/content/template';
import { ApiProblem } from '#core/errors';
import type { EventType } from '#core/event';
import type { CampaignId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Runtime } from '#runtime/runtime';
import { addRecipients, findStillQueued, type NewRecipient } from '#storage/campaign-recipients';
import { deleteCampaign, insertCampaign, lockCampaign, updateCampaign } from '#storage/campaigns';
import type { Database, SqlRunner } from '#storage/database';
import { audit } from './audit.ts';
import { cancelMessage } from './cancel-message.ts';
import type { NumberBook } from './number-book.ts';
import { type CheckParts, contentProblems } from './send-checks.ts';
import { type EventSink, withEvents } from './with-events.ts';

/** Most recipients of one campaign. */
export const MAX_RECIPIENTS = 1_000_000;

/** A request that changes a campaign. */
export interface CampaignRequest {
  readonly tenantId: TenantId;
  readonly campaignId: string;
  readonly origin: Origin;
  /** From If-Match; null: whatever the version is. */
  readonly versions: readonly number[] | null;
}

export interface CampaignWish {
  readonly name: string;
  readonly template: TemplateFields;
  readonly phoneNumberId: PhoneNumberId | null;
  readonly sendAtMs: number | null;
}

/**
 * What a campaign names must be the tenant's.
 * @throws ApiProblem unknown_phone_number, unknown_media, media_not_sendable
 */
export async function checkCampaign(
  parts: CheckParts & { readonly numbers: NumberBook },
  tenantId: TenantId,
  { template, phoneNumberId = null }: Partial<CampaignWish>,
): Promise<void> {
  if (phoneNumberId !== null) (await parts.numbers.of(tenantId)).choose(phoneNumberId);
  if (template === undefined) return;
  const [problem] = await contentProblems(parts, tenantId, { type: 'template', template });
  if (problem) throw problem;
}

/** A new draft, in the transaction of the caller; checkCampaign comes before it. */
export async function createCampaign(
  rt: Runtime,
  tx: SqlRunner,
  { tenantId, origin }: Pick<CampaignRequest, 'tenantId' | 'origin'>,
  wish: CampaignWish,
): Promise<Campaign> {
  const campaignId = rt.newId<CampaignId>();
  const fresh = { ...wish, tenantId, campaignId, createdMs: rt.clock.now() };
  await insertCampaign(tx, fresh);
  const details = { name: wish.name };
  await audit(rt, tx, { tenantId, origin, action: 'campaign.created', targetId: campaignId, details });
  return demand(await lockCampaign(tx, tenantId, campaignId));
}

/** Changes a draft. @throws ApiProblem not_found, precondition_failed, campaign_state */
export function changeCampaign(
  rt: Runtime,
  db: Database,
  request: CampaignRequest,
  wish: Partial<CampaignWish>,
): Promise<Campaign> {
  return db.transaction(async (tx) => {
    const before = await demandDraft(tx, request);
    const changed = await updateCampaign(tx, { ...before, ...wish, updatedMs: rt.clock.now() }, null);
    const { tenantId, origin, campaignId } = request;
    const details = { fields: Object.keys(wish) };
    await audit(rt, tx, { tenantId, origin, action: 'campaign.changed', targetId: campaignId, details });
    return changed;
  });
}

/** Deletes a draft with its recipients. @throws ApiProblem not_found, precondition_failed, campaign_state */
export function removeCampaign(rt: Runtime, db: Database, request: CampaignRequest): Promise<void> {
  return db.transaction(async (tx) => {
    const draft = await demandDraft(tx, request);
    await deleteCampaign(tx, draft);
    const { tenantId, origin, campaignId } = request;
    await audit(rt, tx, { tenantId, origin, action: 'campaign.deleted', targetId: campaignId, details: {} });
  });
}

export interface AddedRecipients {
  readonly added: number;
  /** Numbers that were there already, or came twice. */
  readonly duplicates: number;
  readonly total: number;
}

/** Adds recipients to a draft. @throws ApiProblem not_found, campaign_state, campaign_full */
export async function addCampaignRecipients(
  tx: SqlRunner,
  request: Omit<CampaignRequest, 'origin'>,
  recipients: readonly NewRecipient[],
): Promise<AddedRecipients> {
  const draft = await demandDraft(tx, request);
  const unique = [...new Map(recipients.map((recipient) => [recipient.phone, recipient])).values()];
  if (draft.total + unique.length > MAX_RECIPIENTS) throw new ApiProblem('campaign_full');
  const added = await addRecipients(tx, draft, unique);
  return { added, duplicates: recipients.length - added, total: draft.total + added };
}

/** Moves that people make. */
export type CampaignCommand = Exclude<CampaignMove, 'complete'>;

const EVENTS: Readonly<Partial<Record<CampaignMove, EventType>>> = {
  start: 'campaign.started',
  pause: 'campaign.paused',
  resume: 'campaign.resumed',
  complete: 'campaign.completed',
  cancel: 'campaign.canceled',
};

/**
 * Starts, pauses, resumes or cancels a campaign. From the start on its recipients and its template stay as they are.
 * @throws ApiProblem not_found, precondition_failed, campaign_state, campaign_empty
 */
export async function commandCampaign(
  rt: Runtime,
  db: Database,
  request: CampaignRequest,
  command: 'start' | 'pause' | 'resume' | 'cancel',
): Promise<Campaign> {
  const campaign = await withEvents(rt, db, async (tx, events) => {
    const before = await demandCampaign(tx, request);
    const later = command === 'start' && (before.sendAtMs ?? 0) > rt.clock.now();
    if (command === 'start' && before.total === 0) throw new ApiProblem('campaign_empty');
    const move = later ? 'schedule' : command;
    const pauseReason = move === 'pause' ? 'Paused over the API.' : null;
    const after = await moveCampaign(rt, tx, events, { campaign: before, move, pauseReason });
    const { tenantId, origin, campaignId } = request;
    await audit(rt, tx, {
      tenantId,
      origin,
      action: `campaign.${PAST[move]}` as const,
      targetId: campaignId,
      details: {},
    });
    return after;
  });
  if (command === 'cancel') await cancelQueuedMessages(rt, db, campaign);
  return campaign;
}

const PAST = {
  schedule: 'scheduled',
  start: 'started',
  pause: 'paused',
  resume: 'resumed',
  complete: 'completed',
  cancel: 'canceled',
} as const satisfies Readonly<Record<CampaignMove, string>>;

interface MoveCampaign {
  /** Locked. */
  readonly campaign: Campaign;
  readonly move: CampaignMove;
  readonly pauseReason: string | null;
}

/** The one way in which the state of a campaign changes. @throws ApiProblem campaign_state */
export async function moveCampaign(
  rt: Runtime,
  tx: SqlRunner,
  events: EventSink,
  { campaign, move, pauseReason }: MoveCampaign,
): Promise<Campaign> {
  const { from, to } = CAMPAIGN_MOVES[move];
  if (!from.includes(campaign.status)) {
    const sentence = `The campaign is ${campaign.status}; only one that is ${from.join(' or ')} can be ${PAST[move]}.`;
    throw new ApiProblem('campaign_state', { sentence });
  }
  const nowMs = rt.clock.now();
  const ended = to === 'completed' || to === 'canceled';
  const changed: Campaign = {
    ...campaign,
    status: to,
    pauseReason,
    updatedMs: nowMs,
    startedMs: campaign.startedMs ?? (to === 'running' ? nowMs : null),
    finishedMs: ended ? nowMs : null,
  };
  const after = await updateCampaign(tx, changed, dueOf(changed, nowMs));
  const type = EVENTS[move];
  if (type) events.add({ tenantId: campaign.tenantId, type, data: campaignData(after) });
  return after;
}

function dueOf({ status, sendAtMs }: Campaign, nowMs: number): number | null {
  if (status === 'scheduled') return sendAtMs;
  return status === 'running' ? nowMs : null;
}

/** What events tell of a campaign. */
function campaignData(campaign: Campaign): JsonObject {
  const { campaignId, name, status, pauseReason, total, accepted, skipped } = campaign;
  return { id: campaignId, name, status, pause_reason: pauseReason, total, accepted, skipped };
}

/** Messages of one statement; a campaign is never further ahead of its number. */
const CANCEL_AT_ONCE = 500;

/** Messages of a canceled campaign that wait in the queue leave it; what is being sent is sent. */
export async function cancelQueuedMessages(rt: Runtime, db: Database, campaign: Campaign): Promise<void> {
  while (true) {
    const waiting = await findStillQueued(db, campaign, CANCEL_AT_ONCE);
    const outcomes: string[] = [];
    for (const messageId of waiting) outcomes.push((await cancelMessage(rt, db, campaign.tenantId, messageId)).kind);
    if (!outcomes.includes('cancelled')) return;
  }
}

async function demandCampaign(tx: SqlRunner, request: Omit<CampaignRequest, 'origin'>): Promise<Campaign> {
  const { tenantId, campaignId, versions } = request;
  const campaign = await lockCampaign(tx, tenantId, campaignId);
  if (campaign === null) throw new ApiProblem('not_found');
  if (versions !== null && !versions.includes(campaign.version)) throw new ApiProblem('precondition_failed');
  return campaign;
}

async function demandDraft(tx: SqlRunner, request: Omit<CampaignRequest, 'origin'>): Promise<Campaign> {
  const campaign = await demandCampaign(tx, request);
  if (campaign.status === 'draft') return campaign;
  const sentence = `The campaign is ${campaign.status}; only a draft can be changed.`;
  throw new ApiProblem('campaign_state', { sentence });
}

function demand<T>(value: T | null): T {
  if (value === null) throw new Error('a locked campaign is gone');
  return value;
}

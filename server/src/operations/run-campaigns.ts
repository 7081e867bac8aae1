import { type Campaign, type CampaignRecipient, personalise, type SkipReason } from '#core/campaign';
import { type ApiErrorCode, ApiProblem } from '#core/errors';
import type { MessageId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import {
  findContactNames,
  listRecipients,
  putBackRecipients,
  type RecipientOutcome,
  settleRecipients,
  takeRecipients,
} from '#storage/campaign-recipients';
import { claimCampaigns, countQueuedAhead, findCampaign, lockCampaign, setCampaignDue } from '#storage/campaigns';
import type { Database } from '#storage/database';
import type { MessageAcceptor, SendRequest } from './accept-message.ts';
import { cancelQueuedMessages, moveCampaign } from './manage-campaigns.ts';
import type { NumberBook } from './number-book.ts';
import { withEvents } from './with-events.ts';

export interface CampaignParts {
  readonly rt: Runtime;
  readonly db: Database;
  readonly acceptor: Pick<MessageAcceptor, 'accept'>;
  readonly numbers: NumberBook;
}

const CAMPAIGNS_AT_ONCE = 20;
/** A process that was killed amid a step: another one goes on after this. */
const STEP_LIMIT_MS = 30_000;
/** Between two steps of a campaign. */
const STEP_MS = 250;
/**
 * A campaign is at most this far ahead of its number, in seconds of the number's speed: whoever pauses it, or opts out, is
 * followed by no more messages than that, and other messages of low priority wait no longer.
 */
const AHEAD_S = 2;
/** The same for a number without a limit. */
const AHEAD_UNLIMITED = 500;

/** One step of every campaign that is due. @returns how many there were */
export async function runCampaigns(parts: CampaignParts): Promise<number> {
  const nowMs = parts.rt.clock.now();
  const claim = { nowMs, untilMs: nowMs + STEP_LIMIT_MS, limit: CAMPAIGNS_AT_ONCE };
  const due = await claimCampaigns(parts.db, claim);
  await Promise.all(due.map((campaign) => stepCampaign(parts, campaign)));
  return due.length;
}

/**
 * Queues the next messages of a campaign. A recipient is taken together with the id of its message before that is
 * accepted, so that a step which was cut short is repeated with the same messages.
 */
async function stepCampaign(parts: CampaignParts, campaign: Campaign): Promise<void> {
  const { rt, db } = parts;
  if (campaign.status === 'scheduled') return begin(parts, campaign);
  const left = await listRecipients(db, {
    ...campaign,
    status: 'taken',
    afterPlace: -1,
    offset: 0,
    limit: AHEAD_UNLIMITED,
  });
  const recipients = left.length > 0 ? left : await take(parts, campaign);
  const outcomes = await sendTo(parts, campaign, recipients);
  await settle(parts, campaign, outcomes);
  const now = await findCampaign(db, campaign.tenantId, campaign.campaignId);
  if (now?.status === 'canceled') return cancelQueuedMessages(rt, db, now);
  await setCampaignDue(db, campaign, rt.clock.now() + STEP_MS);
}

async function begin({ rt, db }: CampaignParts, { tenantId, campaignId }: Campaign): Promise<void> {
  await withEvents(rt, db, async (tx, events) => {
    const campaign = await lockCampaign(tx, tenantId, campaignId);
    if (campaign?.status === 'scheduled')
      await moveCampaign(rt, tx, events, { campaign, move: 'start', pauseReason: null });
  });
}

/** As many as there is room for before the number. */
async function take({ rt, db, numbers }: CampaignParts, campaign: Campaign): Promise<readonly CampaignRecipient[]> {
  const { tenantId, campaignId } = campaign;
  const room = await roomAhead({ rt, db, numbers }, campaign);
  if (room === 0) return [];
  const messageIds = Array.from({ length: room }, () => rt.newId<MessageId>());
  return db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, tenantId, campaignId);
    return locked?.status === 'running' ? takeRecipients(tx, locked, messageIds) : [];
  });
}

async function roomAhead(
  { rt, db, numbers }: Pick<CampaignParts, 'rt' | 'db' | 'numbers'>,
  { tenantId, phoneNumberId }: Campaign,
): Promise<number> {
  const rate = rt.config.numberRate;
  const limit = rate === 0 ? AHEAD_UNLIMITED : Math.min(AHEAD_UNLIMITED, Math.max(1, rate * AHEAD_S));
  const chosen = await chosenNumber(numbers, tenantId, phoneNumberId);
  if (chosen === null) return limit;
  return limit - (await countQueuedAhead(db, { tenantId, phoneNumberId: chosen, limit }));
}

/** Null when there is none: the first message says why. */
async function chosenNumber(
  numbers: NumberBook,
  tenantId: Campaign['tenantId'],
  wanted: Campaign['phoneNumberId'],
): Promise<string | null> {
  try {
    return (await numbers.of(tenantId)).choose(wanted);
  } catch (error) {
    if (error instanceof ApiProblem) return null;
    throw error;
  }
}

/** What became of a recipient that was taken; `stop`: nobody can be sent to now, and this one waits again. */
type Outcome = RecipientOutcome | { readonly place: number; readonly stop: ApiProblem };

async function sendTo(
  parts: CampaignParts,
  campaign: Campaign,
  recipients: readonly CampaignRecipient[],
): Promise<readonly Outcome[]> {
  if (recipients.length === 0) return [];
  const phones = recipients.map((recipient) => recipient.phone);
  const names = await findContactNames(parts.db, campaign.tenantId, phones);
  const settled = await Promise.allSettled(
    recipients.map((recipient) => sendOne(parts, campaign, { recipient, name: names.get(recipient.phone) ?? '' })),
  );
  // What is not known (the database went away) stays taken, and is repeated with the same id.
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function sendOne(
  { acceptor }: CampaignParts,
  campaign: Campaign,
  { recipient, name }: { readonly recipient: CampaignRecipient; readonly name: string },
): Promise<Outcome> {
  const { place, phone, messageId, variables } = recipient;
  const made = personalise(campaign.template, { 'contact.name': name, ...variables });
  if ('missing' in made) {
    const message = `The recipient has no value for ${made.missing}, and the placeholder has no fallback.`;
    return { place, reason: { code: 'variable_missing', message } };
  }
  try {
    await acceptor.accept(campaign.tenantId, requestOf(campaign, { phone, messageId, template: made.template }), null);
    return { place, reason: null };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status >= 500) throw error;
    return STOPPING.has(error.code) ? { place, stop: error } : { place, reason: reasonOf(error) };
  }
}

/** Refusals that say nothing of the recipient: the campaign pauses, and goes on from here when it is resumed. */
const STOPPING: ReadonlySet<ApiErrorCode> = new Set([
  'no_sending_number',
  'unknown_phone_number',
  'subscription_inactive',
  'fair_use_exceeded',
  'insufficient_balance',
]);

function reasonOf({ code, message }: ApiProblem): SkipReason {
  return { code, message };
}

function requestOf(
  campaign: Campaign,
  { phone, messageId, template }: Pick<CampaignRecipient, 'phone' | 'messageId'> & Pick<Campaign, 'template'>,
): SendRequest {
  return {
    to: phone,
    content: { type: 'template', template },
    phoneNumberId: campaign.phoneNumberId,
    campaignName: campaign.name,
    clientRef: null,
    replyTo: null,
    resendOf: null,
    priority: 'bulk',
    sendAtMs: null,
    expiresMs: null,
    ttlS: null,
    ...(messageId === null ? {} : { messageId }),
  };
}

/** Notes the outcomes; ends the campaign when none is left, and pauses it when nobody can be sent to. */
async function settle({ rt, db }: CampaignParts, key: Campaign, outcomes: readonly Outcome[]): Promise<void> {
  const stops = outcomes.filter((outcome) => 'stop' in outcome);
  const known = outcomes.filter((outcome): outcome is RecipientOutcome => !('stop' in outcome));
  await withEvents(rt, db, async (tx, events) => {
    const campaign = await lockCampaign(tx, key.tenantId, key.campaignId);
    if (campaign === null) return;
    await putBackRecipients(
      tx,
      campaign,
      stops.map(({ place }) => place),
    );
    const done = await settleRecipients(tx, campaign, { outcomes: known, nowMs: rt.clock.now() });
    if (campaign.status !== 'running') return;
    const counted = (await lockCampaign(tx, key.tenantId, key.campaignId)) ?? campaign;
    const [stop] = stops;
    if (stop) {
      await moveCampaign(rt, tx, events, { campaign: counted, move: 'pause', pauseReason: stop.stop.message });
    } else if (done) {
      await moveCampaign(rt, tx, events, { campaign: counted, move: 'complete', pauseReason: null });
    }
  });
}

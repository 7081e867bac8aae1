import type { NumberCache } from '#accounts/actions/number-cache';
import {
  type Campaign,
  type CampaignRecipient,
  CONTACT_ERASED,
  ERASED_RECIPIENT,
  personalise,
  placeholdersOf,
  type SkipReason,
} from '#campaigns/domain/campaign';
import { isBad, noteOutcomes } from '#campaigns/domain/campaign-breaker';
import { type ContactValues, findContactValues, findSuppressed } from '#campaigns/store/campaign-audience';
import {
  findAccepted,
  findTaken,
  putBackRecipients,
  type RecipientOutcome,
  settleRecipients,
  takeRecipients,
} from '#campaigns/store/campaign-recipients';
import { noteProgress } from '#campaigns/store/campaign-results';
import { countQueuedAhead, lockCampaign } from '#campaigns/store/campaigns';
import { type ApiErrorCode, ApiProblem } from '#core/errors';
import type { MessageId, PhoneNumberId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { type MessageAcceptor, PLAIN_SEND, type SendRequest } from '#messages/actions/accept-message';
import type { Runtime } from '#runtime/runtime';
import { moveCampaign } from './move-campaign.ts';

export interface SendDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly acceptor: Pick<MessageAcceptor, 'accept'>;
  readonly numbers: NumberCache;
}

/**
 * A campaign is at most this far ahead of its number, in seconds of the number's speed: a pause or an opt-out is
 * followed by no more messages than that, and other messages of low priority wait no longer.
 */
const AHEAD_S = 2;
/** The same for a number without a limit. */
const AHEAD_UNLIMITED = 500;

/**
 * Queues the next messages of a campaign. A recipient is taken together with the id of its message before that is
 * accepted, so that a step which was cut short is repeated with the same messages.
 */
export async function sendNext(parts: SendDeps, campaign: Campaign): Promise<void> {
  const left = await findTaken(parts.db, campaign, AHEAD_UNLIMITED);
  const outcomes =
    left.length > 0 ? finish(parts, campaign, left) : sendTo(parts, campaign, await take(parts, campaign));
  await settle(parts, campaign, await outcomes);
}

/**
 * Continues with recipients that a step did not settle. A message that it had accepted counts, even if the recipient
 * has opted out or was erased in the meantime.
 */
async function finish(
  parts: SendDeps,
  campaign: Campaign,
  left: readonly CampaignRecipient[],
): Promise<readonly Outcome[]> {
  const messageIds = left.flatMap(({ messageId }) => messageId ?? []);
  const accepted = await findAccepted(parts.db, campaign.tenantId, messageIds);
  const isDone = ({ messageId }: CampaignRecipient) => messageId !== null && accepted.has(messageId);
  const done = left.filter(isDone).map(({ place }) => ({ place, reason: null }));
  const open = left.filter((recipient) => !isDone(recipient));
  return [...done, ...(await sendTo(parts, campaign, open))];
}

/** As many as there is room for before the number. */
async function take({ rt, db, numbers }: SendDeps, campaign: Campaign): Promise<readonly CampaignRecipient[]> {
  const { tenantId, campaignId } = campaign;
  const room = await roomAhead({ rt, db, numbers }, campaign);
  if (room <= 0) return [];
  const messageIds = Array.from({ length: room }, () => rt.newId<MessageId>());
  return db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, tenantId, campaignId);
    return locked?.status === 'running' ? takeRecipients(tx, locked, messageIds) : [];
  });
}

async function roomAhead(
  { rt, db, numbers }: Pick<SendDeps, 'rt' | 'db' | 'numbers'>,
  { tenantId, phoneNumberId }: Campaign,
): Promise<number> {
  const chosen = await chosenNumber(numbers, tenantId, phoneNumberId);
  const own = chosen === null ? null : (await numbers.of(tenantId)).find(chosen)?.ratePerSecond;
  const rate = own ?? rt.config.numberRate;
  const limit = rate === 0 ? AHEAD_UNLIMITED : Math.min(AHEAD_UNLIMITED, Math.max(1, rate * AHEAD_S));
  if (chosen === null) return limit;
  return limit - (await countQueuedAhead(db, { tenantId, phoneNumberId: chosen, limit }));
}

/** Null when there is none: the first message says why. */
export async function chosenNumber(
  numbers: NumberCache,
  tenantId: Campaign['tenantId'],
  wanted: Campaign['phoneNumberId'],
): Promise<PhoneNumberId | null> {
  try {
    return (await numbers.of(tenantId)).choose(wanted);
  } catch (error) {
    if (error instanceof ApiProblem) return null;
    throw error;
  }
}

/** The outcome of a recipient that was taken; `stop`: sending is impossible now, and this one waits again. */
type Outcome = RecipientOutcome | { readonly place: number; readonly stop: ApiProblem };

async function sendTo(
  parts: SendDeps,
  campaign: Campaign,
  recipients: readonly CampaignRecipient[],
): Promise<readonly Outcome[]> {
  if (recipients.length === 0) return [];
  const phones = recipients.map((recipient) => recipient.phone);
  const values = await recipientValues(parts.db, campaign, phones);
  // The cache of the acceptor is up to a second old; here a recipient who said STOP before this step gets nothing.
  const silent = await findSuppressed(parts.db, campaign, phones);
  const settled = await Promise.allSettled(
    recipients.map((recipient): Promise<Outcome> | Outcome => {
      const { place, phone } = recipient;
      if (phone.startsWith(ERASED_RECIPIENT)) return { place, reason: CONTACT_ERASED };
      const why = silent.get(phone);
      if (why !== undefined) return { place, reason: reasonOf(new ApiProblem(`recipient_${why}`)) };
      return sendOne(parts, campaign, { recipient, values: values.get(phone) ?? {} });
    }),
  );
  // What is not known (the database went away) stays taken, and is repeated with the same id.
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** What the placeholders say of the contacts; nothing is read when none of them asks. */
export async function recipientValues(
  db: Database,
  { tenantId, template }: Pick<Campaign, 'tenantId' | 'template'>,
  phones: readonly string[],
): Promise<ReadonlyMap<string, ContactValues>> {
  const asks = [...placeholdersOf(template)].some((name) => name.startsWith('contact.'));
  return asks ? findContactValues(db, tenantId, phones) : new Map();
}

async function sendOne(
  { acceptor }: SendDeps,
  campaign: Campaign,
  { recipient, values }: { readonly recipient: CampaignRecipient; readonly values: ContactValues },
): Promise<Outcome> {
  const { place, phone, messageId, variables } = recipient;
  const made = personalise(campaign.template, { ...values, ...variables });
  if ('missing' in made) return { place, reason: missingReason(made.missing) };
  try {
    await acceptor.accept(campaign.tenantId, requestOf(campaign, { phone, messageId, template: made.template }), null);
    return { place, reason: null };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status >= 500) throw error;
    return STOPPING.has(error.code) ? { place, stop: error } : { place, reason: reasonOf(error) };
  }
}

/** Why a recipient without a value for a placeholder is skipped. */
export function missingReason(name: string): SkipReason {
  return {
    code: 'variable_missing',
    message: `The recipient has no value for ${name}, and the placeholder has no fallback.`,
  };
}

/** Refusals that say nothing about the recipient: the campaign pauses, and continues from here when it is resumed. */
export const STOPPING: ReadonlySet<ApiErrorCode> = new Set([
  'no_sending_number',
  'unknown_phone_number',
  'subscription_inactive',
  'fair_use_exceeded',
  'insufficient_balance',
  'template_unknown',
  'template_paused',
  'template_not_sendable',
  'unknown_media',
  'media_not_sendable',
]);

function reasonOf({ code, message }: ApiProblem): SkipReason {
  return { code, message };
}

/** What a recipient is sent. */
export function requestOf(
  campaign: Campaign,
  { phone, messageId, template }: Pick<CampaignRecipient, 'phone' | 'messageId'> & Pick<Campaign, 'template'>,
): SendRequest {
  return {
    ...PLAIN_SEND,
    to: phone,
    content: { type: 'template', template },
    phoneNumberId: campaign.phoneNumberId,
    campaignName: campaign.name,
    author: { kind: 'campaign', id: campaign.campaignId },
    priority: 'bulk',
    ...(messageId === null ? {} : { messageId }),
  };
}

/** Records the outcomes; pauses the campaign when sending is impossible. */
async function settle({ rt, db }: SendDeps, key: Campaign, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const stops = outcomes.filter((outcome) => 'stop' in outcome);
  const known = outcomes.filter((outcome): outcome is RecipientOutcome => !('stop' in outcome));
  const places = stops.map(({ place }) => place);
  await withEvents(rt, db, async (tx, events) => {
    const campaign = await lockCampaign(tx, key.tenantId, key.campaignId);
    if (campaign === null) return;
    await putBackRecipients(tx, campaign, places);
    await settleRecipients(tx, campaign, { outcomes: known, nowMs: rt.clock.now() });
    await noteProgress(tx, campaign, { eventSeq: campaign.eventSeq, recent: recentWith(campaign, known) });
    const [stop] = stops;
    if (campaign.status !== 'running' || stop === undefined) return;
    const counted = (await lockCampaign(tx, key.tenantId, key.campaignId)) ?? campaign;
    await moveCampaign(rt, tx, events, { campaign: counted, move: 'pause', pauseReason: stop.stop.message });
  });
}

/**
 * Refusals of values that the template does not accept count against it; a recipient who has opted out does not count.
 */
function recentWith({ recent, breaker }: Campaign, known: readonly RecipientOutcome[]): string {
  const bad = known.filter(({ reason }) => reason !== null && isBad(reason.code));
  if (breaker === null || bad.length === 0) return recent;
  return noteOutcomes(
    recent,
    bad.map(() => ({ bad: true, late: false })),
    breaker.of,
  );
}

import { type TokenProvider, TokenUnreadable } from '#accounts/actions/account-token';
import type { AccountId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { Settler } from '#messages/actions/dispatch-messages';
import { type CorrelationSecret, makeCorrelationToken } from '#messages/domain/correlation-token';
import type { MediaSource } from '#messages/domain/media-lookup';
import type { ClaimedMessage } from '#messages/store/send-queue';
import type { SendOutcome } from '#network/classify';
import type { NetworkClient, NetworkSend } from '#network/client';
import { messageBody } from '#network/message-body';
import type { Slots } from '#queue/slots';
import type { Runtime } from '#runtime/runtime';
import {
  decideOutcome,
  evaluateUnsendable,
  type OutcomeDecision,
  overdueError,
  silencedError,
} from './decide-outcome.ts';
import { laneKey } from './lane-key.ts';
import { unreadable } from './media-carrier.ts';
import { type OutgoingContent, outgoingContent } from './outgoing-content.ts';
import { evaluateStaleMedia, mayBeStale } from './stale-media.ts';
import { tracedSend } from './traced-send.ts';

interface SenderDeps {
  readonly rt: Runtime;
  readonly network: NetworkClient;
  readonly media: MediaSource;
  readonly settler: Settler;
  readonly correlationSecret: CorrelationSecret;
  /** Connections to the network; closed when the dispatcher stops. */
  readonly slots: Slots;
  /** Asked right before a byte leaves: is the lane still certainly ours? */
  readonly holds: (message: ClaimedMessage) => boolean;
  /** Asked when a connection is free: was the number paused in the meantime? */
  readonly isPaused: (message: ClaimedMessage) => boolean;
  /** The linked account whose token the message leaves with; null: the token of the settings. */
  readonly accountOf: (message: ClaimedMessage) => AccountId | null;
  readonly tokens: Pick<TokenProvider, 'ofAccount'>;
  readonly onLesson: (lesson: Lesson) => void;
  /** The network itself answered. */
  readonly onAnswered: (message: ClaimedMessage) => void;
  /** Asked when a connection is free: did the circuit breaker open in the meantime? */
  readonly mayLeave: (message: ClaimedMessage) => boolean;
  /** How long the network is left alone after it could not be reached. */
  readonly downMs: () => number;
}

/** What a refusal teaches about its lane. */
export interface Lesson {
  readonly message: ClaimedMessage;
  readonly lesson: NonNullable<OutcomeDecision['lesson']>;
  readonly decision: OutcomeDecision;
  /** Whose token was used: a number may have another one by now. */
  readonly accountId: AccountId | null;
}

/** Sends a claimed message and settles the outcome. Never rejects. */
export type Sender = (message: ClaimedMessage, expired: boolean) => Promise<void>;

export function makeSender(parts: SenderDeps): Sender {
  const { slots } = parts;
  return async (message, expired) => {
    if (message.silence !== null) return settleSilenced(parts, message, message.silence);
    if (expired) return settleExpired(parts, message);
    const found = outgoingContent(parts.media, message);
    const content = found instanceof Promise ? await found : found;
    if (content.kind !== 'ready') return settleOther(parts, message, unsendable(parts, message, content));
    const accountId = parts.accountOf(message);
    const { messageId, tenantId: tenant } = message;
    if (!(await slots.take(messageId, { key: laneKey(message), tenant }))) return putBack(parts, message, STOPPED);
    // The wait may have been long: behind sends of the same number that hang.
    if (message.expiresMs <= parts.rt.clock.now() || parts.isPaused(message)) {
      slots.release(messageId);
      return parts.isPaused(message) ? putBack(parts, message, PAUSED) : settleExpired(parts, message);
    }
    if (!parts.mayLeave(message)) {
      slots.release(messageId);
      return putBack(parts, message, AWAY);
    }
    // The slot is released before the settlement: it represents a connection, not a commit.
    const outcome = await sendOne(parts, message, content, accountId).finally(() => slots.release(messageId));
    if (outcome === null) return putBack(parts, message, OUT_OF_TOUCH);
    if (mayBeStale({ outcome, mediaIds: content.mediaIds, attempt: message.attempt })) {
      return sendAgainWithFreshMedia(parts, message, content.mediaIds);
    }
    return settle(parts, message, outcome, accountId);
  };
}

/** The network has not taken the message; its media lose their ids there, and get new ones when it is sent again. */
async function sendAgainWithFreshMedia(
  parts: SenderDeps,
  message: ClaimedMessage,
  mediaIds: readonly string[],
): Promise<void> {
  const { tenantId, phoneNumberId } = message;
  parts.rt.metrics.sends.inc({ outcome: 'refused' });
  parts.onAnswered(message);
  for (const mediaId of mediaIds) await parts.media.forget(tenantId, mediaId, phoneNumberId);
  return settleOther(parts, message, evaluateStaleMedia(parts.rt.clock.now()));
}

type ReadyContent = Extract<OutgoingContent, { kind: 'ready' }>;

/** @returns null when nothing was sent because the lease is in doubt, or the database could not be asked */
async function sendOne(
  parts: SenderDeps,
  message: ClaimedMessage,
  content: ReadyContent,
  accountId: AccountId | null,
): Promise<SendOutcome | null> {
  const body = bodyOf(parts, message, content);
  const found = lookUpToken(parts, message, accountId);
  const token = found instanceof Promise ? await found : found;
  if (token instanceof TokenUnreadable) return unreadable(token);
  if (token instanceof Error || !parts.holds(message)) return null;
  const { phoneNumberId } = message;
  const send: NetworkSend = { phoneNumberId, edge: content.marketing ? 'marketing_messages' : 'messages', body, token };
  const { tracing } = parts.rt;
  if (tracing === null) return parts.network.send(send);
  return tracedSend(tracing, message, (traceParent) => parts.network.send({ ...send, traceParent }));
}

/** What cannot be had is an answer too: a send that rejects would leave its message claimed. */
function lookUpToken(
  { tokens }: SenderDeps,
  { tenantId }: ClaimedMessage,
  accountId: AccountId | null,
): string | null | Promise<string | null | Error> {
  const found = tokens.ofAccount(tenantId, accountId);
  return found instanceof Promise ? found.catch((error: Error) => error) : found;
}

function bodyOf({ correlationSecret }: SenderDeps, message: ClaimedMessage, content: ReadyContent): string {
  const { tenantId, phoneNumberId, messageId, attempt } = message;
  const token = makeCorrelationToken(correlationSecret, { tenantId, phoneNumberId, messageId, attempt });
  const { payload, quotedNetworkId, marketing } = content;
  return messageBody({ to: message.to, type: message.type, payload, token, quotedNetworkId, marketing });
}

function unsendable(
  { rt }: SenderDeps,
  { attempt, expiresMs }: ClaimedMessage,
  content: Exclude<OutgoingContent, { kind: 'ready' }>,
): Pick<OutcomeDecision, 'settlement' | 'trace'> {
  return evaluateUnsendable({ content, attempt, expiresMs, nowMs: rt.clock.now(), random: rt.random });
}

async function settle(
  parts: SenderDeps,
  message: ClaimedMessage,
  outcome: SendOutcome,
  accountId: AccountId | null,
): Promise<void> {
  const { rt, settler } = parts;
  const nowMs = rt.clock.now();
  rt.metrics.sends.inc({ outcome: outcome.kind });
  logSend(rt, message, outcome);
  if (outcome.kind === 'accepted' || (outcome.kind === 'refused' && outcome.networkCode !== null))
    parts.onAnswered(message);
  if (outcome.kind === 'accepted') {
    rt.metrics.sendDelay.observe(Math.max(0, nowMs - message.dueMs) / 1_000);
    const { tenantId, messageId, attempt } = message;
    return settler.sent({
      tenantId,
      messageId,
      attempt,
      networkMessageId: outcome.networkMessageId,
      acceptedMs: nowMs,
    });
  }
  const decision = decideOutcome({
    outcome,
    attempt: message.attempt,
    nowMs,
    expiresMs: message.expiresMs,
    unknownWaitMs: rt.config.unknownWaitS * 1000,
    downMs: parts.downMs(),
    random: rt.random,
  });
  const { lesson } = decision;
  if (lesson !== null) parts.onLesson({ message, lesson, decision, accountId });
  await settleOther(parts, message, decision);
}

/** For whoever reads the log at level debug. */
function logSend({ log, clock }: Runtime, message: ClaimedMessage, outcome: SendOutcome): void {
  const { tenantId, messageId, phoneNumberId, attempt, dueMs, traceParent } = message;
  const networkCode = outcome.kind === 'refused' ? outcome.networkCode : undefined;
  const [, traceId] = traceParent?.split('-') ?? [];
  const dueForMs = clock.now() - dueMs;
  log.debug(
    { tenantId, messageId, phoneNumberId, attempt, outcome: outcome.kind, networkCode, dueForMs, traceId },
    'send.done',
  );
}

async function settleOther(
  { rt, settler }: SenderDeps,
  message: ClaimedMessage,
  decision: Pick<OutcomeDecision, 'settlement' | 'trace'>,
): Promise<void> {
  const { tenantId, messageId, epoch } = message;
  const { settlement } = decision;
  const uncounted = settlement.kind === 'again' && settlement.uncounted;
  const attempt = uncounted ? message.attempt - 1 : message.attempt;
  await settler.other({
    tenantId,
    messageId,
    epoch,
    attempt,
    fromState: queueState.claimed,
    nowMs: rt.clock.now(),
    ...decision,
  });
}

async function settleExpired(parts: SenderDeps, message: ClaimedMessage): Promise<void> {
  const nowMs = parts.rt.clock.now();
  const detail = 'It expired before it could be sent.';
  await settleOther(
    parts,
    { ...message, attempt: message.attempt - 1 },
    {
      settlement: { kind: 'failed', error: overdueError(message.resends) },
      trace: { atMs: nowMs, event: 'expired', detail },
    },
  );
}

/** Its recipient refused marketing, or was erased, after it was accepted, and before it could leave. */
async function settleSilenced(
  parts: SenderDeps,
  message: ClaimedMessage,
  code: NonNullable<ClaimedMessage['silence']>,
): Promise<void> {
  const error = silencedError(code);
  await settleOther(
    parts,
    { ...message, attempt: message.attempt - 1 },
    {
      settlement: { kind: 'failed', error },
      trace: { atMs: parts.rt.clock.now(), event: 'canceled', detail: error.message },
    },
  );
}

const OUT_OF_TOUCH = 'The sending process lost the connection to the database before it sent anything.';
const PAUSED = 'The number was paused before it was sent.';
const AWAY = 'The network stopped responding before it was sent. It waits until the network responds again.';
const STOPPED = 'The sending process stopped before it sent anything.';

/** Nothing left. If the lane is still ours the message is ready again, else this does nothing. */
async function putBack(parts: SenderDeps, message: ClaimedMessage, detail: string): Promise<void> {
  const nowMs = parts.rt.clock.now();
  await settleOther(parts, message, {
    settlement: { kind: 'again', dueMs: message.dueMs, possibleDuplicate: false, uncounted: true },
    trace: { atMs: nowMs, event: 'put_back', detail },
  });
}

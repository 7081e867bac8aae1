import { findIdempotency } from '#access/store/idempotency';
import type { TenantGate } from '#billing/actions/billing-gate';
import type { MessageAuthor } from '#core/caller/author';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import { ApiProblem } from '#core/errors';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { phoneKey } from '#core/phone/phone-key';
import { type Database, StorageUnavailable } from '#database/database';
import { makeAcceptCommits, type Storing } from '#messages/actions/store-accepted';
import type { MessageContent } from '#messages/domain/content';
import { DEFAULT_TTL_S, type NewMessage, type Priority } from '#messages/domain/message';
import type { AcceptRow } from '#messages/store/accept-batch';
import type { Runtime } from '#runtime/runtime';
import type { TraceStep } from '#runtime/tracing';
import { type CheckedSend, newCheckedSend, SEND_CHECKS, type SendCheckDeps } from './check-send.ts';
import { priorityOf } from './send-checks.ts';
import { dependsOnWindow, sendWarnings } from './send-warnings.ts';

/** A send after schema validation and before the checks of the business. */
export interface SendRequest {
  /** As the caller wrote it. */
  readonly to: string;
  readonly content: MessageContent;
  readonly phoneNumberId: string | null;
  readonly campaignName: string | null;
  readonly clientRef: string | null;
  /** The message it answers or, a reaction, reacts to: an id of ours. */
  readonly replyTo: string | null;
  /** Sending numbers whose messages the caller may name; any other reads like what does not exist. Absent: all. */
  readonly knownNumbers?: readonly string[];
  /** The failed message that this one repeats: an id of ours. */
  readonly resendOf: string | null;
  /** Who has it sent. */
  readonly author: MessageAuthor | null;
  readonly priority: Priority | null;
  readonly sendAtMs: number | null;
  readonly expiresMs: number | null;
  readonly ttlS: number | null;
  /** The step of a trace in which it is asked for; absent: none. */
  readonly traceParent?: string;
  /** The id that the message must have; accepted again under it, it stays the one message. Absent: a new one. */
  readonly messageId?: MessageId;
}

/** What a send says that asks for nothing but to be sent. */
export const PLAIN_SEND = {
  campaignName: null,
  clientRef: null,
  replyTo: null,
  resendOf: null,
  priority: null,
  sendAtMs: null,
  expiresMs: null,
  ttlS: null,
} as const satisfies Partial<SendRequest>;

export interface AcceptedResponse {
  readonly id: string;
  readonly status: 'queued';
  readonly type: string;
  readonly to: string;
}

export type AcceptOutcome =
  | {
      readonly kind: 'accepted';
      readonly response: AcceptedResponse;
      /** Codes of what may keep the message from being delivered as it is. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'replayed'; readonly statusCode: number; readonly response: JsonObject };

export interface MessageAcceptor {
  /**
   * Resolves once the message and its place in the queue are committed: 202 means durable.
   * @throws ApiProblem when the request is refused (nothing is stored), StorageUnavailable when it is not known
   */
  accept(tenantId: TenantId, request: SendRequest, idempotency: IdempotencyClaim | null): Promise<AcceptOutcome>;
  /**
   * The same, but `store` stores the message once every check has passed: with what else belongs to it.
   * With `asksWindow`, `store` is handed a `windowKey`, and the answer warns of a closed window.
   * @throws besides whatever `store` throws
   */
  acceptWith(accept: AcceptOne & { readonly asksWindow?: boolean }, store: StoreOne): Promise<AcceptOutcome>;
  /** Whether so much waits to be stored that requests of this tenant should be refused before they are read. */
  isBacklogged(tenantId: TenantId): boolean;
  close(): Promise<void>;
}

/** Stores one message durably. */
export type StoreOne = (row: AcceptRow) => Promise<Storing>;

/** Called after each commit, so that the dispatcher need not wait for its poll. */
export type LaneNotifier = (tenantId: TenantId, phoneNumberId: PhoneNumberId) => void;

interface AcceptorDeps extends SendCheckDeps {
  readonly rt: Runtime;
  readonly notifyLane: LaneNotifier;
}

export function makeAcceptor(parts: AcceptorDeps): MessageAcceptor {
  const { rt, db } = parts;
  const commits = makeAcceptCommits(rt, db);
  const together = { ...parts, store: (row: AcceptRow) => commits.add(row), asksWindow: true };
  return {
    accept: (tenantId, request, idempotency) => acceptOne(together, { tenantId, request, idempotency }),
    acceptWith: ({ asksWindow = false, ...accept }, store) => acceptOne({ ...parts, store, asksWindow }, accept),
    isBacklogged: (tenantId) => commits.isBacklogged(tenantId),
    close: () => commits.drain(),
  };
}

/** A request of a tenant. */
export interface AcceptOne {
  readonly tenantId: TenantId;
  readonly request: SendRequest;
  readonly idempotency: IdempotencyClaim | null;
}

async function acceptOne(
  parts: AcceptorDeps & {
    readonly store: StoreOne;
    /** Whether the statement that stores is asked for the window, where it matters; who stores otherwise knows it. */
    readonly asksWindow: boolean;
  },
  { tenantId, request: given, idempotency }: AcceptOne,
): Promise<AcceptOutcome> {
  const { rt, db, store, notifyLane, asksWindow } = parts;
  const nowMs = rt.clock.now();
  // Before anything is looked up: messages that come together keep their order.
  const messageId = given.messageId ?? rt.newId<MessageId>();
  const send = newCheckedSend(tenantId, given, nowMs);
  for (const check of SEND_CHECKS) {
    const found = check(parts, send);
    const problem = found instanceof Promise ? await found : found;
    if (problem) return refuseUnlessReplay(db, { tenantId, idempotency, problem });
  }
  const { gate, to, phoneNumberId } = send;
  if (gate === null || to === null || phoneNumberId === null) throw new Error('The checks find all of these.');
  const step = beginAccept(rt, given, messageId);
  const message = newMessage(send, { messageId, to, phoneNumberId, traceParent: step?.traceParent ?? null });
  const windowKey = asksWindow && dependsOnWindow(send) ? phoneKey(to) : null;
  const stored = await throughGate(gate, store({ message, idempotency, windowKey })).finally(() => step?.end());
  if (stored === 'unknown') throw new StorageUnavailable('It is not known whether the message was stored.');
  if (stored === 'unaffordable') {
    return refuseUnlessReplay(db, { tenantId, idempotency, problem: new ApiProblem('insufficient_balance') });
  }
  if (stored === 'replay' && given.messageId === undefined) return replay(db, tenantId, idempotency);
  rt.metrics.accepted.inc();
  notifyLane(tenantId, phoneNumberId);
  const response: AcceptedResponse = { id: message.messageId, status: 'queued', type: message.content.type, to };
  const warnings = sendWarnings(send, stored === 'stored_outside').map(({ code }) => code);
  return { kind: 'accepted', response, warnings };
}

/** Counts the message against what its tenant has left while it is being stored. */
async function throughGate<T>(gate: TenantGate, storing: Promise<T>): Promise<T> {
  const done = gate.take();
  try {
    return await storing;
  } finally {
    done();
  }
}

/** A repetition gets its first answer, also when what it names or its times have gone since. */
async function refuseUnlessReplay(
  db: Database,
  refusal: Pick<AcceptOne, 'tenantId' | 'idempotency'> & { readonly problem: ApiProblem },
): Promise<AcceptOutcome> {
  const { tenantId, idempotency, problem } = refusal;
  const known = idempotency === null ? null : await findIdempotency(db, tenantId, idempotency.keyHash);
  if (known) return replay(db, tenantId, idempotency);
  throw problem;
}

interface Address {
  readonly messageId: MessageId;
  readonly to: string;
  readonly phoneNumberId: PhoneNumberId;
  readonly traceParent: string | null;
}

/** The step in which a message is stored; what happens to it later belongs to it. Null: traces are off. */
function beginAccept(
  { tracing }: Runtime,
  { traceParent, content }: SendRequest,
  messageId: MessageId,
): TraceStep | null {
  const facts = { 'postrider.message_id': messageId, 'postrider.message_type': content.type };
  return tracing?.start('accept', { kind: 'producer', parent: traceParent ?? null, facts }) ?? null;
}

/** The message that passed the checks: of the request, or of what its template makes of it. */
function newMessage({ tenantId, request, verdict, nowMs }: CheckedSend, address: Address): NewMessage {
  const { messageId, to, phoneNumberId } = address;
  const startMs = Math.max(nowMs, request.sendAtMs ?? nowMs);
  return {
    tenantId,
    messageId,
    content: verdict.kind === 'fits' ? verdict.content : request.content,
    to,
    phoneNumberId,
    campaignName: request.campaignName,
    clientRef: request.clientRef,
    replyTo: request.replyTo as MessageId | null,
    resendOf: request.resendOf as MessageId | null,
    author: request.author,
    priority: priorityOf(request),
    sendAtMs: request.sendAtMs,
    expiresMs: request.expiresMs ?? startMs + (request.ttlS ?? DEFAULT_TTL_S) * 1000,
    createdMs: nowMs,
    traceParent: address.traceParent,
  };
}

/** The first answer of a key again; another request under the same key is refused. */
async function replay(db: Database, tenantId: TenantId, idempotency: IdempotencyClaim | null): Promise<AcceptOutcome> {
  const record = idempotency === null ? null : await findIdempotency(db, tenantId, idempotency.keyHash);
  // Removed by retention between the two statements: as good as still running, a repetition will pass.
  if (record === null) throw new ApiProblem('request_in_progress');
  if (record.fingerprint !== idempotency?.fingerprint) throw new ApiProblem('idempotency_key_reused');
  if (record.message === null) throw new ApiProblem('request_in_progress');
  const { id, type, to } = record.message;
  return { kind: 'replayed', statusCode: record.statusCode ?? 202, response: { id, status: 'queued', type, to } };
}

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { isUuid, type TenantId } from '#core/ids';
import { type FeedPage, type FeedPlace, followFeed, placeAfter, placeAtEnd } from '#events/actions/event-feed';
import type { EventReader } from '#events/actions/event-waiters';
import { withSignals } from '#events/actions/signal-reader';
import { type EventType, eventId, type StoredEvent, wireEvent } from '#events/domain/event';
import { eventExample, notAnEventExample, StreamQuery, unknownTypeExample } from '#events/http/schemas/event';
import type { RouteContext } from '#http/deps';
import { defineOperation } from '#http/operation';
import { principalOf, requireStillAllowed } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';
import { typesFilter } from './types-filter.ts';

/** Events read at once: they lie in memory until the reader has taken them. */
const EVENTS_AT_ONCE = 100;
/** A comment so often, so that nobody in between takes the silence for a broken connection. */
const HEARTBEAT_MS = 15_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 2_000;
/** How often a stream is looked after: with what the authenticator remembers, a revoked key ends it within 2 s. */
const LOOK_MS = 400;
/** How long a reader may take for what was written last. */
const GRACE_MS = 1_000;
/** A reader that takes nothing for so long has gone without a word: it may come back with Last-Event-ID. */
const STALLED_MS = 60_000;
/** What is handed to a connection at once. */
const PIECE_CHARACTERS = 16_384;
const TOO_MANY = 'Too many streams are open: at most 10 per key or session, and 50 for all keys of a tenant.';

export const streamEventsRoute = defineOperation({
  method: 'GET',
  path: '/v1/events/stream',
  operationId: 'streamEvents',
  summary: 'Stream events',
  description:
    'Returns server-sent events (text/event-stream): id is the id of the event, event its type, and data the event as JSON. The first block has an id but no data, and marks where the stream begins. A client that reconnects with Last-Event-ID, the latest id it received, continues where it stopped and misses nothing. A comment is sent every 15 seconds. The stream ends when the service stops, within 2 seconds after its key is revoked or its session ends, or when the client reads nothing for a minute. With signals, blocks without an id come, too. event signal says what an agent does in a conversation: data is {conversation_id, agent_id, viewing, writing}. The stream begins with the signals that hold, so a client that reconnects forgets those it has. event notification says that an agent, {agent_id}, has a new notification. A key or a session can have 10 open streams, all keys of a tenant 50.',
  tag: 'Events',
  scope: 'events:read',
  query: StreamQuery,
  requestHeaders: [
    {
      name: 'Last-Event-ID',
      description: 'The id of the last event that the client received. Browsers send it automatically.',
      example: '0190a6f2-9a00-7d54-9b3a-000000000007',
    },
  ],
  answer: {
    status: 200,
    description: 'The stream.',
    schema: Type.Unsafe<string>({ type: 'string', description: 'Server-sent events.' }),
    contentType: 'text/event-stream',
    example: `id: ${eventExample.id}\nevent: ${eventExample.type}\ndata: ${JSON.stringify(eventExample)}\n\n`,
  },
  errors: ['events_expired'],
  errorExamples: [unknownTypeExample, notAnEventExample],
  handle: (context) => {
    return async (request, reply) => {
      const { types, after, for: forS, signals = false } = request.query;
      const { tenantId } = principalOf(request);
      const wanted = typesFilter(request, types);
      const place = await startOf(context, tenantId, lastEventId(request) ?? after?.toLowerCase() ?? null);
      return answerStream(context, request, reply, { place, types: wanted, forS: forS ?? null, signals });
    };
  },
});

/** @throws ApiProblem validation_failed for a Last-Event-ID that is no id */
function lastEventId({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return null;
  const id = String(given).toLowerCase();
  if (isUuid(id)) return id;
  throw problemOf([{ path: 'header.last-event-id', message: 'Last-Event-ID is not an event of this tenant.' }]);
}

function startOf({ db }: RouteContext, tenantId: TenantId, afterId: string | null): Promise<FeedPlace> {
  return afterId === null ? placeAtEnd(db, tenantId) : placeAfter(db, tenantId, afterId);
}

interface StreamRequest {
  readonly place: FeedPlace;
  readonly types: readonly EventType[] | null;
  /** Null: no end. */
  readonly forS: number | null;
  /** Whether it also gets what is neither numbered nor stored. */
  readonly signals: boolean;
}

function answerStream(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  wish: StreamRequest,
): FastifyReply {
  const { db, eventWatch } = context;
  const caller = principalOf(request);
  const { tenantId } = caller;
  const release = eventWatch.full ? null : context.streams.take(caller);
  if (release === null) throw new ApiProblem('rate_limited', { sentence: TOO_MANY, headers: { 'retry-after': '5' } });
  const reader = eventWatch.enter(tenantId);
  const signals = wish.signals ? context.signals.enter(tenantId) : null;
  reply.raw.once('close', () => {
    reader.leave();
    signals?.leave();
    release();
  });
  reply.headers({ 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }).type('text/event-stream');
  // Without a stream of its own HEAD would wait for the end of it.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const continuesWith = supervise(context, request, reply, { reader, forS: wish.forS });
  const { types } = wish;
  const batches = followFeed({ db, watch: eventWatch }, reader, wish.place, {
    types,
    limit: EVENTS_AT_ONCE,
    continuesWith,
  });
  const told = frames(context, wish.place, batches);
  const pieces = signals === null ? told : withSignals(told, signals);
  // One piece at a time: the next is made when the connection has taken the last, so a slow reader holds nothing back.
  return reply.send(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }));
}

interface Supervised {
  readonly reader: EventReader;
  readonly forS: number | null;
}

/**
 * Looks again and again whether a stream may go on: until the client has gone, the time is over, the service stops, or
 * the key no longer works. Then the stream ends by itself, or is cut off when its reader does not take what is left.
 * @returns whether it may
 */
function supervise(
  { rt, gate, eventWatch }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { reader, forS }: Supervised,
): () => boolean {
  const endMs = forS === null ? Number.POSITIVE_INFINITY : rt.clock.monotonic() + forS * 1000;
  let continuesWith = true;
  let cancel: () => void = () => undefined;
  const isStalled = stallWatch(rt, reply);
  const works = () => requireStillAllowed(gate, request).then(() => true, isPassing);
  const look = async (): Promise<void> => {
    // While the database is away nobody can say that the key was revoked.
    const inTime = rt.clock.monotonic() < endMs && !isStalled();
    const may = !eventWatch.closed && inTime && (await works());
    if (reply.raw.destroyed) return;
    if (may) {
      cancel = rt.clock.after(LOOK_MS, look);
      return;
    }
    continuesWith = false;
    reader.wake();
    cancel = rt.clock.after(GRACE_MS, () => reply.raw.destroy());
  };
  reply.raw.once('close', () => {
    continuesWith = false;
    reader.wake();
    cancel();
  });
  cancel = rt.clock.after(LOOK_MS, look);
  return () => continuesWith;
}

/** Whether a look failed for a reason that says nothing of the key. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiProblem);
}

/** Tells whether a reader that has something to take has taken none of it for too long. */
function stallWatch({ clock }: RouteContext['rt'], { raw }: FastifyReply): () => boolean {
  let taken = -1;
  let sinceMs = clock.monotonic();
  return () => {
    // What the kernel has not taken yet is not counted as written.
    const written = (raw.socket?.bytesWritten ?? 0) - (raw.socket?.writableLength ?? 0);
    if (!raw.writableNeedDrain || written !== taken) {
      taken = written;
      sinceMs = clock.monotonic();
    }
    return clock.monotonic() - sinceMs >= STALLED_MS;
  };
}

/** Text of the stream; nothing where nothing is to be said. */
async function* frames(
  { rt }: RouteContext,
  start: FeedPlace,
  batches: AsyncIterable<FeedPage>,
): AsyncGenerator<string> {
  // At once, so that the client sees that it is connected, and knows where it stands before the first event.
  yield `retry: ${RETRY_MS}\nid: ${idOf(start)}\n\n`;
  let spokeMs = rt.clock.monotonic();
  for await (const { events, place } of batches) {
    const nowMs = rt.clock.monotonic();
    if (events.length === 0 && nowMs - spokeMs < HEARTBEAT_MS) continue;
    spokeMs = nowMs;
    // With the place: what the types left out need not be looked through again after a break.
    if (events.length === 0) yield `: alive\nid: ${idOf(place)}\n\n`;
    else yield* pieces(events);
  }
}

/** The place as an id that can be asked to go on behind, also where there was no event yet. */
function idOf({ tenantId, after, cursor }: FeedPlace): string {
  return cursor ?? eventId(tenantId, after, 0);
}

/** The events in pieces of a few KB, so that a slow reader takes something now and then. */
function* pieces(events: readonly StoredEvent[]): Generator<string> {
  let piece = '';
  for (const event of events) {
    piece += frame(event);
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function frame(event: StoredEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(wireEvent(event))}\n\n`;
}

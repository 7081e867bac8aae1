/** What the live store needs of the service, through the API. */

import {
  AuthenticationError,
  BadRequestError,
  CursorExpiredError,
  NotFoundError,
  type PageInfo,
  PostriderError,
} from '@postrider/sdk';
import type { Command, Outcome, ReplyContent } from '../live/commands.ts';
import { referenceOf } from '../live/commands.ts';
import type { Conversation, LiveEvent, NoteItem, ThreadItem } from '../live/model.ts';
import { Queue } from '../live/queue.ts';
import { SharedStream } from '../live/shared-stream.ts';
import { type LiveSource, type Page, SignedOut, StreamExpired, type StreamFrame } from '../live/source.ts';
import type { OpenStream } from '../live/stream-leader.ts';
import type { TabMessage } from '../live/stream-messages.ts';
import { type Call, call, postrider } from './api.ts';
import { hasTabLocks, tabChannel, tabLocks } from './browser-tabs.ts';
import { CUT, type Passing, receivePassing } from './passing.ts';
import { isReadEarly, listPath, ROWS } from './start/early-reads.ts';

const ITEMS = 50;
/** Refused for now, or another try is still under way: the same key may be tried again. */
const WORTH_ANOTHER_TRY = [408, 425, 429, 500, 502, 503, 504];

/** @param owner the agent whose tabs share one stream */
export function liveSource(owner: string): LiveSource {
  return { ...requests, stream: streamOf(owner) };
}

const requests: Omit<LiveSource, 'stream'> = {
  async list(list, cursor) {
    const place = { limit: ROWS, ...(cursor === null ? {} : { cursor }) };
    const { search, sort } = list;
    if (search === undefined) {
      const isFromStart = cursor === null && isReadEarly(listPath(list));
      const answer = await read<Answer<Conversation>>('/v1/conversations', { ...list.query, sort, ...place });
      return { ...pageOf(answer), isFromStart };
    }
    const body = { when: search.when, sort };
    const path = '/v1/conversations/search';
    const page = pageOf(await call<Answer<Conversation>>(path, { method: 'POST', query: place, body }).catch(failed));
    search.onRead(page.items, cursor === null);
    return page;
  },
  async conversation(id) {
    try {
      return await read<Conversation>(`/v1/conversations/${id}`);
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  },
  async thread(id, cursor) {
    const query = { limit: ITEMS, ...(cursor === null ? {} : { cursor }) };
    return pageOf(await read<Answer<ThreadItem>>(`/v1/conversations/${id}/messages`, query));
  },
  execute,
};

/** Where tabs cannot agree on one that has the stream, each has its own. */
function streamOf(owner: string): LiveSource['stream'] {
  if (!hasTabLocks()) return (after, signal) => openStream(after, signal, receivePassing);
  const channel = tabChannel<TabMessage>(`${owner} stream`);
  // What is true for the moment needs no order and no number: the tab that has the stream tells the others.
  const others = tabChannel<Passing>(`${owner} passing`);
  others.listen(receivePassing);
  const tellAll = (passing: Passing) => {
    receivePassing(passing);
    others.post(passing);
  };
  const open: OpenStream = (after, signal) => openStream(after, signal, tellAll);
  const shared = new SharedStream({ channel, locks: tabLocks(owner), open });
  return (after, signal) => shared.open(after, signal);
}

interface Answer<T> {
  readonly data: readonly T[];
  readonly page: PageInfo;
}

function pageOf<T>({ data, page }: Answer<T>): Page<T> {
  return { items: data, cursor: page.has_more ? page.next_cursor : null };
}

async function read<T>(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<T> {
  try {
    return await call<T>(path, { query });
  } catch (error) {
    throw asSignedOut(error);
  }
}

function failed(error: unknown): never {
  throw asSignedOut(error);
}

function asSignedOut(error: unknown): unknown {
  return error instanceof AuthenticationError ? new SignedOut(error.message) : error;
}

/** The SDK makes a connection that breaks again, from where it was; this says when it is cut. */
async function* openStream(
  after: string | null,
  signal: AbortSignal,
  tell: (passing: Passing) => void,
): AsyncGenerator<StreamFrame> {
  const frames = new Queue<StreamFrame>();
  tell(CUT);
  const stream = postrider.events.stream({
    after,
    signal,
    onCursor: (position) => frames.push({ position, event: null, isCut: false }),
    onSignal: tell,
    onState: (state) => {
      if (state !== 'reconnecting') return;
      tell(CUT);
      frames.push({ position: null, event: null, isCut: true });
    },
  });
  const walk = async () => {
    for await (const event of stream) {
      frames.push({ position: event.id, event: event as unknown as LiveEvent, isCut: false });
    }
  };
  walk().then(
    () => frames.end(null),
    (error: unknown) => frames.end(error),
  );
  try {
    yield* frames;
  } catch (error) {
    const isExpired = error instanceof CursorExpiredError || error instanceof BadRequestError;
    throw isExpired ? new StreamExpired(error.message) : asSignedOut(error);
  }
}

async function execute(command: Command, isLeaving: boolean): Promise<Outcome> {
  try {
    return await request(command, isLeaving);
  } catch (error) {
    if (!(error instanceof PostriderError)) throw error;
    const { status, code, message } = error;
    if (status === null || WORTH_ANOTHER_TRY.includes(status) || code === 'idempotency_in_progress')
      return { kind: 'lost' };
    return { kind: 'refused', refusal: { code, sentence: message } };
  }
}

async function request({ key, conversationId, intent }: Command, isLeaving: boolean): Promise<Outcome> {
  const at = `/v1/conversations/${conversationId}`;
  const once: Call = { method: 'POST', idempotencyKey: key, isLeaving };
  const post = <T>(path: string, body?: unknown) => call<T>(`${at}/${path}`, { ...once, body: body ?? {} });
  const changed = (conversation: Conversation): Outcome => ({ kind: 'changed', conversation });
  switch (intent.kind) {
    case 'reply': {
      const { after, force, content } = intent;
      const turn = { ...(after === null ? {} : { if_last_message_id: after }), ...(force ? { force } : {}) };
      const { id } = await post<{ id: string }>('messages', {
        ...bodyOf(content),
        ...turn,
        client_ref: referenceOf(key),
      });
      return { kind: 'accepted', messageId: id };
    }
    case 'note': {
      const { id } = await post<NoteItem>('messages', { type: 'note', body: intent.body, mentions: intent.mentions });
      return { kind: 'accepted', messageId: id };
    }
    case 'assign':
      return changed(await post('assign', { assignee_id: intent.assigneeId }));
    case 'snooze':
      return changed(await post('snooze', intent.until === null ? {} : { until: intent.until }));
    case 'prioritize':
      return changed(await call(at, { method: 'PATCH', body: { priority: intent.priority }, isLeaving }));
    case 'resolve':
    case 'reopen':
    case 'read':
      return changed(await call(`${at}/${intent.kind}`, once));
  }
}

function bodyOf({ type, ...content }: ReplyContent): object {
  return { type, ...content };
}

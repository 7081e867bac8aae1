/** What the live store needs of the service, through the API. */

import {
  AuthenticationError,
  BadRequestError,
  CursorExpiredError,
  NotFoundError,
  PostriderError,
} from '@postrider/sdk';
import type { Command, Outcome, ReplyContent } from '../live/commands.ts';
import { referenceOf } from '../live/commands.ts';
import type { Conversation, LiveEvent, NoteItem, ThreadItem } from '../live/model.ts';
import { type LiveSource, type Page, SignedOut, StreamExpired, type StreamFrame } from '../live/source.ts';
import { call, postrider } from './api.ts';
import { Queue } from './queue.ts';

const ROWS = 50;
const ITEMS = 50;
/** Refused for now, or another try is still under way: the same key may be tried again. */
const WORTH_ANOTHER_TRY = [408, 425, 429, 500, 502, 503, 504];

export const liveSource: LiveSource = {
  stream: openStream,
  async list(list, cursor) {
    const query = { ...list.query, sort: list.sort, limit: ROWS, ...(cursor === null ? {} : { cursor }) };
    return pageOf(await read<Answer<Conversation>>('/v1/conversations', query));
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

interface Answer<T> {
  readonly data: readonly T[];
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null };
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

function asSignedOut(error: unknown): unknown {
  return error instanceof AuthenticationError ? new SignedOut(error.message) : error;
}

/** The SDK makes a connection that breaks again, from where it was; this says when it is cut. */
async function* openStream(after: string | null, signal: AbortSignal): AsyncGenerator<StreamFrame> {
  const frames = new Queue<StreamFrame>();
  const stream = postrider.events.stream({
    after,
    signal,
    onCursor: (position) => frames.push({ position, event: null, isCut: false }),
    onState: (state) => {
      if (state === 'reconnecting') frames.push({ position: null, event: null, isCut: true });
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

async function execute(command: Command): Promise<Outcome> {
  try {
    return await request(command);
  } catch (error) {
    if (!(error instanceof PostriderError)) throw error;
    const { status, code, message } = error;
    if (status === null || WORTH_ANOTHER_TRY.includes(status) || code === 'idempotency_in_progress')
      return { kind: 'lost' };
    return { kind: 'refused', refusal: { code, sentence: message } };
  }
}

async function request({ key, conversationId, intent }: Command): Promise<Outcome> {
  const at = `/v1/conversations/${conversationId}`;
  const post = <T>(path: string, body?: unknown) =>
    call<T>(`${at}/${path}`, { method: 'POST', body: body ?? {}, idempotencyKey: key });
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
      const { id } = await post<NoteItem>('messages', { type: 'note', body: intent.body });
      return { kind: 'accepted', messageId: id };
    }
    case 'assign':
      return changed(await post('assign', { assignee_id: intent.assigneeId }));
    case 'snooze':
      return changed(await post('snooze', intent.until === null ? {} : { until: intent.until }));
    case 'prioritize':
      return changed(await call(at, { method: 'PATCH', body: { priority: intent.priority } }));
    case 'resolve':
    case 'reopen':
    case 'read':
      return changed(await call(`${at}/${intent.kind}`, { method: 'POST', idempotencyKey: key }));
  }
}

function bodyOf({ type, ...content }: ReplyContent): object {
  return { type, ...content };
}

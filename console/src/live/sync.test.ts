import { afterEach, expect, test } from 'vitest';
import type { Command, Outcome } from './commands.ts';
import type { Conversation } from './model.ts';
import type { Snapshot } from './snapshot.ts';
import {
  type LiveList,
  type LiveSource,
  type Outbox,
  type Page,
  SignedOut,
  StreamExpired,
  type StreamFrame,
} from './source.ts';
import { LiveSync } from './sync.ts';
import { ModelServer } from './testing/model-server.ts';
import { viewList, viewThread } from './view.ts';

const OPEN: LiveList = { name: 'open', sort: 'last_activity', query: {}, holds: (one) => one.status === 'open' };
const started: LiveSync[] = [];
afterEach(() => {
  for (const sync of started.splice(0)) sync.stop();
});

/** The model as a source: its feed as a stream that waits for more, and breaks when it is told to. */
class ModelSource implements LiveSource {
  readonly server = new ModelServer();
  readonly tried: string[] = [];
  readonly opened: string[] = [];
  readonly positions: (string | null)[] = [];
  outcomes: ((command: Command) => Outcome)[] = [];
  streams: (() => void)[] = [];
  #wake: () => void = () => undefined;
  #early: Page<Conversation> | null = null;

  /** Tells the streams that there are events. */
  emit(): void {
    this.#wake();
  }

  async *stream(after: string | null, signal: AbortSignal): AsyncGenerator<StreamFrame> {
    this.positions.push(after);
    this.streams.shift()?.();
    let place = after === null ? this.server.head : this.server.events.findIndex(({ id }) => id === after) + 1;
    yield { position: this.server.events[place - 1]?.id ?? 'start', event: null, isCut: false };
    while (!signal.aborted) {
      for (const event of this.server.events.slice(place)) yield { position: event.id, event, isCut: false };
      place = this.server.head;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    }
  }

  /** Fetches the list ahead of time: the next call of `list` answers with what it is now. */
  readEarly(): void {
    this.#early = { ...this.#read(), isFromStart: true };
  }

  async list() {
    return this.#early ?? this.#read();
  }

  #read(): Page<Conversation> {
    const { conversations, cursor } = this.server.list(OPEN.holds, OPEN.sort, null);
    return { items: conversations, cursor };
  }

  async conversation(id: string): Promise<Conversation | null> {
    return this.server.conversations.get(id) ?? null;
  }

  async thread(id: string) {
    this.opened.push(id);
    return this.server.thread(id, null);
  }

  async execute(command: Command): Promise<Outcome> {
    this.tried.push(command.key);
    const outcome = this.outcomes.shift()?.(command) ?? this.server.execute(command);
    this.emit();
    return outcome;
  }
}

class MemoryOutbox implements Outbox {
  readonly kept = new Map<string, Command>();
  onLeft = (take: (commands: readonly Command[]) => void) => {
    take([...this.kept.values()]);
    return () => undefined;
  };
  keep = async (command: Command) => void this.kept.set(command.key, command);
  forget = async (key: string) => void this.kept.delete(key);
}

function start(source: ModelSource, outbox: Outbox = new MemoryOutbox()): LiveSync {
  const sync = new LiveSync(source, outbox);
  started.push(sync);
  void sync.start();
  sync.watch(OPEN);
  return sync;
}

/** Resolves when what is shown is as it should be. */
function until(sync: LiveSync, isSo: (snapshot: Snapshot) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isSo(sync.snapshot())) return;
      stop();
      resolve();
    };
    const stop = sync.subscribe(check);
    check();
  });
}

const rows = ({ client }: Snapshot) => viewList(client, OPEN) ?? [];
const reply = (body: string) =>
  ({ kind: 'reply', content: { type: 'text', body }, after: null, force: false }) as const;

test('what a customer writes is in the list without being asked for', async () => {
  const source = new ModelSource();
  const sync = start(source);
  await until(sync, ({ line, client }) => line === 'current' && client.state.lists.has('open'));
  source.server.customerWrites(1, 1);
  source.emit();
  await until(sync, (one) => rows(one).some(({ contact }) => contact?.name === 'Customer 1'));
});

test('a list that was read when the stream began takes back nothing that events have said since', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  source.readEarly();
  const [id = ''] = source.server.ids;
  const sync = new LiveSync(source, new MemoryOutbox());
  started.push(sync);
  void sync.start();
  await until(sync, ({ line }) => line === 'current');
  source.server.change(id, { status: 'resolved' });
  source.emit();
  await until(sync, ({ client }) => client.state.head > 0);
  sync.watch(OPEN);
  await until(sync, ({ client }) => client.state.lists.has('open') && client.state.stale.conversations.size === 0);
  expect(rows(sync.snapshot())).toEqual([]);
  expect(sync.snapshot().client.state.conversations.get(id)?.value?.status).toBe('resolved');
});

test('a thread that somebody opens is read at once, and does not wait for what else becomes stale', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  const sync = start(source);
  await until(sync, ({ line, client }) => line === 'current' && client.state.lists.has('open'));
  const [id = ''] = source.server.ids;
  sync.open(id);
  // The request leaves before anything else can: no timer, only what follows from the call.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  expect(source.opened).toEqual([id]);
});

test('a reply whose answer is lost is tried again with its key, and stands in the thread once', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  const outbox = new MemoryOutbox();
  const sync = start(source, outbox);
  const [id = ''] = source.server.ids;
  sync.open(id);
  source.outcomes = [
    (command) => {
      source.server.execute(command);
      return { kind: 'lost' };
    },
  ];
  await until(sync, ({ line }) => line === 'current');
  const { key } = sync.submit(id, reply('Hello'));
  await until(sync, ({ client }) => client.commands.length === 0);
  expect(source.tried).toEqual([key, key]);
  expect(viewThread(sync.snapshot().client, id)?.items.filter(({ body }) => body === 'Hello')).toHaveLength(1);
  expect(outbox.kept.size).toBe(0);
});

test('what was refused stays with its reason, and holds nothing up', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  const sync = start(source);
  const [id = ''] = source.server.ids;
  sync.open(id);
  source.outcomes = [() => ({ kind: 'refused', refusal: { code: 'window_closed', sentence: 'It is closed.' } })];
  await until(sync, ({ line }) => line === 'current');
  const refused = sync.submit(id, reply('First'));
  sync.submit(id, reply('Second'));
  await until(sync, ({ client }) => viewThread(client, id)?.items.some(({ body }) => body === 'Second') === true);
  const [left] = sync.snapshot().client.commands;
  expect(left).toMatchObject({ key: refused.key, progress: { at: 'refused', refusal: { sentence: 'It is closed.' } } });
  sync.drop(refused.key);
  expect(sync.snapshot().client.commands).toEqual([]);
});

test('commands of an earlier page are sent with their keys', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  const [conversationId = ''] = source.server.ids;
  const outbox = new MemoryOutbox();
  const progress = { at: 'sending' } as const;
  await outbox.keep({
    key: 'k',
    conversationId,
    intent: reply('Later'),
    issuedAt: '2030-01-01T00:00:00.000Z',
    progress,
  });
  const sync = start(source, outbox);
  await until(sync, ({ line, client }) => line === 'current' && client.commands.length === 0);
  expect(source.tried).toEqual(['k']);
});

test('a stream that cannot be continued begins anew, and everything is read again', async () => {
  const source = new ModelSource();
  const expired = () => {
    throw new StreamExpired('Too long ago.');
  };
  source.streams = [expired];
  source.server.customerWrites(1, 1);
  const sync = start(source);
  await until(sync, (one) => rows(one).length === 1);
  expect(source.positions).toEqual([null, null]);
});

test('messages from before the API, which no event names, are shown in an open thread once all are there', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  const sync = start(source);
  const [id = ''] = source.server.ids;
  sync.open(id);
  await until(sync, (one) => viewThread(one.client, id)?.items.length === 1);
  source.server.bringPast(id);
  source.emit();
  await until(sync, (one) => viewThread(one.client, id)?.items.length === 2);
  await until(sync, ({ line }) => line === 'current');
});

test('an ended session is said, and nothing more is asked', async () => {
  const source = new ModelSource();
  source.streams = [
    () => {
      throw new SignedOut('The session has ended.');
    },
  ];
  const sync = start(source);
  await until(sync, ({ line }) => line === 'signed_out');
  expect(source.positions).toEqual([null]);
});

test('a reply can be undone while it is held, and is sent when the page goes away before', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  const outbox = new MemoryOutbox();
  const sync = start(source, outbox);
  const [id = ''] = source.server.ids;
  sync.open(id);
  await until(sync, ({ line }) => line === 'current');
  const undone = sync.submit(id, reply('Too fast'), 60_000);
  const kept = sync.submit(id, reply('Meant'), 60_000);
  expect(sync.undo(undone.key)).toBe(true);
  expect(source.tried).toEqual([]);
  sync.leave();
  await until(sync, ({ client }) => client.commands.length === 0);
  expect(source.tried).toEqual([kept.key]);
  expect(sync.undo(kept.key)).toBe(false);
  expect(outbox.kept.size).toBe(0);
});

test('what a customer writes while a reply is held does not stand in its way, an answer of somebody else does', async () => {
  const source = new ModelSource();
  source.server.customerWrites(1, 1);
  const sync = start(source);
  const [id = ''] = source.server.ids;
  sync.open(id);
  await until(sync, ({ client }) => viewThread(client, id)?.isLoaded === true);
  const newest = () => source.server.conversations.get(id)?.last_message?.id ?? null;
  const items = (count: number) => until(sync, ({ client }) => viewThread(client, id)?.items.length === count);
  sync.submit(id, { ...reply('Yes'), after: newest() }, 60_000);
  source.server.customerWrites(1, 1);
  source.emit();
  await items(2);
  sync.leave();
  await items(3);
  sync.submit(id, { ...reply('Also'), after: newest() }, 60_000);
  source.server.reply(id, 'From a colleague', { isAgent: true, reference: null });
  source.emit();
  await items(4);
  sync.leave();
  await until(sync, ({ client }) => client.commands[0]?.progress.at === 'refused');
});

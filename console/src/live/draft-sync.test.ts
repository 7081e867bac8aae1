import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftContent, ServerDraft } from './draft-rules.ts';
import { type DraftList, type DraftSource, DraftSync } from './draft-sync.ts';
import { MemoryStorage } from './testing/memory-storage.ts';

const ID = 'conversation';
const text = (body: string): DraftContent => ({ body, mediaIds: [] });

/** The service's draft of one conversation. */
class ModelDrafts implements DraftSource {
  kept: ServerDraft | null = null;
  isAway = false;
  /** Whether the list ends before this conversation. */
  isBeyond = false;
  /** Conversations that were asked for their draft, one by one. */
  readonly reads: string[] = [];
  /** Runs between the moment a list is of, and its answer. */
  afterList: () => unknown = () => undefined;

  async list(): Promise<DraftList> {
    if (this.isAway) throw new Error('The service did not answer.');
    const drafts = new Map(this.kept === null || this.isBeyond ? [] : [[ID, this.kept]]);
    await this.afterList();
    return { drafts, isWhole: !this.isBeyond };
  }
  saves = 0;
  beforeSave: () => void = () => undefined;

  async read(id: string): Promise<ServerDraft | null> {
    this.reads.push(id);
    if (this.isAway) throw new Error('The service did not answer.');
    return this.kept;
  }

  async save(_: string, content: DraftContent): Promise<string | null> {
    await null;
    if (this.isAway) throw new Error('The service did not answer.');
    this.beforeSave();
    this.saves += 1;
    this.put(content);
    return this.kept?.updatedAt ?? null;
  }

  put({ body, mediaIds }: DraftContent): void {
    this.kept = body === '' ? null : { body, mediaIds, updatedAt: new Date().toISOString() };
  }
}

let service: ModelDrafts;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T09:00:00.000Z') });
  service = new ModelDrafts();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Time for every pause, answer and further try. */
const settle = () => vi.advanceTimersByTimeAsync(20_000);

test('what was typed is saved once after a pause, and goes on in another browser', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  for (const body of ['I', 'It', 'It left']) here.edit(ID, text(body));
  await settle();
  expect(service.saves).toBe(1);
  const there = new DraftSync(service, new MemoryStorage());
  await there.open(ID);
  expect(there.of(ID).body).toBe('It left');
});

test('a text that the service has not got is kept through a closed page, and saved when the service is back', async () => {
  const storage = new MemoryStorage();
  service.isAway = true;
  const first = new DraftSync(service, storage);
  first.edit(ID, text('Not lost'));
  await settle();
  first.stop();
  service.isAway = false;
  const next = new DraftSync(service, storage);
  expect(next.of(ID).body).toBe('Not lost');
  await settle();
  expect(service.kept?.body).toBe('Not lost');
});

test('of two texts the newer one counts, and the other one is kept and can be taken', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  service.isAway = true;
  here.edit(ID, text('older, here'));
  await vi.advanceTimersByTimeAsync(60_000);
  service.isAway = false;
  service.put(text('newer, elsewhere'));
  await here.open(ID);
  expect(here.of(ID)).toMatchObject({ body: 'newer, elsewhere', other: { body: 'older, here' } });
  here.takeOther(ID);
  await settle();
  expect(service.kept?.body).toBe('older, here');
  expect(here.of(ID).other).toEqual(text('newer, elsewhere'));
});

test('what is typed now is not replaced by what was saved elsewhere a moment ago', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('typing'));
  await vi.advanceTimersByTimeAsync(1_000);
  service.put(text('elsewhere'));
  await settle();
  expect(here.of(ID)).toMatchObject({ body: 'typing', other: { body: 'elsewhere' } });
  expect(service.kept?.body).toBe('typing');
});

test('a draft that was sent or thrown away elsewhere is gone here too', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('once'));
  await settle();
  service.kept = null;
  await here.open(ID);
  expect(here.of(ID).body).toBe('');
});

test('no conversation is asked for a draft that it has not got', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  await here.open(ID);
  here.edit(ID, text('begun'));
  await settle();
  expect([service.kept?.body, service.reads]).toEqual(['begun', []]);
});

test('drafts that were begun elsewhere are known before their conversations are opened', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  service.put(text('begun elsewhere'));
  await here.refresh();
  expect(here.of(ID).body).toBe('begun elsewhere');
  service.put(text(''));
  await here.refresh();
  expect(here.of(ID).body).toBe('');
});

test('a draft that the list ends before is asked for, and is not taken for thrown away', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  service.put(text('long ago'));
  service.isBeyond = true;
  await here.open(ID);
  expect(here.of(ID).body).toBe('long ago');
  await here.refresh();
  expect(here.of(ID).body).toBe('long ago');
});

test('a list from before the text was saved or sent changes nothing of it', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('first'));
  service.afterList = settle;
  await here.refresh();
  expect(here.of(ID)).toMatchObject({ body: 'first', other: null });
  service.afterList = () => {
    here.send(ID);
    service.put(text(''));
    here.replied(ID);
  };
  await here.refresh();
  expect(here.of(ID).body).toBe('');
});

test('the next text survives that the service deletes the draft with the answer before it', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('first'));
  await settle();
  here.send(ID);
  here.edit(ID, text('second'));
  await settle();
  expect(service.kept?.body).toBe('second');
  service.put(text(''));
  here.replied(ID);
  await settle();
  expect(service.kept).toMatchObject({ body: 'second' });
});

test('a save that was on its way while the text was sent leaves no draft behind', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('sent'));
  service.beforeSave = () => here.send(ID);
  await settle();
  expect(service.kept?.body).toBe('sent');
  service.beforeSave = () => undefined;
  here.replied(ID);
  await settle();
  expect(service.kept).toBeNull();
  expect(here.of(ID).body).toBe('');
});

test('a reply that was undone and thrown away leaves no draft, and no other text is offered', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('too fast'));
  await settle();
  here.send(ID);
  here.edit(ID, text('too fast'));
  here.settle(ID);
  here.edit(ID, text('better'));
  await settle();
  expect(service.kept).toMatchObject({ body: 'better' });
  here.edit(ID, text(''));
  await settle();
  expect(service.kept).toBeNull();
  expect(here.of(ID).other).toBeNull();
});

test('a reply that was refused and thrown away leaves no draft', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('refused'));
  await settle();
  here.send(ID);
  here.settle(ID);
  await settle();
  expect(service.kept).toBeNull();
});

test('a text that comes back elsewhere to what was saved here counts, and is not written over', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('Hello'));
  await settle();
  for (const body of ['Hello you', 'Hello']) {
    service.put(text(body));
    await here.refresh();
    await settle();
    expect([here.of(ID).body, service.kept?.body]).toEqual([body, body]);
  }
});

test('what was saved when the page was left is not taken for somebody else’s when the page is shown again', async () => {
  const here = new DraftSync(service, new MemoryStorage());
  here.edit(ID, text('begun'));
  here.flush();
  here.edit(ID, text('begun, and more'));
  await settle();
  expect(here.of(ID)).toMatchObject({ body: 'begun, and more', other: null });
  expect(service.kept?.body).toBe('begun, and more');
});

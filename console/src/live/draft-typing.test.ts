import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftContent, ServerDraft } from './draft-rules.ts';
import { type DraftList, type DraftSource, DraftSync } from './draft-sync.ts';
import { MemoryStorage } from './testing/memory-storage.ts';

/*
 * Somebody types, sends and looks around while answers of the service come late and in any order: the field always shows what was typed
 * last, and in the end the service keeps just that.
 */
const ID = 'conversation';
const PAUSES_MS = [0, 1, 30, 400, 1_200, 5_000] as const;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T09:00:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Of a request to the service, or of its answer. */
interface Way {
  readonly ms: number;
  readonly isCut: boolean;
}

/** A service that takes its time: on the way there and on the way back, where connections can also be cut. */
class SlowDrafts implements DraftSource {
  kept: ServerDraft | null = null;
  /** Whether no connection is cut any more. */
  isWell = false;
  #version = 0;
  #taken = 0;
  readonly #ways: readonly Way[];

  /** @param ways used one after the other, over and over */
  constructor(ways: readonly Way[]) {
    this.#ways = ways;
  }

  list(): Promise<DraftList> {
    return this.#slowly(() => ({ drafts: new Map(this.kept === null ? [] : [[ID, this.kept]]), isWhole: true }));
  }

  read(): Promise<ServerDraft | null> {
    return this.#slowly(() => this.kept);
  }

  save(_: string, content: DraftContent): Promise<string | null> {
    return this.#slowly(() => {
      this.#version += 1;
      this.kept = content.body === '' ? null : { ...content, updatedAt: new Date(this.#version).toISOString() };
      return this.kept?.updatedAt ?? null;
    });
  }

  /** An answer is stored, and the draft deleted with it, unless it is undone before. */
  async reply(isUndone: () => boolean): Promise<boolean> {
    await rest(this.#next().ms);
    if (isUndone()) return false;
    this.kept = null;
    await rest(this.#next().ms);
    return true;
  }

  async #slowly<T>(work: () => T): Promise<T> {
    await this.#travel();
    const result = work();
    await this.#travel();
    return result;
  }

  async #travel(): Promise<void> {
    const { ms, isCut } = this.#next();
    await rest(ms);
    if (isCut && !this.isWell) throw new Error('The connection was cut.');
  }

  #next(): Way {
    this.#taken += 1;
    return this.#ways[this.#taken % this.#ways.length] as Way;
  }
}

const act = fc.record({
  kind: fc.constantFrom('type', 'type', 'type', 'send', 'look', 'undo', 'turn'),
  /** What passes before the next one. */
  thenMs: fc.constantFrom(...PAUSES_MS),
});
const way = fc.record({ ms: fc.constantFrom(...PAUSES_MS), isCut: fc.nat(5).map((n) => n === 0) });
const day = fc.record({
  acts: fc.array(act, { minLength: 2, maxLength: 30 }),
  ways: fc.array(way, { minLength: 1, maxLength: 12 }),
});

/** What somebody does in the browser, with what must be in the field. */
class Person {
  typed = '';
  readonly #sent: { readonly text: string; isUndone: boolean }[] = [];
  readonly #here: DraftSync;
  readonly #service: SlowDrafts;
  #texts = 0;

  constructor(here: DraftSync, service: SlowDrafts) {
    this.#here = here;
    this.#service = service;
  }

  type(text = `Text ${++this.#texts}`): void {
    this.typed = text;
    this.#here.edit(ID, { body: text, mediaIds: [] });
  }

  send(): void {
    if (this.typed === '') return;
    const one = { text: this.typed, isUndone: false };
    this.#sent.push(one);
    this.typed = '';
    this.#here.send(ID);
    void this.#service
      .reply(() => one.isUndone)
      .then((isStored) => {
        this.#sent.splice(this.#sent.indexOf(one), 1);
        if (isStored) this.#here.replied(ID);
        if (this.#sent.length === 0) this.#here.settle(ID);
      });
  }

  /** It is in time when nothing has been stored yet; the text comes back into an empty field. */
  undo(): void {
    const last = this.#sent.at(-1);
    if (last === undefined || last.isUndone || this.typed !== '') return;
    last.isUndone = true;
    this.type(last.text);
  }

  /** Another conversation is opened. */
  turn(): void {
    this.#here.hurry();
  }

  look(): void {
    void this.#here.open(ID);
  }
}

test('what is typed while a draft is saved, listed or sent is neither replaced nor lost, however late the answers come, and when they are lost', async () => {
  await fc.assert(
    fc.asyncProperty(day, async ({ acts, ways }) => {
      const service = new SlowDrafts(ways);
      const here = new DraftSync(service, new MemoryStorage());
      const person = new Person(here, service);
      for (const { kind, thenMs } of acts) {
        person[kind]();
        await vi.advanceTimersByTimeAsync(thenMs);
        expect(here.of(ID).body).toBe(person.typed);
      }
      service.isWell = true;
      await vi.advanceTimersByTimeAsync(60_000);
      expect([here.of(ID).body, here.of(ID).other]).toEqual([person.typed, null]);
      expect(service.kept?.body ?? '').toBe(person.typed);
      here.stop();
    }),
  );
});

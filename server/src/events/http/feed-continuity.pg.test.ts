import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openPostgres } from '#database/postgres';
import { withEvents } from '#events/actions/with-events';
import { cases } from '#testing/depth';
import { openEventStream } from '#testing/peers/event-stream';
import { receivedData, recordEvents } from '#testing/test-events';
import { testRuntime } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/* Readers that are torn off while transactions of several writers commit late: what only PostgreSQL can show. */

const WRITERS = 4;
const ROUNDS = 12;
const TOTAL = WRITERS * ROUNDS;

let kit: TestService;
let second: Service;
let writing: Database;
let urls: readonly string[];

beforeAll(async () => {
  kit = await startTestService();
  second = await startOther();
  writing = openPostgres({ url: kit.rt.config.databaseUrl, poolSize: WRITERS, log: kit.rt.log });
  urls = [kit.service.url, second.url];
});
afterAll(async () => {
  await writing.close();
  await second.close();
  await kit.close();
});

/** Another process on the same database, as far as the feed is concerned: it shares nothing else. */
function startOther(): Promise<Service> {
  return startService(testRuntime({ ...kit.rt.config, port: 0, roles: 'api' }));
}

/** Transactions that take different times between their facts and their commit. */
async function write(tenantId: TenantId, writer: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await withEvents(kit.rt, writing, async (tx, events) => {
      events.add({ tenantId, type: 'message.received', data: receivedData({ body: `${writer}.${round}` }) });
      await tx.run({ name: 'test_dawdle', text: 'select pg_sleep($1)' }, [((writer * 7 + round) % 5) / 200]);
    });
  }
}

/** One connection of a reader: to which process, and after how many events it is torn off. */
interface Leg {
  readonly way: 'stream' | 'poll';
  readonly process: number;
  readonly take: number;
  /** Torn off while an answer is on its way. */
  readonly early: boolean;
}

const leg: fc.Arbitrary<Leg> = fc.record({
  way: fc.constantFrom('stream' as const, 'poll' as const),
  process: fc.integer({ min: 0, max: 1 }),
  take: fc.integer({ min: 1, max: 9 }),
  early: fc.boolean(),
});

interface FeedAnswer {
  readonly data: readonly { readonly sequence: number }[];
  readonly page: { readonly next_cursor: string | null };
}

/** What a reader remembers: where it stands, and what it has seen. */
class Reader {
  readonly seen: number[] = [];
  lastId: string | null = null;
  readonly #tenant: TestTenant;

  constructor(tenant: TestTenant) {
    this.#tenant = tenant;
  }

  /** Fails at the first gap or repetition: behind a gap a reader would wait in vain. */
  #see(sequence: number): void {
    expect(sequence).toBe(this.seen.length + 1);
    this.seen.push(sequence);
  }

  async walk(legs: readonly Leg[]): Promise<void> {
    for (let index = 0; this.seen.length < TOTAL; index += 1) {
      const next = legs[index % legs.length];
      if (next === undefined) return;
      if (next.way === 'stream') await this.#stream(next);
      else await this.#poll(next);
    }
  }

  async #stream({ process, take, early }: Leg): Promise<void> {
    const stream = await openEventStream(`${urls[process]}/v1/events/stream`, this.#tenant.key, this.lastId);
    const wanted = Math.min(TOTAL, this.seen.length + take);
    let isBehind = early;
    while (this.seen.length < wanted || isBehind) {
      isBehind = false;
      for (const { id, data } of (await stream.next()) ?? []) {
        // Torn off in the middle: what came behind is lost, and asked for again.
        if (this.seen.length >= wanted) break;
        this.lastId = id ?? this.lastId;
        if (data !== null) this.#see(data.sequence);
      }
    }
    stream.cut();
  }

  async #poll({ process, take, early }: Leg): Promise<void> {
    const query = new URLSearchParams({ limit: String(take), wait: '1' });
    if (this.lastId !== null) query.set('after', this.lastId);
    const torn = new AbortController();
    const headers = { authorization: `Bearer ${this.#tenant.key}` };
    const asking = fetch(`${urls[process]}/v1/events?${query}`, { headers, signal: torn.signal });
    if (early) setImmediate(() => torn.abort());
    const page = await asking.then((answer) => answer.json() as Promise<FeedAnswer>).catch(() => null);
    if (page === null) return;
    for (const { sequence } of page.data) this.#see(sequence);
    this.lastId = page.page.next_cursor;
  }
}

const everything = Array.from({ length: TOTAL }, (_, index) => index + 1);

describe('P15: whoever follows the events', () => {
  test('and is torn off at random, from stream or long poll, at either process, misses nothing and sees nothing twice', async () => {
    const legs = fc.array(leg, { minLength: 1, maxLength: 12 }).filter((all) => all.some(({ early }) => !early));
    await fc.assert(
      fc.asyncProperty(fc.array(legs, { minLength: 3, maxLength: 3 }), async (plans) => {
        const tenant = await makeTestTenant(kit);
        const readers = plans.map(() => new Reader(tenant));
        const starts = await Promise.all(
          readers.map(() => openEventStream(`${urls[0]}/v1/events/stream`, tenant.key, null)),
        );
        for (const [index, start] of starts.entries()) {
          const [hello] = (await start.next()) ?? [];
          start.cut();
          const reader = readers[index];
          if (reader) reader.lastId = hello?.id ?? null;
        }
        const writers = Array.from({ length: WRITERS }, (_, writer) => write(tenant.tenantId, writer));
        await Promise.all([...writers, ...readers.map((reader, index) => reader.walk(plans[index] ?? []))]);
        for (const reader of readers) expect(reader.seen).toHaveLength(TOTAL);
      }),
      // A counterexample is short enough as it is found, and a run takes its time.
      { numRuns: cases(8), endOnFailure: true },
    );
  });

  test('at a process that stops is told the end behind a whole event, and goes on at another', async () => {
    const tenant = await makeTestTenant(kit);
    const third = await startOther();
    const stream = await openEventStream(`${third.url}/v1/events/stream`, tenant.key, null);
    const seen: number[] = [];
    let lastId: string | null = null;
    const take = async (from: typeof stream): Promise<boolean> => {
      const blocks = await from.next();
      for (const { id, data } of blocks ?? []) {
        lastId = id ?? lastId;
        if (data !== null) seen.push(data.sequence);
      }
      return blocks !== null;
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(tenant.tenantId, writer)));
    while (seen.length < 5) await take(stream);
    const closing = third.close();
    // Resolves to the end of the stream: a connection that broke off would reject.
    while (await take(stream));
    await closing;
    await writers;
    const again = await openEventStream(`${urls[1]}/v1/events/stream`, tenant.key, lastId);
    while (seen.length < TOTAL) await take(again);
    again.cut();
    expect(seen).toEqual(everything);
  });

  test('gets what another process recorded while nobody was connected, from before the first event on', async () => {
    const tenant = await makeTestTenant(kit);
    const first = await openEventStream(`${urls[1]}/v1/events/stream`, tenant.key, null);
    const [hello] = (await first.next()) ?? [];
    first.cut();
    await recordEvents(kit, tenant.tenantId);
    expect(hello?.id).toMatch(/^00000000-0000-7/);
    const after = await callApi(urls[1] ?? '', 'GET', `/v1/events?after=${hello?.id}`, undefined, {
      authorization: `Bearer ${tenant.key}`,
    });
    expect(after.body.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1]);
  });
});

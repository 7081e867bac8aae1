import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { forgetOwners } from '#accounts/store/lane-owners';
import { withEvents } from '#events/actions/with-events';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { endpointConfig as config, endpointKeyring as keyring, makeEndpoint } from '#testing/test-endpoints';
import { receivedData } from '#testing/test-events';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { listDeliveriesPage } from '#webhooks/store/webhook-deliveries';
import { makeNotifier, type Notifier } from './notifier.ts';
import type { Posted, WebhookPoster } from './post.ts';

const EVENTS = 60;
/** Answers of the first process before it dies. */
const ANSWERS = 12;
const taken: Posted = { status: 204, error: null, detail: null, response: null, retryAfter: undefined };
const failed: Posted = { status: 500, error: 'status', detail: null, response: null, retryAfter: undefined };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());

/** What was posted, by webhook-id; `post` answers the nth. */
function recorder(post: (nth: number) => Promise<Posted>): { readonly poster: WebhookPoster; readonly ids: string[] } {
  const ids: string[] = [];
  const poster: WebhookPoster = {
    post: ({ headers }) => {
      ids.push(headers['webhook-id'] ?? '');
      return post(ids.length);
    },
    close: async () => undefined,
  };
  return { poster, ids };
}

describe('P6: a process that dies while it delivers', () => {
  test('loses no event, and the next one delivers with the same ids what was under way', async () => {
    const { db } = database;
    // Its clock stands still: what it does not do immediately it never does.
    const dying = testRuntime(config, new TestClock());
    const tenantId = await createTenant(dying, db, { name: 'Shop', unknownResends: 0, windowPolicy: 'network' });
    const endpoint = await makeEndpoint(db, tenantId);
    await withEvents(dying, db, async (_tx, events) => {
      for (let index = 0; index < EVENTS; index += 1)
        events.add({ tenantId, type: 'message.received', data: receivedData({ body: String(index) }) });
    });
    let wakeUp: (posted: Posted) => void = () => undefined;
    const silence = new Promise<Posted>((resolve) => {
      wakeUp = resolve;
    });
    const silent = new Promise<void>((resolve) => {
      const first = recorder(async (nth) => {
        if (nth <= ANSWERS) return taken;
        resolve();
        return silence;
      });
      void start(first.poster).then((notifier) => {
        started = { notifier, ids: first.ids };
      });
    });
    let started: { readonly notifier: Notifier; readonly ids: readonly string[] } | null = null;
    async function start(poster: WebhookPoster): Promise<Notifier> {
      const notifier = makeNotifier({ rt: dying, db, keyring, poster });
      await notifier.start();
      return notifier;
    }
    await silent;
    await forgetOwners(db, 'endpoint');

    const next = testRuntime(config);
    let all: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      all = resolve;
    });
    const unfinished = EVENTS - ANSWERS;
    const second = recorder(async (nth) => {
      if (nth >= unfinished) all();
      return taken;
    });
    const survivor = makeNotifier({ rt: next, db, keyring, poster: second.poster });
    await survivor.start();
    await done;
    // What the first was at ends at last, as a failure: too late to count.
    wakeUp(failed);
    await survivor.stop();
    const first: readonly string[] = started === null ? [] : (started as { readonly ids: readonly string[] }).ids;
    const page = await listDeliveriesPage(db, endpoint, {}, { limit: 1000, offset: 0, beforeId: null });
    expect(page.items.length).toBe(EVENTS);
    expect(page.items.filter(({ state }) => state !== 'delivered')).toEqual([]);
    expect(new Set([...first, ...second.ids])).toEqual(new Set(page.items.map(({ eventId }) => eventId)));
    // Twice came only what the first had under way when it died.
    const twice = second.ids.filter((id) => first.slice(0, ANSWERS).includes(id));
    expect(twice.length).toBeLessThanOrEqual(10);
  });
});

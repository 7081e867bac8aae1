import { describe, expect, test } from 'vitest';
import type { DeliveryId, EndpointId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import type { SettledAttempt } from '#webhooks/actions/notify-events';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import type { DueDelivery } from '#webhooks/store/webhook-deliveries';
import { DeliveryEngine } from './delivery-engine.ts';
import type { OpenedEndpoint } from './endpoint-lane.ts';
import type { Posted, PostRequest } from './post.ts';

const HOUR = 3_600_000;
const tenantId = '0190a6f2-0000-7000-8000-000000000001' as TenantId;
const otherTenantId = '0190a6f2-0000-7000-8000-000000000002' as TenantId;

interface Row extends DueDelivery {
  readonly endpoint: string;
  readonly dueMs: number;
}

const taken: Posted = { status: 204, error: null, detail: null, response: null, retryAfter: undefined };
const broken: Posted = { status: 500, error: 'status', detail: null, response: null, retryAfter: undefined };

function endpointOf(name: string): WebhookEndpoint {
  return {
    tenantId: tenantOf(name),
    endpointId: name as EndpointId,
    url: `https://${name}.example/`,
    description: null,
    format: 'postrider',
    types: null,
    ordering: 'none',
    disabledReason: null,
    disabledMs: null,
    failingSinceMs: null,
    secret: { sealed: '', keyId: '' },
    oldSecret: null,
    version: 1,
    createdMs: 0,
    updatedMs: 0,
  };
}

function opened(name: string): OpenedEndpoint {
  const endpoint = endpointOf(name);
  return { endpoint, host: new URL(endpoint.url).host, secretsAt: () => ['whsec_AAAA'] };
}

/** Endpoints called "other…" belong to another tenant. */
const tenantOf = (name: string) => (name.startsWith('other') ? otherTenantId : tenantId);
const keyOf = (name: string) => `${tenantOf(name)}/${name}`;
const toLane = (name: string) => ({ key: keyOf(name), hasEvents: false });

/** The engine over rows in memory; `post` answers for the endpoints, by the names of their hosts. */
function stage(post: (host: string, request: PostRequest) => Promise<Posted>, maxInFlight = 256) {
  const clock = new TestClock();
  const rt = testRuntime({}, clock, () => 0.5);
  let rows: readonly Row[] = [];
  const settled: SettledAttempt[] = [];
  const disabled: string[] = [];
  const failing: string[] = [];
  let polls = 0;
  const engine = new DeliveryEngine({
    rt,
    // Nothing here has a sequence, so no event is read.
    db: null as unknown as Database,
    poster: { post: (request) => post(new URL(request.url).host.split('.')[0] ?? '', request), close: async () => {} },
    maxInFlight,
    holds: () => true,
    open: async ({ key }) => {
      const name = key.split('/')[1] ?? '';
      return disabled.includes(name) ? null : opened(name);
    },
    find: async (lane, limit) => {
      polls += 1;
      lane.hasEvents = false;
      const known = new Set(lane.known());
      const mine = rows.filter((row) => lane.key.endsWith(`/${row.endpoint}`) && row.dueMs <= clock.now());
      const due = mine.filter((row) => !known.has(row.deliveryId)).slice(0, limit);
      return { due, more: due.length === limit };
    },
    settle: async (one) => {
      settled.push(one);
      const { deliveryId, state, attempts, dueMs } = one.settled;
      rows = rows.flatMap((row) => {
        if (row.deliveryId !== deliveryId) return [row];
        return state === 'pending' && dueMs !== null ? [{ ...row, attempts, dueMs }] : [];
      });
    },
    emitFailing: async ({ endpointId }) => void failing.push(endpointId),
    disable: async ({ endpointId }, reason) => void disabled.push(endpointId, reason),
  });
  const enqueue = (endpoint: string, id: string) => {
    const delivery = {
      deliveryId: id as DeliveryId,
      eventId: id,
      sequence: null,
      type: 'message.received',
      body: '{}',
    };
    const fresh = { ...delivery, attempts: 0, orderKey: null, blocksUntilMs: null, dueMs: clock.now(), endpoint };
    rows = [...rows, fresh as Row];
  };
  const own = (...names: string[]) => engine.own(new Map(names.map((name) => [keyOf(name), { epoch: 1 }])), new Set());
  const wake = () => engine.wake([...new Set(rows.map((row) => row.endpoint))].map(toLane));
  return { clock, engine, enqueue, own, wake, settled, disabled, failing, rows: () => rows, polls: () => polls };
}

/** Lets everything run that waits for nothing but its turn. */
const turns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('P6: the delivery engine', () => {
  test('repeats for 75 hours and then gives up, each attempt at its time', async () => {
    const at: number[] = [];
    const { clock, enqueue, own, wake, settled } = stage(async () => {
      at.push(clock.now());
      return broken;
    });
    const beganMs = clock.now();
    enqueue('shop', 'e1');
    own('shop');
    await turns();
    while (settled.at(-1)?.settled.state !== 'failed') {
      const due = settled.at(-1)?.settled.dueMs ?? 0;
      clock.advance(due - clock.now());
      wake();
      await turns();
    }
    const waits = at.map((ms, index) => (ms - (at[index - 1] ?? beganMs)) / 1000);
    const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * 3600);
    expect(waits).toEqual([0, 5, 30, 300, 1800, ...hours]);
    expect(settled.map((one) => one.settled.attempts)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('switches an endpoint off where nothing succeeded for five days, and not before', async () => {
    const { clock, enqueue, own, wake, disabled } = stage(async () => broken);
    own('shop');
    for (const hours of [0, 60, 59]) {
      clock.advance(hours * HOUR);
      enqueue('shop', `after ${hours}`);
      wake();
      await turns();
    }
    expect(disabled).toEqual([]);
    clock.advance(HOUR);
    enqueue('shop', 'the last');
    wake();
    await turns();
    expect(disabled).toContain('failing');
  });

  test('reports once that nothing gets through for half an hour, and again only after something did', async () => {
    let answer: Posted = broken;
    const { clock, enqueue, own, wake, failing } = stage(async () => answer);
    own('shop');
    let events = 0;
    const after = async (minutes: number) => {
      clock.advance((minutes * HOUR) / 60);
      enqueue('shop', `event ${events++}`);
      wake();
      await turns();
    };
    await after(0);
    await after(29);
    expect(failing).toEqual([]);
    await after(1);
    await after(10);
    expect(failing).toEqual(['shop']);
    answer = taken;
    await after(1);
    answer = broken;
    await after(1);
    await after(30);
    expect(failing).toEqual(['shop', 'shop']);
  });

  test('leaves an endpoint alone for as long as Retry-After says', async () => {
    const posts: number[] = [];
    const { clock, enqueue, own, wake } = stage(async () => {
      posts.push(clock.now());
      return posts.length === 1 ? { ...broken, status: 429, retryAfter: '60' } : taken;
    });
    const beganMs = clock.now();
    own('shop');
    enqueue('shop', 'a');
    wake();
    await turns();
    enqueue('shop', 'b');
    clock.advance(59_000);
    wake();
    await turns();
    expect(posts.length).toBe(1);
    clock.advance(1_000);
    wake();
    await turns();
    expect(posts.map((ms) => ms - beganMs)).toEqual([0, 60_000, 60_000]);
  });

  test('delivers to 99 endpoints while one hangs, and to a healthy one while all others hang', async () => {
    const healthy = new Set(Array.from({ length: 99 }, (_item, index) => `ok${index}`));
    const never = new Promise<Posted>(() => undefined);
    const one = stage(async (host) => (healthy.has(host) ? taken : never));
    one.own('hanging', ...healthy);
    for (let event = 0; event < 20; event += 1)
      for (const name of ['hanging', ...healthy]) one.enqueue(name, `${name} ${event}`);
    one.wake();
    for (let turn = 0; turn < 60; turn += 1) await turns();
    expect(one.settled.length).toBe(99 * 20);
    expect(one.engine.inFlight).toBeLessThanOrEqual(10);

    // All fail once, so that they count as failing; then all but one hang, in a process with few places.
    let hang = false;
    const many = stage(async (host) => (host === 'ok' && hang ? taken : hang ? never : broken), 20);
    const names = Array.from({ length: 40 }, (_item, index) => `bad${index}`);
    many.own('ok', ...names);
    for (const name of names) many.enqueue(name, `${name} first`);
    many.wake();
    for (let turn = 0; turn < 20; turn += 1) await turns();
    hang = true;
    many.clock.advance(6_000);
    many.wake();
    await turns();
    many.enqueue('ok', 'through');
    many.wake();
    await turns();
    expect(many.settled.at(-1)?.settled).toMatchObject({ deliveryId: 'through', state: 'delivered' });
  });

  test('delivers for another tenant while two hundred endpoints of one hang, whether they count as failing or not', async () => {
    const never = new Promise<Posted>(() => undefined);
    let first = true;
    const hanging = Array.from({ length: 200 }, (_item, index) => `hanging${index}`);
    const { clock, engine, enqueue, own, wake, settled } = stage(async (host) => {
      if (host.startsWith('hanging')) return first ? broken : never;
      return host === 'other-new' ? broken : taken;
    });
    own(...hanging, 'other', 'other-new');
    for (const name of [...hanging, 'other-new']) enqueue(name, `${name} first`);
    wake();
    for (let turn = 0; turn < 40; turn += 1) await turns();
    first = false;
    clock.advance(6_000);
    for (const name of hanging) enqueue(name, `${name} second`);
    wake();
    await turns();
    expect(engine.inFlight).toBe(64);
    enqueue('other', 'through');
    wake();
    await turns();
    expect(settled.at(-1)?.settled).toMatchObject({ deliveryId: 'through', state: 'delivered' });
    // The endpoint that failed as well is tried in its turn, beside those that hang.
    expect(settled.filter(({ settled: { deliveryId } }) => deliveryId === 'other-new first').length).toBe(2);
  });

  test('reads the lane of an endpoint that hangs every five seconds, however often it is woken, and as soon as it answers', async () => {
    const answers: ((posted: Posted) => void)[] = [];
    const { clock, enqueue, own, wake, settled, polls } = stage(() => new Promise((resolve) => answers.push(resolve)));
    for (const id of ['e1', 'e2']) enqueue('shop', id);
    own('shop');
    await turns();
    expect(answers.length).toBe(2);
    const wakeOften = async (seconds: number) => {
      for (let time = 0; time < seconds * 50; time += 1) {
        wake();
        await turns();
        clock.advance(20);
      }
    };
    const before = polls();
    await wakeOften(11);
    expect(polls() - before).toBe(3);
    enqueue('shop', 'e3');
    wake();
    await turns();
    answers[0]?.(taken);
    await turns();
    expect(settled.map((one) => one.settled.deliveryId)).toEqual(['e1']);
    expect(answers.length).toBe(3);
  });

  test('gives a place that becomes free to the endpoint that has waited longest', async () => {
    const answers: (() => void)[] = [];
    const posted: string[] = [];
    const { enqueue, own, wake } = stage(async (host) => {
      posted.push(host);
      await new Promise<void>((resolve) => answers.push(resolve));
      return taken;
    }, 4);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) for (let event = 0; event < 3; event += 1) enqueue(name, `${name} ${event}`);
    own(...names);
    wake();
    for (let round = 0; round < 15; round += 1) {
      await turns();
      answers.shift()?.();
    }
    // The first may have begun before the others were read.
    expect(new Set(posted.slice(0, names.length + 1))).toEqual(new Set(names));
  });

  test('has at most ten deliveries of an endpoint under way, two before it is known to answer', async () => {
    let [now, most] = [0, 0];
    const answers: (() => void)[] = [];
    const { enqueue, own, wake } = stage(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise<void>((resolve) => answers.push(resolve));
      now -= 1;
      return taken;
    });
    for (let event = 0; event < 60; event += 1) enqueue('shop', `e${event}`);
    own('shop');
    wake();
    await turns();
    expect(now).toBe(2);
    for (let round = 0; round < 40; round += 1) {
      for (const answer of answers.splice(0)) answer();
      await turns();
    }
    expect(most).toBe(10);
  });

  test('stopped in the middle of an attempt settles nothing of it: the delivery stays due', async () => {
    const { clock, engine, enqueue, own, rows, settled } = stage(
      (_host, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ ...broken, status: null, error: 'timeout' }));
        }),
    );
    enqueue('shop', 'kept');
    own('shop');
    await turns();
    const stopped = engine.stop(3_000);
    clock.advance(3_000);
    await stopped;
    expect(settled).toEqual([]);
    expect(rows()).toMatchObject([{ deliveryId: 'kept', attempts: 0 }]);
  });
});

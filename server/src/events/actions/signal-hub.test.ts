import { describe, expect, test } from 'vitest';
import type { AgentId, ConversationId, TenantId } from '#core/ids';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { MAX_SIGNALS_PER_TENANT, SIGNAL_MS, SignalHub } from './signal-hub.ts';
import { takeTurns } from './signal-line.ts';
import { withSignals } from './signal-reader.ts';

const [ONE, OTHER] = ['tenant one', 'tenant other'] as TenantId[] as [TenantId, TenantId];
const ADA = 'ada' as AgentId;
const looking = (name: string, agentId = ADA, writing = false) => {
  return { conversationId: name as ConversationId, agentId, viewing: true, writing };
};

function setUp() {
  const clock = new TestClock();
  const hub = new SignalHub(testRuntime({}, clock));
  return { clock, hub };
}

/** The data of frames, in their order. */
const dataOf = (text: string) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));

describe('the signals of a process', () => {
  test('reach the streams of their tenant alone, and only when they change', () => {
    const { clock, hub } = setUp();
    const [own, foreign] = [hub.enter(ONE), hub.enter(OTHER)];
    for (const writing of [false, false, true]) {
      hub.set(ONE, looking('a', ADA, writing));
      clock.advance(200);
      if (!writing) expect(dataOf(own.take()).length).toBeLessThanOrEqual(1);
    }
    expect(dataOf(own.take())).toEqual([{ conversation_id: 'a', agent_id: ADA, viewing: true, writing: true }]);
    hub.set(ONE, looking('a', ADA, true));
    clock.advance(200);
    expect([own.take(), foreign.take()]).toEqual(['', '']);
  });

  test('end 15 seconds after they were renewed last, and are forgotten', () => {
    const { clock, hub } = setUp();
    const reader = hub.enter(ONE);
    hub.set(ONE, looking('a'));
    clock.advance(SIGNAL_MS - 1_000);
    hub.set(ONE, looking('a'));
    clock.advance(SIGNAL_MS - 1_000);
    expect(dataOf(reader.take())).toMatchObject([{ viewing: true }]);
    clock.advance(2_200);
    expect(dataOf(reader.take())).toMatchObject([{ viewing: false, writing: false }]);
    expect(hub.size).toBe(0);
  });

  test('are what a new stream begins with', () => {
    const { clock, hub } = setUp();
    hub.set(ONE, looking('a'));
    hub.set(ONE, { ...looking('a'), viewing: false });
    hub.set(ONE, looking('b'));
    clock.advance(200);
    expect(dataOf(hub.enter(ONE).take())).toMatchObject([{ conversation_id: 'b' }]);
    expect(dataOf(hub.enter(OTHER).take())).toEqual([]);
  });

  test('of a storm end the oldest of the same tenant, and leave those of others', () => {
    const { clock, hub } = setUp();
    hub.set(OTHER, looking('kept'));
    for (let place = 0; place < 3 * MAX_SIGNALS_PER_TENANT; place++) hub.set(ONE, looking(`storm ${place}`));
    expect(hub.size).toBe(MAX_SIGNALS_PER_TENANT + 1);
    expect(dataOf(hub.enter(OTHER).take())).toMatchObject([{ conversation_id: 'kept' }]);
    clock.advance(SIGNAL_MS + 1_000);
    expect(hub.size).toBe(0);
  });

  test('of a storm are refused while more wait to be passed on than a tenant may hold', () => {
    const { hub } = setUp();
    hub.enter(ONE);
    const taken = Array.from({ length: 2 * MAX_SIGNALS_PER_TENANT }, (_, place) => hub.set(ONE, looking(`${place}`)));
    expect(taken.filter((isTaken) => isTaken).length).toBe(MAX_SIGNALS_PER_TENANT);
    expect(hub.set(OTHER, looking('calm'))).toBe(true);
  });
});

describe('a stream with signals', () => {
  async function* never(): AsyncGenerator<string> {
    yield 'begun ';
    await new Promise(() => undefined);
  }

  test('says them at once, though nothing else happens', async () => {
    const { hub, clock } = setUp();
    const stream = withSignals(never(), hub.enter(ONE));
    expect((await stream.next()).value).toBe('begun ');
    const next = stream.next();
    hub.set(ONE, looking('a'));
    clock.advance(100);
    expect(dataOf((await next).value ?? '')).toMatchObject([{ conversation_id: 'a' }]);
  });

  test('ends when its reader is so far behind that nothing else would bound its memory', async () => {
    const { hub } = setUp();
    const reader = hub.enter(ONE);
    for (let place = 0; place <= 4_000; place++) reader.put(`${place}`, 'x');
    expect(reader.isBehind).toBe(true);
    expect((await withSignals(never(), reader).next()).done).toBe(true);
  });
});

test('tenants take turns on the line between processes', () => {
  const of = (...names: string[]) => new Map(names.map((name) => [name, name]));
  const waiting = new Map([
    [ONE, of('1', '2', '3', '4')],
    [OTHER, of('a')],
  ]);
  expect(takeTurns(waiting, 3)).toEqual(['1', 'a', '2']);
  expect(takeTurns(waiting, 3)).toEqual(['3', '4']);
  expect(waiting.size).toBe(0);
});

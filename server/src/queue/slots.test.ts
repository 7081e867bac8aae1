import { describe, expect, test } from 'vitest';
import { TestClock } from '#testing/test-runtime';
import { Slots } from './slots.ts';

const SIZE = 16;

function holder(key: string, tenant = key) {
  return { key, tenant };
}

/** Takes for a lane and notes the order in which slots came. */
function takeMany(slots: Slots, key: string, count: number, order: string[] = []): string[] {
  for (let index = 0; index < count; index += 1) {
    const id = `${key}-${index}`;
    void slots.take(id, holder(key)).then((isHeld) => isHeld && order.push(id));
  }
  return order;
}

/** Lets callbacks of resolved promises run. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('slots', () => {
  test('a lane that waits for more than its share makes no other lane wait', async () => {
    const slots = new Slots(SIZE, new TestClock());
    const hung = takeMany(slots, 'hung', 100);
    await turn();
    expect(hung.length).toBeLessThan(SIZE);
    expect(await slots.take('other', holder('other'))).toBe(true);
  });

  test('lanes that wait get slots in turns, each in order of arrival', async () => {
    const slots = new Slots(4, new TestClock());
    const order = takeMany(slots, 'a', 6);
    for (const key of ['b', 'c']) takeMany(slots, key, 3, order);
    await turn();
    const before = order.length;
    for (const id of [...order]) slots.release(id);
    await turn();
    expect(new Set(order.slice(before, before + 3).map((id) => id[0]))).toEqual(new Set(['a', 'b', 'c']));
    for (let round = 0; round < 12; round += 1) {
      for (const id of [...order]) slots.release(id);
      await turn();
    }
    for (const key of ['a', 'b', 'c']) {
      const places = order.filter((id) => id.startsWith(key)).map((id) => Number(id.slice(2)));
      expect(places).toEqual([...places.keys()]);
    }
    expect(order.length).toBe(12);
    expect([slots.held, slots.waiting]).toEqual([0, 0]);
  });

  test('closing dismisses those that wait without a slot, and lets those that hold one finish', async () => {
    const slots = new Slots(2, new TestClock());
    const held = await Promise.all([slots.take(1, holder('a')), slots.take(2, holder('b'))]);
    const waiting = slots.take(3, holder('c'));
    slots.close();
    expect(held).toEqual([true, true]);
    expect(await waiting).toBe(false);
    expect(await slots.take(4, holder('d'))).toBe(false);
    expect(slots.held).toBe(2);
    slots.release(1);
    expect(slots.held).toBe(1);
  });

  test('a lane that is delayed for long is reported with what it holds', async () => {
    const clock = new TestClock();
    const slots = new Slots(SIZE, clock);
    const held = takeMany(slots, 'hung', 20);
    await turn();
    clock.advance(5_000);
    expect(slots.heldUp(5_000)).toEqual([]);
    clock.advance(1);
    expect(slots.heldUp(5_000)).toEqual([
      { holder: holder('hung'), held: held.length, waiting: 20 - held.length, waitedMs: 5_001 },
    ]);
  });
});

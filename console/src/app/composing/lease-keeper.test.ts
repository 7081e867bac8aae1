import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LeaseKeeper } from './lease-keeper.ts';

/* Somebody writes, stops and sends while answers of the service come late: nobody is held up by somebody who writes nothing. */
const COLLEAGUE = 'ben';
const SLOW_MS = 4_000;
/** Longer than a lease lasts when nobody renews it. */
const LONG_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T09:00:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service that takes its time on the way there and on the way back, and that a colleague may be writing in too. */
function slowService(waits: readonly number[]) {
  const state = { isOurs: false, isColleagues: false, shown: null as string | null };
  let calls = 0;
  const rest = () => new Promise<void>((resolve) => setTimeout(resolve, waits[calls++ % waits.length] ?? 0));
  const keeper = new LeaseKeeper(
    {
      take: async () => {
        await rest();
        const holderId = state.isColleagues ? COLLEAGUE : null;
        if (holderId === null) state.isOurs = true;
        await rest();
        return holderId;
      },
      release: async () => {
        await rest();
        state.isOurs = false;
        await rest();
      },
    },
    (holderId) => {
      state.shown = holderId;
    },
  );
  return { keeper, state };
}

test('a colleague is not said to write by an answer that comes when the own text was sent', async () => {
  const { keeper, state } = slowService([SLOW_MS]);
  state.isColleagues = true;
  keeper.write('It left');
  keeper.write('');
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(state.shown).toBeNull();
});

test('a lease that is given back while it is being taken is not held afterwards', async () => {
  const { keeper, state } = slowService([SLOW_MS, 0]);
  keeper.write('It left');
  keeper.write('');
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(state.isOurs).toBe(false);
});

test('who holds it is shown while somebody writes, and not any more once they could take it', async () => {
  const { keeper, state } = slowService([10]);
  state.isColleagues = true;
  keeper.write('It');
  await vi.advanceTimersByTimeAsync(100);
  expect(state.shown).toBe(COLLEAGUE);
  state.isColleagues = false;
  await vi.advanceTimersByTimeAsync(15_000);
  keeper.write('It left');
  await vi.advanceTimersByTimeAsync(100);
  expect(state).toMatchObject({ shown: null, isOurs: true });
});

test('who pauses is shown nobody, and gives the lease back', async () => {
  const { keeper, state } = slowService([10]);
  state.isColleagues = true;
  keeper.write('It');
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(state.shown).toBeNull();
  state.isColleagues = false;
  keeper.write('It left');
  await vi.advanceTimersByTimeAsync(100);
  expect(state.isOurs).toBe(true);
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(state.isOurs).toBe(false);
});

test('a call that fails keeps no later one back', async () => {
  const { keeper, state } = slowService([0]);
  const failing = new LeaseKeeper(
    {
      take: () => Promise.reject(new Error('cut')),
      release: async () => {
        state.isOurs = false;
      },
    },
    () => undefined,
  );
  state.isOurs = true;
  failing.write('It');
  failing.write('');
  await vi.advanceTimersByTimeAsync(10);
  expect(state.isOurs).toBe(false);
  keeper.stop();
});

test('whatever is written, left and sent, in the end nothing is held and nobody is shown', async () => {
  const step = fc.record({
    text: fc.constantFrom('', 'It', 'It left', 'It left this morning.'),
    isColleagues: fc.boolean(),
    ms: fc.constantFrom(0, 1, 200, 5_000, 16_000, 25_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(fc.constantFrom(0, 1, 300, SLOW_MS, 18_000), { minLength: 1, maxLength: 5 }),
      async (steps, waits) => {
        const { keeper, state } = slowService(waits);
        for (const { text, isColleagues, ms } of steps) {
          state.isColleagues = isColleagues;
          keeper.write(text);
          if (text === '') expect(state.shown).toBeNull();
          await vi.advanceTimersByTimeAsync(ms);
          if (text === '') expect(state.shown).toBeNull();
        }
        keeper.stop();
        await vi.advanceTimersByTimeAsync(20 * LONG_MS);
        expect(state).toMatchObject({ shown: null, isOurs: false });
      },
    ),
  );
});

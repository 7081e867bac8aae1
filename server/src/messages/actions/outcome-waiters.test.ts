import { beforeEach, expect, test, vi } from 'vitest';
import type { MessageId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { outboundMessage } from '#http/testing/messages';
import { findMessage } from '#messages/store/message-reads';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { awaitOutcome, OutcomeWaiters } from './outcome-waiters.ts';

vi.mock('#messages/store/message-reads', () => ({ findMessage: vi.fn() }));
const find = vi.mocked(findMessage);
const tenantId = 't' as TenantId;
const messageId = 'm' as MessageId;
const sent = outboundMessage({ status: 'sent' });

beforeEach(() => void find.mockReset().mockResolvedValue(outboundMessage()));

const requireAllowed = async () => undefined;

function start(waitMs: number) {
  const clock = new TestClock();
  const watch = new OutcomeWaiters();
  const parts = { rt: testRuntime({}, clock), db: {} as Database, watch };
  return { clock, watch, waiting: awaitOutcome(parts, { tenantId, messageId, waitMs, requireAllowed }) };
}

/** The waiting request has polled once more and waits again. */
async function looked(times: number): Promise<void> {
  await expect.poll(() => find.mock.calls.length).toBe(times);
  await new Promise<void>((resolve) => setImmediate(resolve));
}

test('a message that is over already is answered without a wait', async () => {
  find.mockResolvedValue(sent);
  expect(await start(5_000).waiting).toBe(sent);
});

test('a change that this process stores ends the wait immediately, without the clock', async () => {
  const { watch, waiting } = start(5_000);
  await looked(1);
  find.mockResolvedValue(sent);
  watch.changed('another message');
  expect(find).toHaveBeenCalledTimes(1);
  watch.changed(messageId);
  expect(await waiting).toBe(sent);
  expect(watch.idle).toBe(true);
});

test('a change while the request polls is not missed', async () => {
  const { watch, waiting } = start(5_000);
  find.mockResolvedValue(sent);
  watch.changed(messageId);
  expect(await waiting).toBe(sent);
});

test('another process that sends is noticed by the poll', async () => {
  const { clock, waiting } = start(5_000);
  await looked(1);
  find.mockResolvedValue(sent);
  clock.advance(500);
  expect(await waiting).toBe(sent);
});

test('the wait ends with its time, and leaves nothing behind', async () => {
  const { clock, watch, waiting } = start(700);
  await looked(1);
  clock.advance(500);
  await looked(2);
  clock.advance(200);
  expect(await waiting).toBeNull();
  expect(watch.idle).toBe(true);
});

test('a process that stops lets all of them go', async () => {
  const { watch, waiting } = start(5_000);
  await looked(1);
  watch.close();
  expect(await waiting).toBeNull();
  expect(watch.full).toBe(true);
});

test('the thousand-and-first does not wait', async () => {
  const watch = new OutcomeWaiters();
  const leave = Array.from({ length: 1_000 }, (_waiter, index) => watch.add(`m${index}`, () => undefined));
  const parts = { rt: testRuntime(), db: {} as Database, watch };
  expect(await awaitOutcome(parts, { tenantId, messageId, waitMs: 5_000, requireAllowed })).toBeNull();
  for (const one of leave) one();
  expect([watch.idle, watch.full]).toEqual([true, false]);
});

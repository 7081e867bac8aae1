import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { describeConversation } from '#conversations/domain/conversation-events';
import { findConversation } from '#conversations/store/conversations';
import { ApiProblem } from '#core/errors';
import type { ConversationId, PhoneNumberId, TenantId } from '#core/ids';
import { type ConversationKit, conversationKit, type Written } from '#testing/conversation-kit';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;
const DAY = 24 * HOUR;
const phoneNumberId = '106540352242922' as PhoneNumberId;
let database: TestDatabase;
let tenantId: TenantId;
let kit: ConversationKit;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  kit = conversationKit({ rt, db: database.db, tenantId, phoneNumberId });
});
afterAll(() => database.drop());

const CUSTOMERS = 8;
let customers: readonly Written['contactId'][] = [];

async function customerWrites(fields: { networkMs?: number; isReferred?: boolean } = {}): Promise<ConversationId> {
  if (customers.length === 0) customers = await kit.contacts(CUSTOMERS);
  const [contactId, ...rest] = customers;
  customers = rest;
  if (contactId === undefined) throw new Error('More customers are needed.');
  const [written] = await kit.customersWrite([contactId], fields);
  return (written as Written).conversationId;
}

/** `sent`, or the code and the sentence of the refusal. */
async function answer(conversationId: ConversationId, type: 'text' | 'template' = 'text'): Promise<string> {
  const key = { kind: 'key', id: 'k' } as const;
  return kit.answer(conversationId, key, { type }).then(
    () => 'sent',
    (error: unknown) => {
      if (error instanceof ApiProblem) return `${error.code}: ${error.message}`;
      throw error;
    },
  );
}

async function windowOf(conversationId: ConversationId): Promise<Record<string, unknown>> {
  const found = await findConversation(database.db, tenantId, conversationId);
  if (found === null) throw new Error('There is no such conversation.');
  return describeConversation(found, clock.now()).window as Record<string, unknown>;
}

const CLOSED =
  'window_closed: The 24-hour window of this customer is closed. Send a template, or wait until the customer writes.';

describe('P10: the window', () => {
  test('P10: is open a second before 24 hours are over and closed a second after; the refusal and the conversation name the way out', async () => {
    const conversationId = await customerWrites();
    const expiresAt = new Date(clock.now() + DAY).toISOString();
    clock.advance(DAY - SECOND);
    expect(await windowOf(conversationId)).toMatchObject({ state: 'open', expires_at: expiresAt });
    expect(await answer(conversationId)).toBe('sent');
    clock.advance(SECOND - 1);
    expect(await answer(conversationId)).toBe('sent');
    clock.advance(1);
    expect(await answer(conversationId)).toBe(CLOSED);
    clock.advance(SECOND);
    expect(await windowOf(conversationId)).toEqual({
      state: 'closed',
      expires_at: expiresAt,
      allowed: ['template'],
      free_until: null,
    });
    expect(await answer(conversationId)).toBe(CLOSED);
    expect(await answer(conversationId, 'template')).toBe('sent');
  });

  test('P10: counts from when the customer wrote, not from when we received it', async () => {
    const late = await customerWrites({ networkMs: clock.now() - DAY + SECOND });
    expect(await answer(late)).toBe('sent');
    clock.advance(2 * SECOND);
    expect(await answer(late)).toBe(CLOSED);
  });

  test('P10: a network clock that is ahead of ours, or a time that is none, prolongs nothing', async () => {
    const ahead = await customerWrites({ networkMs: clock.now() + 5 * 60 * SECOND });
    const absurd = await customerWrites({ networkMs: clock.now() + 365 * DAY });
    const behind = await customerWrites({ networkMs: clock.now() - 5 * 60 * SECOND });
    clock.advance(DAY - 5 * 60 * SECOND - SECOND);
    expect(await Promise.all([ahead, absurd, behind].map((one) => answer(one)))).toEqual(['sent', 'sent', 'sent']);
    clock.advance(2 * SECOND);
    // By the network's clock it is over: better five minutes early than a message that the network refuses.
    expect(await answer(behind)).toBe(CLOSED);
    clock.advance(5 * 60 * SECOND);
    expect(await Promise.all([ahead, absurd].map((one) => answer(one)))).toEqual([CLOSED, CLOSED]);
  });

  test('P10: a conversation from an advertisement is free for 72 hours from the first answer, and still closes after 24', async () => {
    const conversationId = await customerWrites({ isReferred: true });
    expect(await windowOf(conversationId)).toMatchObject({ state: 'open', free_until: null });
    clock.advance(HOUR);
    expect(await answer(conversationId)).toBe('sent');
    const freeUntil = new Date(clock.now() + 3 * DAY).toISOString();
    expect((await windowOf(conversationId)).free_until).toBe(freeUntil);
    clock.advance(3 * DAY - SECOND);
    expect(await windowOf(conversationId)).toMatchObject({ state: 'closed', free_until: freeUntil });
    expect([await answer(conversationId), await answer(conversationId, 'template')]).toEqual([CLOSED, 'sent']);
    clock.advance(SECOND);
    expect((await windowOf(conversationId)).free_until).toBe(null);
  });
});

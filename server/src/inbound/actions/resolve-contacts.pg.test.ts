import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { withEvents } from '#events/actions/with-events';
import type { InboundRow } from '#inbound/store/inbound-batch';
import type { Runtime } from '#runtime/runtime';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { resolveContacts } from './resolve-contacts.ts';

let rt: Runtime;
let database: TestDatabase;

beforeAll(async () => {
  rt = testRuntime();
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

function rowOf(tenantId: TenantId, phone: string): InboundRow {
  const nowMs = rt.clock.now();
  return {
    tenantId,
    messageId: rt.newId<MessageId>(),
    networkMessageId: rt.newId<string>(),
    phoneNumberId: '1' as PhoneNumberId,
    phone,
    userId: null,
    profileName: 'Ada',
    username: null,
    type: 'text',
    body: 'Hi',
    content: {},
    replyTo: null,
    referral: null,
    context: null,
    groupId: null,
    opensWindow: true,
    versions: null,
    deletedMs: null,
    networkMs: nowMs,
    nowMs,
  };
}

test('concurrent batches with the same people in any order make one contact each, without a deadlock', async () => {
  const tenantId = rt.newId<TenantId>();
  const phones = Array.from({ length: 12 }, (_, index) => `55119876543${10 + index}`);
  const spelled = (phone: string, round: number) => (round % 2 === 0 ? phone : phone.replace(/^55119/, '5511'));
  const rounds = Array.from({ length: 12 }, (_, round) => {
    const turned = [...phones.slice(round), ...phones.slice(0, round)];
    return turned.map((phone) => rowOf(tenantId, spelled(phone, round)));
  });
  const ids = await Promise.all(
    rounds.map((rows) =>
      withEvents(rt, database.db, async (tx, events) => {
        const senderOf = await resolveContacts({ rt, tx, events, nowMs: rt.clock.now(), survivors: new Map() }, rows);
        return rows.map(senderOf);
      }),
    ),
  );
  expect(new Set(ids.flat()).size).toBe(phones.length);
});

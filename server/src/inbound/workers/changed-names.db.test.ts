import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callbackBody, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { freshUserId } from '#testing/user-ids';

let kit: TestService;
let tenant: TestTenant;
let written = 0;

beforeAll(async () => {
  kit = await startTestService();
  startS = Math.floor(kit.rt.clock.now() / 1000) - 60;
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());

let startS: number;
const data = async (path: string): Promise<Answer['body'][]> => (await tenant.call('GET', path)).body.data;
const contacts = () => data('/v1/contacts');
const events = async (types: string) => (await data(`/v1/events?types=${types}`)).map((event) => event.data);

interface Names {
  readonly phone?: string;
  readonly userId?: string;
}

const named = ({ phone, userId }: Names) => ({ from: phone, from_user_id: userId });
const message = (names: Names, second: number, fields: object) => {
  written += 1;
  return inboundText(`wamid.NAMES.${written}`, '', { ...named(names), timestamp: String(startS + second), ...fields });
};
const callback = (...messages: readonly object[]) => callbackBody({ phoneNumberId: tenant.phoneNumberId, messages });

/** Somebody writes under these names, so many seconds after the beginning. */
const writes = (names: Names, second = 0) => ingest(kit, callback(message(names, second, {})));
const system = (names: Names, second: number, what: object) =>
  message(names, second, { type: 'system', text: undefined, system: what });
const changesNumber = (phone: string, to: string, second = 0, more: object = {}) =>
  system({ phone }, second, {
    type: 'user_changed_number',
    body: `User changed from ${phone} to ${to}`,
    wa_id: to,
    ...more,
  });

/** A change that is reported in a field of its own, in as many members as there are pairs. */
function userIdUpdate(
  second: number,
  ...pairs: readonly (readonly [previous: string, current: string, phone?: string])[]
) {
  const updates = pairs.map(([previous, current, phone]) => {
    return { wa_id: phone, user_id: { previous, current }, timestamp: String(startS + second) };
  });
  const metadata = { phone_number_id: tenant.phoneNumberId };
  const change = { field: 'user_id_update', value: { metadata, user_id_update: updates } };
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '3', changes: [change] }] });
}

const openOf = async (contactId: string) => {
  const all = await data(`/v1/conversations?contact_id=${contactId}`);
  return all.filter(({ status }) => status !== 'resolved');
};

/** Whom a reply in the one open conversation of a contact goes to. */
async function replyGoesTo(contactId: string): Promise<string> {
  const [conversation, ...more] = await openOf(contactId);
  expect(more).toEqual([]);
  const body = { type: 'text', body: 'Hello' };
  return (await tenant.call('POST', `/v1/conversations/${conversation.id}/messages`, body)).body.to;
}

describe('a customer with a new number', () => {
  test('stays one contact with one conversation, is answered at the new number, and is found by the old one', async () => {
    const [old, now] = [freshPhone(), freshPhone()];
    await writes({ phone: old });
    const [{ id }] = await contacts();
    await ingest(kit, callback(changesNumber(old, now)));
    expect(await replyGoesTo(id)).toBe(now);
    expect(await events('contact.updated')).toMatchObject([{ id, changes: { phone: [old, now] } }]);
    await writes({ phone: now }, 5);
    // Written before the change, and late.
    await writes({ phone: old }, -5);
    expect(await contacts()).toMatchObject([{ id, phone: now }]);
    expect(await data(`/v1/contacts?phone=${old}`)).toMatchObject([{ id }]);
    expect(await replyGoesTo(id)).toBe(now);
    expect(await data('/v1/conversations')).toHaveLength(1);
    // A list of customers that still has the old number.
    const listed = { phone: old, name: 'Ada' };
    const updated = await tenant.call('POST', '/v1/contacts?on_conflict=update', listed);
    expect(updated.body).toMatchObject({ id, phone: now, name: 'Ada' });
  });

  test('has the old number again once somebody says so', async () => {
    const [old, now] = [freshPhone(), freshPhone()];
    await writes({ phone: old }, -20);
    const [{ id }] = await contacts();
    await ingest(kit, callback(changesNumber(old, now, -10)));
    expect((await tenant.call('PATCH', `/v1/contacts/${id}`, { phone: old })).body.phone).toBe(old);
    await writes({ phone: old }, 5);
    expect(await contacts()).toMatchObject([{ id, phone: old }]);
  });

  test('who wrote from it first is one contact again, whose unresolved conversation is the one that was written in last', async () => {
    const [old, now] = [freshPhone(), freshPhone()];
    await writes({ phone: old });
    const [{ id }] = await contacts();
    await writes({ phone: now }, 5);
    const change = callback(changesNumber(old, now, 3));
    await ingest(kit, change, change);
    expect(await contacts()).toMatchObject([{ id, phone: now }]);
    const [{ merged_contact_id: mergedId }] = await events('contact.merged');
    expect(await data(`/v1/contacts/${id}/merges`)).toMatchObject([
      { contact_id: id, merged_contact_id: mergedId, actor: { kind: 'system', id: null } },
    ]);
    expect(await replyGoesTo(id)).toBe(now);
    expect(await data('/v1/conversations')).toHaveLength(2);
  });

  test('gives the old number up: whoever writes from it later is somebody else, whom an opt-out of the former owner does not silence', async () => {
    const [old, now] = [freshPhone(), freshPhone()];
    await ingest(kit, callback(message({ phone: old }, 0, { text: { body: 'STOP' } }), changesNumber(old, now, 10)));
    const [{ id }] = await contacts();
    await ingest(kit, callback(message({ phone: old }, 9, {}), message({ phone: old }, 11, {})));
    const [later, ...others] = (await contacts()).filter((one) => one.id !== id);
    expect([later.phone, later.consent.marketing, others]).toEqual([old, 'unknown', []]);
    expect((await data(`/v1/messages/inbound?from=${old}&limit=100`)).map((one) => one.contact_id)).toEqual([
      later.id,
      ...Array(3).fill(id),
    ]);
    expect(await replyGoesTo(later.id)).toBe(old);
    const bulk = (to: string) => tenant.call('POST', '/v1/messages', { to, body: 'Sale', priority: 'bulk' });
    expect([(await bulk(old)).status, (await bulk(now)).body.code]).toEqual([202, 'recipient_opted_out']);
  });
});

describe('a customer with a new user id', () => {
  const [before, after] = [freshUserId, freshUserId];
  const sentence = (was: string, is: string) => ({
    type: 'user_changed_user_id',
    user_id: is,
    body: `User Ada changed from ${was} to ${is}`,
  });

  test.each([
    [
      'in a message without a sender',
      (was: string, is: string) => callback(system({}, 3, { ...sentence(was, is), previous_user_id: was })),
    ],
    [
      'in a message of the former id',
      (was: string, is: string) => callback(system({ userId: was }, 3, sentence(was, is))),
    ],
    [
      'in a message of the new id, whose sentence alone names the former',
      (was: string, is: string) => callback(system({ userId: is }, 3, sentence(was, is))),
    ],
    ['in a field of its own', (was: string, is: string) => userIdUpdate(3, [freshUserId(), freshUserId()], [was, is])],
  ])('that is reported %s stays one contact and is answered by it', async (_how, report) => {
    const [was, is] = [before(), after()];
    await writes({ userId: was });
    const [{ id }] = await contacts();
    await ingest(kit, report(was, is));
    await writes({ userId: is }, 5);
    await writes({ userId: was }, 2);
    expect(await contacts()).toMatchObject([{ id, user_id: is }]);
    expect(await replyGoesTo(id)).toBe(is);
  });

  test('whom nobody knows is made no contact by a report alone; it counts when it is replayed', async () => {
    const [was, is] = [before(), after()];
    await ingest(kit, userIdUpdate(3, [was, is]));
    expect(await contacts()).toEqual([]);
    const text = "select name from callback_leftovers where raw #>> '{previous,userId}' = $1";
    const { rows } = await kit.service.db.run({ name: 'test_leftovers_of_id', text }, [was]);
    expect(rows).toEqual([{ name: 'unknown_person' }]);
  });
});

describe('a message that shows a number and a user id', () => {
  test('makes the contact of the one and the contact of the other one, with what both have', async () => {
    const [userId, phone] = [freshUserId(), freshPhone()];
    await writes({ userId });
    const made = await tenant.call('POST', '/v1/contacts', { phone, name: 'Ada', external_id: `crm-${phone}` });
    await writes({ phone, userId }, 5);
    expect(await contacts()).toMatchObject([{ phone, user_id: userId, name: 'Ada', external_id: `crm-${phone}` }]);
    const [{ id }] = await contacts();
    const [merged] = await events('contact.merged');
    expect(new Set([id, merged.merged_contact_id])).toContain(made.body.id);
    expect(await replyGoesTo(id)).toBe(phone);
  });

  test('leaves two apart that somebody took apart', async () => {
    const [userId, phone] = [freshUserId(), freshPhone()];
    await writes({ userId });
    await writes({ phone }, 1);
    await writes({ phone, userId }, 5);
    const [{ merged_contact_id: mergedId }] = await events('contact.merged');
    await tenant.call('POST', `/v1/contacts/${mergedId}/unmerge`);
    await writes({ phone, userId }, 9);
    const two = await contacts();
    expect(two).toHaveLength(2);
    expect(new Set(two.map((one) => one.user_id))).toEqual(new Set([userId, null]));
  });
});

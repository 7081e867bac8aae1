import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const CONTACTS = '/v1/contacts';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const create = async (fields: object = {}) =>
  (await tenant.call('POST', CONTACTS, { phone: freshPhone(), ...fields })).body;
const merge = (id: string, contact_id: string, headers = {}) =>
  tenant.call('POST', `${CONTACTS}/${id}/merge`, { contact_id }, headers);
const unmerge = (id: string) => tenant.call('POST', `${CONTACTS}/${id}/unmerge`);
const read = async (id: string) => (await tenant.call('GET', `${CONTACTS}/${id}`)).body;
const conversations = async (query: string) => (await tenant.call('GET', `/v1/conversations?${query}`)).body.data;

async function write(from: string, text = 'Hi') {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}&limit=1`);
  return (await kit.until(list, ({ body }) => body.data[0]?.body === text, 'the message is stored')).body.data[0];
}

describe('merging', () => {
  test('the survivor has what the other had, its own first, and the old id leads to it', async () => {
    const one = await create({ name: 'Ada', tags: ['VIP'] });
    const two = await create({ name: 'Bo', language: 'en', tags: ['tea', 'vip'], external_id: 'crm-2' });
    const answer = await merge(one.id, two.id, { 'if-match': '"1"' });
    const now = {
      id: one.id,
      phone: one.phone,
      name: 'Ada',
      language: 'en',
      external_id: 'crm-2',
      tags: ['VIP', 'tea'],
    };
    expect(answer).toMatchObject({ status: 200, body: now });
    expect(await read(two.id)).toMatchObject(now);
    expect((await tenant.call('GET', `${CONTACTS}?phone=${two.phone}`)).body.data).toMatchObject([{ id: one.id }]);
    expect((await tenant.call('PATCH', `${CONTACTS}/${two.id}`, { name: 'Cy' })).body).toMatchObject({ id: one.id });
    const [merged] = (await tenant.call('GET', `${CONTACTS}/${one.id}/merges`)).body.data;
    expect(merged).toMatchObject({ contact_id: one.id, merged_contact_id: two.id, undone_at: null });
    expect((await tenant.call('GET', '/v1/events?types=contact.merged')).body.data).toMatchObject([
      { data: { id: one.id, merged_contact_id: two.id, merge_id: merged.id } },
    ]);
  });

  test('of two open conversations with one number the one that was written in last goes on, with the longer wait', async () => {
    const early = await write(freshPhone(), 'Where is my parcel?');
    const late = await write(freshPhone(), 'Hello?');
    const [waited] = await conversations(`contact_id=${early.contact_id}`);
    await merge(early.contact_id, late.contact_id);
    const open = await conversations(`contact_id=${early.contact_id}&status=open`);
    expect(open).toMatchObject([{ id: late.conversation_id, waiting_since: waited.waiting_since }]);
    const message = (await tenant.call('GET', `/v1/messages/${late.id}`)).body;
    expect(message).toMatchObject({ contact_id: early.contact_id, conversation_id: late.conversation_id });
    const next = await write(early.from, 'Anybody there?');
    expect(next).toMatchObject({ contact_id: early.contact_id, conversation_id: late.conversation_id });
    await unmerge(late.contact_id);
    expect(await conversations('status=open')).toHaveLength(2);
    expect(await conversations(`contact_id=${early.contact_id}`)).toMatchObject([{ id: early.conversation_id }]);
  });

  test('a refusal of marketing counts for every number of the two, and what waits for them is canceled', async () => {
    const [one, two] = [await create(), await create()];
    const waiting = await tenant.send(two.phone, { campaign_name: 'spring', send_at: inAnHour() });
    await tenant.call('POST', `${CONTACTS}/${one.id}/consent`, { marketing: 'denied', source: 'desk' });
    await merge(one.id, two.id);
    expect((await tenant.message(waiting)).delivery.error.code).toBe('contact_opted_out');
    await unmerge(two.id);
    expect((await read(two.id)).consent.marketing).toBe('unknown');
    expect((await read(one.id)).consent.marketing).toBe('denied');
  });

  test('two at once in opposite directions: one is done, the other is told so', async () => {
    const [one, two] = [await create(), await create()];
    const answers = await Promise.all([merge(one.id, two.id), merge(two.id, one.id), merge(one.id, two.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test('messages that arrive while contacts are merged are all the survivor’s', async () => {
    const [one, two] = [await write(freshPhone()), await write(freshPhone())];
    const inbound = (n: number) => ({
      phone_number_id: tenant.phoneNumberId,
      from: n % 2 ? one.from : two.from,
      text: `Message ${n}`,
    });
    const writing = Array.from({ length: 6 }, (_, n) => kit.simulate('POST', '/_sim/inbound', inbound(n)));
    await Promise.all([...writing, merge(one.contact_id, two.contact_id)]);
    const list = async () => (await tenant.call('GET', '/v1/messages/inbound')).body.data;
    const data = await kit.until(list, (all) => all.length === 8, 'all messages are stored');
    expect(new Set(data.map((message: { contact_id: string }) => message.contact_id))).toEqual(
      new Set([one.contact_id]),
    );
    expect(await conversations('status=open')).toHaveLength(1);
  });

  test('erasing the survivor erases what was merged into it', async () => {
    const [one, two] = [await create(), await create({ name: 'Grace' })];
    await merge(one.id, two.id);
    await tenant.call('DELETE', `${CONTACTS}/${one.id}`);
    expect((await tenant.call('GET', `${CONTACTS}/${two.id}`)).status).toBe(404);
    expect((await unmerge(two.id)).status).toBe(404);
    const text =
      "select count(*)::int as n from contacts where tenant_id = $1 and (name = 'Grace' or phone is not null)";
    expect((await kit.service.db.run({ name: 'test_erased', text }, [tenant.tenantId])).rows).toEqual([{ n: 0 }]);
  });
});

describe('taking back', () => {
  test('what was changed since stays with the survivor, the rest is as it was', async () => {
    const [one, two] = [await create({ tags: ['VIP'] }), await create({ name: 'Bo', language: 'en', tags: ['tea'] })];
    await merge(one.id, two.id);
    await tenant.call('PATCH', `${CONTACTS}/${one.id}`, { name: 'Ada', tags: ['VIP', 'tea', 'new'] });
    expect((await unmerge(two.id)).body).toMatchObject({ id: two.id, name: 'Bo', language: 'en', tags: ['tea'] });
    expect(await read(one.id)).toMatchObject({ name: 'Ada', language: null, tags: ['VIP', 'new'] });
  });

  test('a STOP that came meanwhile counts for both', async () => {
    const [one, two] = [await create(), await create()];
    await merge(one.id, two.id);
    await write(two.phone, 'STOP');
    await kit.until(
      () => read(one.id),
      ({ consent }) => consent.marketing === 'denied',
      'the STOP counts',
    );
    await unmerge(two.id);
    for (const { id, phone } of [one, two]) {
      expect((await read(id)).consent.marketing).toBe('denied');
      expect((await read(id)).phone).toBe(phone);
    }
  });

  test('a conversation that was opened meanwhile goes to whoever wrote last in it', async () => {
    const [one, two] = [await create(), await create()];
    await merge(one.id, two.id);
    const message = await write(two.phone);
    expect(message.contact_id).toBe(one.id);
    await unmerge(two.id);
    expect(await conversations(`contact_id=${two.id}`)).toMatchObject([{ id: message.conversation_id }]);
    expect((await tenant.call('GET', `/v1/messages/${message.id}`)).body.contact_id).toBe(two.id);
  });

  test('merges of one contact are taken back from the last one on, and each only once', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    await merge(one.id, two.id);
    await merge(one.id, three.id);
    const early = await unmerge(two.id);
    expect(early).toMatchObject({ status: 409, body: { code: 'merge_not_last' } });
    expect(early.body.error).toContain(three.id);
    expect((await unmerge(three.id)).status).toBe(200);
    expect((await unmerge(two.id)).status).toBe(200);
    expect(await unmerge(two.id)).toMatchObject({ status: 409, body: { code: 'contact_not_merged' } });
    const merges = (await tenant.call('GET', `${CONTACTS}/${one.id}/merges`)).body.data;
    expect(merges.map(({ undone_at: undone }: { undone_at: string | null }) => undone === null)).toEqual([
      false,
      false,
    ]);
  });
});

describe('refusals', () => {
  test('a contact of nobody, of another tenant, or itself is no contact to merge', async () => {
    const one = await create();
    const stranger = await makeTestTenant(kit);
    const foreign = (await stranger.call('POST', CONTACTS, { phone: freshPhone() })).body;
    for (const id of [kit.rt.newId<string>(), foreign.id, one.id]) {
      expect(await merge(one.id, id)).toMatchObject({ status: 400, body: { details: [{ path: 'body.contact_id' }] } });
    }
    expect((await merge(foreign.id, one.id)).status).toBe(404);
    expect((await unmerge(foreign.id)).status).toBe(404);
    expect((await tenant.call('GET', `${CONTACTS}/${foreign.id}/merges`)).status).toBe(404);
  });

  test('without a key 401, in another version 412, and what is merged already 409', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    const path = `${CONTACTS}/${one.id}/merge`;
    expect((await callApi(kit.service.url, 'POST', path, { contact_id: two.id })).status).toBe(401);
    expect((await merge(one.id, two.id, { 'if-match': '"7"' })).status).toBe(412);
    await merge(one.id, two.id);
    expect(await merge(three.id, two.id)).toMatchObject({ status: 409, body: { code: 'contact_merged' } });
    expect(await merge(two.id, three.id)).toMatchObject({ status: 409, body: { code: 'contact_merged' } });
  });

  test('a repetition with the same Idempotency-Key merges once', async () => {
    const [one, two] = [await create(), await create()];
    const headers = { 'idempotency-key': 'merge-1' };
    const first = await merge(one.id, two.id, headers);
    const again = await merge(one.id, two.id, headers);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

function inAnHour(): string {
  return new Date(kit.rt.clock.now() + 3_600_000).toISOString();
}

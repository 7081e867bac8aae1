import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
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

const create = async (fields: object) => (await tenant.call('POST', CONTACTS, { phone: freshPhone(), ...fields })).body;
const find = async (query: string) => {
  const { body } = await tenant.call('GET', `${CONTACTS}?${query}`);
  return body.data.map(({ name }: { name: string }) => name);
};
const write = async (from: string, text: string) => {
  const before = (await tenant.call('GET', `/v1/messages/inbound?limit=1000`)).body.data.length;
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text });
  const list = () => tenant.call('GET', '/v1/messages/inbound?limit=1000');
  return (await kit.until(list, ({ body }) => body.data.length > before, 'the message is stored')).body.data[0];
};

describe('making and changing', () => {
  test('a contact is made once; the second time its id is named, or it is changed when that is wished', async () => {
    const body = { phone: '+55 11 91234-5678', name: 'Ana', tags: ['VIP'] };
    const made = await tenant.call('POST', CONTACTS, body);
    expect(made).toMatchObject({ status: 201, body: { phone: '5511912345678', country: 'BR', version: 1 } });
    const same = await tenant.call('POST', CONTACTS, { phone: '55 11 91234 5678' });
    expect(same).toMatchObject({ status: 409, body: { code: 'contact_exists' } });
    expect(same.body.error).toContain(made.body.id);
    const updated = await tenant.call('POST', `${CONTACTS}?on_conflict=update`, { ...body, name: 'Ana Sousa' });
    expect(updated).toMatchObject({ status: 200, body: { id: made.body.id, name: 'Ana Sousa', version: 2 } });
  });

  test('twenty requests at once for one number make one contact', async () => {
    const phone = freshPhone();
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.call('POST', CONTACTS, { phone })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('only the version that If-Match names is changed, and what is the same already is no change', async () => {
    const { id } = await create({ name: 'Ada' });
    const change = (tag: string) => tenant.call('PATCH', `${CONTACTS}/${id}`, { name: tag }, { 'if-match': tag });
    expect((await change('"1"')).headers.get('etag')).toBe('"2"');
    expect(await change('"1"')).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    expect((await tenant.call('PATCH', `${CONTACTS}/${id}`, { name: '"1"' })).body.version).toBe(2);
  });

  test('a number or an external id of another contact is refused, and one that was given up is free', async () => {
    const [first, second] = [await create({ external_id: 'a' }), await create({ external_id: 'b' })];
    const path = `${CONTACTS}/${second.id}`;
    expect((await tenant.call('PATCH', path, { phone: first.phone })).body.code).toBe('contact_exists');
    expect((await tenant.call('PATCH', path, { external_id: 'a' })).body.code).toBe('contact_exists');
    await tenant.call('PATCH', `${CONTACTS}/${first.id}`, { phone: freshPhone(), external_id: null });
    expect((await tenant.call('PATCH', path, { phone: first.phone, external_id: 'a' })).status).toBe(200);
  });

  test('attributes hold only what is defined, of its type; all faults at once', async () => {
    const define = (key: string, type: string) => tenant.call('POST', '/v1/contact-attributes', { key, type });
    for (const type of ['text', 'number', 'boolean', 'date', 'list'])
      expect((await define(type, type)).status).toBe(201);
    expect((await define('text', 'number')).status).toBe(409);
    const right = { text: 'x', number: 1.5, boolean: false, date: '2030-02-28', list: ['a'] };
    const { id, attributes } = await create({ attributes: right });
    expect(attributes).toEqual(right);
    const wrong = { text: 1, number: '1', boolean: 'no', date: '2030-02-30', list: 'a', other: 1 };
    const refused = await tenant.call('PATCH', `${CONTACTS}/${id}`, { attributes: wrong });
    expect(refused.status).toBe(400);
    expect(refused.body.details).toHaveLength(6);
    const less = await tenant.call('PATCH', `${CONTACTS}/${id}`, { attributes: { text: null } });
    expect(Object.keys(less.body.attributes)).toEqual(['boolean', 'date', 'list', 'number']);
  });

  test('an erased contact is gone, its number is free, and its message keeps its id without its text', async () => {
    const phone = freshPhone();
    const message = await write(phone, 'My name is Ada');
    const path = `${CONTACTS}/${message.contact_id}`;
    expect((await tenant.call('DELETE', path)).body.status).toBe('deleted');
    expect((await tenant.call('GET', path)).status).toBe(404);
    const kept = await tenant.call('GET', `/v1/messages/${message.id}`);
    expect(kept.status).toBe(200);
    expect(kept.text).not.toContain('Ada');
    expect(kept.text).not.toContain(phone);
    expect((await tenant.call('POST', CONTACTS, { phone })).status).toBe(201);
  });
});

describe('finding', () => {
  test('by beginnings of words without accents, by number, tag and condition', async () => {
    await create({ name: 'José Ñandú', tags: ['Açúcar'], phone: '351912345678' });
    await create({ name: 'Joséphine', tags: ['tea'] });
    await create({ name: 'Ada' });
    expect(await find('q=jose')).toEqual(['Joséphine', 'José Ñandú']);
    expect(await find('q=nan%20JOS')).toEqual(['José Ñandú']);
    expect(await find('q=35191')).toEqual(['José Ñandú']);
    expect(await find('tag=acucar')).toEqual(['José Ñandú']);
    expect(await find('phone=%2B351%20912%20345%20678')).toEqual(['José Ñandú']);
    expect(await find('q=ose')).toEqual([]);
    const when = {
      not: {
        any: [
          { field: 'contact.tags', match: 'exists' },
          { field: 'contact.country', value: 'XX' },
        ],
      },
    };
    const found = await tenant.call('POST', `${CONTACTS}/search`, { when });
    expect(found.body.data.map(({ name }: { name: string }) => name)).toEqual(['Ada']);
    const bad = await tenant.call('POST', `${CONTACTS}/search`, { when: { field: 'text', value: 'x' } });
    expect(bad).toMatchObject({ status: 400, body: { details: [{ path: 'body.when.field' }] } });
  });
});

describe('identity', () => {
  test.each([
    ['Brazil', '5511987654321', '551187654321'],
    ['Mexico', '5215512345678', '525512345678'],
    ['Argentina', '5491112345678', '541112345678'],
  ])('spellings of one number in %s are one contact', async (_country, ...spelled) => {
    const messages = [];
    for (const from of spelled) messages.push(await write(from, 'Hi'));
    expect(new Set(messages.map(({ contact_id: id }) => id)).size).toBe(1);
    expect(new Set(messages.map(({ conversation_id: id }) => id)).size).toBe(1);
  });
});

describe('consent', () => {
  test('STOP refuses marketing, cancels what waits, and proves itself; START takes it back', async () => {
    const phone = freshPhone();
    const first = await write(phone, 'Hi');
    const later = { send_at: new Date(kit.rt.clock.now() + 3_600_000).toISOString() };
    const waiting = await tenant.send(phone, { campaign_name: 'spring', ...later });
    const service = await tenant.send(phone, later);
    const stop = await write(phone, ' Stop! ');
    expect(await tenant.message(waiting)).toMatchObject({
      status: 'failed',
      delivery: { error: { code: 'contact_opted_out' } },
    });
    expect((await tenant.message(service)).status).toBe('queued');
    const send = (fields: object) => tenant.call('POST', '/v1/messages', { to: phone, body: 'Hello', ...fields });
    await kit.until(
      () => send({ campaign_name: 'x' }),
      ({ status }) => status === 400,
      'marketing is refused',
    );
    expect((await send({ priority: 'bulk' })).body.code).toBe('recipient_opted_out');
    expect((await send({})).status).toBe(202);
    const path = `${CONTACTS}/${first.contact_id}`;
    const history = await tenant.call('GET', `${path}/consent/history`);
    expect(history.body.data).toMatchObject([{ marketing: 'denied', source: 'message', message_id: stop.id }]);
    await write(phone, 'başla');
    expect((await tenant.call('GET', path)).body.consent).toMatchObject({ marketing: 'granted', source: 'message' });
    await kit.until(
      () => send({ campaign_name: 'x' }),
      ({ status }) => status === 202,
      'marketing is taken again',
    );
  });

  test('nothing is sent to a blocked contact until it is unblocked', async () => {
    const { id, phone } = await create({});
    expect((await tenant.call('POST', `${CONTACTS}/${id}/block`)).body.status).toBe('blocked');
    const send = () => tenant.call('POST', '/v1/messages', { to: phone, body: 'Hello' });
    const refused = await kit.until(send, ({ status }) => status === 400, 'the send is refused');
    expect(refused.body.code).toBe('recipient_blocked');
    await tenant.call('POST', `${CONTACTS}/${id}/unblock`);
    await kit.until(send, ({ status }) => status === 202, 'the send is taken');
  });

  test('a proof must be a message of the tenant', async () => {
    const { id } = await create({});
    const consent = (fields: object) =>
      tenant.call('POST', `${CONTACTS}/${id}/consent`, { marketing: 'granted', source: 'form', ...fields });
    expect((await consent({ message_id: id })).body.details[0].path).toBe('body.message_id');
    expect((await consent({ wording: 'Yes' })).body.consent).toMatchObject({ marketing: 'granted', source: 'form' });
  });
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addSimulatedNumber, linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** 500 are asked for at once. */
const MORE_THAN_A_PAGE = 501;

let kit: TestService;
let tenant: TestTenant;
let path: string;
let phoneNumberId: string;
let networkAccountId: string;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  await kit.simulate('PUT', '/_sim/failures', {});
  tenant = await makeTestTenant(kit);
  ({ phoneNumberId, networkAccountId } = await makeSimulatedAccount(kit));
  await linkAccount(tenant, networkAccountId);
  path = `/v1/phone-numbers/${phoneNumberId}`;
});
afterAll(() => kit.close());

async function audited() {
  const { data } = (await tenant.call('GET', `/v1/audit-log?target_id=${phoneNumberId}`)).body;
  return data.map(({ action, details }: { action: string; details: object }) => [action, details]);
}

test('ice breakers, commands and the welcome are changed one without the other, and read as the network has them', async () => {
  const none = { ice_breakers: [], commands: [], welcome_message: false };
  expect((await tenant.call('GET', `${path}/commands`)).body).toEqual(none);
  const commands = [{ name: 'hours', description: 'When we are open' }];
  await tenant.call('PATCH', `${path}/commands`, { ice_breakers: ['Hello'], commands });
  const changed = await tenant.call('PATCH', `${path}/commands`, { ice_breakers: [], welcome_message: true });
  expect(changed).toMatchObject({ status: 200, body: { ...none, commands, welcome_message: true } });
  expect((await tenant.call('GET', `${path}/commands`)).body).toEqual(changed.body);
});

test.each([
  [{ ice_breakers: ['1', '2', '3', '4', '5'] }, 'body.ice_breakers'],
  [{ ice_breakers: ['x'.repeat(81)] }, 'body.ice_breakers[0]'],
  [{ ice_breakers: ['Hello', 'Flowers 🌷'] }, 'body.ice_breakers[1]'],
  [{ commands: [{ name: 'two words', description: 'x' }] }, 'body.commands[0].name'],
  [{ commands: [{ name: 'x'.repeat(33), description: 'x' }] }, 'body.commands[0].name'],
  [{ commands: [{ name: 'a', description: 'x'.repeat(257) }] }, 'body.commands[0].description'],
  [{ commands: Array.from({ length: 31 }, () => ({ name: 'a', description: 'b' })) }, 'body.commands'],
])('what the network would not offer to customers is refused in words (%#)', async (change, place) => {
  const refused = await tenant.call('PATCH', `${path}/commands`, change);
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: place }] } });
});

test('a QR code is made, listed with pictures, changed under the same link, and deleted, each with an entry', async () => {
  const made = (await tenant.call('POST', `${path}/qr-codes`, { message: 'Hello', image: 'png' })).body;
  expect(made).toMatchObject({ message: 'Hello', image_url: expect.stringMatching(/png$/) });
  const one = `${path}/qr-codes/${made.id}`;
  const changed = (await tenant.call('PATCH', one, { message: 'Hi' })).body;
  expect(changed).toEqual({ ...made, message: 'Hi', image_url: null });
  expect((await tenant.call('GET', one)).body).toEqual(changed);
  const listed = (await tenant.call('GET', `${path}/qr-codes?image=svg`)).body.data;
  expect(listed).toEqual([{ ...changed, image_url: expect.stringMatching(/svg$/) }]);
  expect((await tenant.call('DELETE', one)).body).toEqual({ id: made.id, status: 'deleted' });
  for (const method of ['GET', 'DELETE']) expect((await tenant.call(method, one)).status).toBe(404);
  expect((await tenant.call('PATCH', one, { message: 'Hi' })).status).toBe(404);
  const actions = (await audited()).filter(([action]: [string]) => action.startsWith('qr_code.'));
  expect(actions).toEqual(['deleted', 'changed', 'created'].map((verb) => [`qr_code.${verb}`, { code: made.id }]));
});

test('a list of codes goes over all pages of the network, newest first', async () => {
  const codes: string[] = [];
  for (let i = 0; i < MORE_THAN_A_PAGE; i += 1) {
    const response = await fetch(`${kit.sim.url}/v26.0/${phoneNumberId}/message_qrdls`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify({ prefilled_message: 'Hello' }),
    });
    codes.push(((await response.json()) as { code: string }).code);
  }
  const { data } = (await tenant.call('GET', `${path}/qr-codes`)).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual(codes.toReversed());
});

test('a QR code is made once for each Idempotency-Key', async () => {
  const key = { 'idempotency-key': 'one-code' };
  const first = await tenant.call('POST', `${path}/qr-codes`, { message: 'Hello' }, key);
  expect((await tenant.call('POST', `${path}/qr-codes`, { message: 'Hello' }, key)).body).toEqual(first.body);
  expect((await tenant.call('GET', `${path}/qr-codes`)).body.data).toHaveLength(1);
});

test('another display name is requested, shown with its state, and shown as the name once the network has approved it', async () => {
  const name = 'Flower shop Springfield';
  expect((await tenant.call('GET', `${path}/display-name`)).body).toEqual({
    name: 'Flower shop',
    status: 'approved',
    requested_name: null,
    requested_status: null,
  });
  const requested = await tenant.call('PUT', `${path}/display-name`, { name });
  expect(requested.body).toMatchObject({
    name: 'Flower shop',
    requested_name: name,
    requested_status: 'pending_review',
  });
  expect((await tenant.call('GET', `${path}/display-name`)).body).toEqual(requested.body);
  const approved = { phone_number_id: phoneNumberId, waba_id: networkAccountId, verified_name: name };
  await kit.simulate('POST', '/_sim/numbers', approved);
  expect((await tenant.call('GET', `${path}/display-name`)).body).toMatchObject({ name, requested_status: 'approved' });
});

test('a username is taken, moves between numbers of the business only when that is asked for, and is given up', async () => {
  const username = `shop.${phoneNumberId}`;
  const other = await addSimulatedNumber(kit, networkAccountId);
  expect((await tenant.call('POST', '/v1/phone-numbers', { phone_number_id: other })).status).toBe(201);
  const others = `/v1/phone-numbers/${other}/username`;
  expect((await tenant.call('GET', `${path}/username`)).body).toEqual({ username: null, status: null });
  await tenant.call('PUT', others, { username });
  const refused = await tenant.call('PUT', `${path}/username`, { username });
  expect(refused).toMatchObject({ status: 409, body: { code: 'refused_by_network' } });
  expect((await tenant.call('PUT', `${path}/username`, { username, transfer: true })).body).toEqual({
    username,
    status: 'approved',
  });
  expect((await tenant.call('GET', others)).body.username).toBeNull();
  await tenant.call('DELETE', `${path}/username`);
  expect((await tenant.call('GET', `${path}/username`)).body.username).toBeNull();
});

test('a PIN goes to the network and nowhere else: a number that lost its registration is registered only with it', async () => {
  expect((await tenant.call('PUT', `${path}/pin`, { pin: '12345' })).status).toBe(400);
  expect((await tenant.call('PUT', `${path}/pin`, { pin: '908172' })).body).toEqual({
    id: phoneNumberId,
    pin_enabled: true,
  });
  expect(await audited()).toContainEqual(['number.pin_set', {}]);
  await tenant.call('DELETE', path);
  const lost = { phone_number_id: phoneNumberId, waba_id: networkAccountId, registered: false };
  await kit.simulate('POST', '/_sim/numbers', lost);
  const add = (pin: string) => tenant.call('POST', '/v1/phone-numbers', { phone_number_id: phoneNumberId, pin });
  expect(await add('111111')).toMatchObject({ status: 409, body: { error: expect.stringContaining('two-step PIN') } });
  expect(await add('908172')).toMatchObject({ status: 201, body: { network_status: 'CONNECTED' } });
});

test('nothing of it can be read or changed by another tenant', async () => {
  const { id } = (await tenant.call('POST', `${path}/qr-codes`, { message: 'Hello' })).body;
  const other = await makeTestTenant(kit);
  const calls = [
    ['GET', 'commands'],
    ['PATCH', 'commands', { ice_breakers: ['Mine'] }],
    ['GET', 'qr-codes'],
    ['POST', 'qr-codes', { message: 'Mine' }],
    ['DELETE', `qr-codes/${id}`],
    ['PUT', 'display-name', { name: 'Mine' }],
    ['PUT', 'username', { username: 'mine' }],
    ['PUT', 'pin', { pin: '111111' }],
  ] as const;
  for (const [method, rest, body] of calls) {
    expect([rest, (await other.call(method, `${path}/${rest}`, body)).status]).toEqual([rest, 404]);
  }
  expect((await tenant.call('GET', `${path}/qr-codes`)).body.data).toHaveLength(1);
});

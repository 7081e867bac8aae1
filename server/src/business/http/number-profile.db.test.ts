import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let path: string;
let phoneNumberId: string;

beforeAll(async () => {
  kit = await startTestService();
});
beforeEach(async () => {
  await kit.simulate('PUT', '/_sim/failures', {});
  tenant = await makeTestTenant(kit);
  const account = await makeSimulatedAccount(kit);
  await linkAccount(tenant, account.networkAccountId);
  phoneNumberId = account.phoneNumberId;
  path = `/v1/phone-numbers/${phoneNumberId}/profile`;
});
afterAll(() => kit.close());

const EMPTY = {
  about: null,
  address: null,
  description: null,
  email: null,
  websites: [],
  vertical: null,
  picture_url: null,
};

async function audited() {
  const { data } = (await tenant.call('GET', `/v1/audit-log?target_id=${phoneNumberId}&action=number.profile_changed`))
    .body;
  return data.map(({ details }: { details: object }) => details);
}

test('a profile is what the network has: each field can be written, emptied and read, and other fields stay', async () => {
  expect((await tenant.call('GET', path)).body).toEqual(EMPTY);
  const written = {
    about: 'Fresh flowers 🌷',
    address: '12 Market Street',
    description: 'Bouquets',
    email: 'hello@flowers.example',
    websites: ['https://flowers.example', 'http://shop.flowers.example/a?b=c'],
    vertical: 'event_plan',
  };
  expect(await tenant.call('PATCH', path, written)).toMatchObject({ status: 200, body: { ...EMPTY, ...written } });
  const emptied = { address: null, description: null, email: null, websites: [] };
  expect((await tenant.call('PATCH', path, emptied)).body).toEqual({ ...EMPTY, ...written, ...emptied });
  expect((await tenant.call('GET', path)).body).toEqual({ ...EMPTY, ...written, ...emptied });
  expect(await audited()).toEqual([{ fields: Object.keys(emptied) }, { fields: Object.keys(written) }]);
});

test('a stored picture becomes the picture that customers see', async () => {
  const bytes = jpegBytes();
  const { media_id } = (await uploadFile(kit, tenant.key, bytes)).body;
  const set = await tenant.call('PUT', `${path}/picture`, { media_id });
  expect(set.status).toBe(200);
  const shown = await fetch(set.body.picture_url);
  expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await audited()).toEqual([{ fields: ['picture'] }]);
});

test.each([
  [{ about: '' }, 'body.about'],
  [{ about: null }, 'body.about'],
  [{ about: 'x'.repeat(140) }, 'body.about'],
  [{ address: 'x'.repeat(257) }, 'body.address'],
  [{ description: 'x'.repeat(513) }, 'body.description'],
  [{ email: 'nobody' }, 'body.email'],
  [{ email: `${'x'.repeat(120)}@a.example` }, 'body.email'],
  [{ websites: ['flowers.example'] }, 'body.websites[0]'],
  [{ websites: ['https://a.example', 'https://b.example', 'https://c.example'] }, 'body.websites'],
  [{ vertical: 'flowers' }, 'body.vertical'],
  [{ picture_url: 'https://a.example/a.png' }, 'body.picture_url'],
])('%j is refused in words, without asking the network', async (change, place) => {
  // Whatever comes to the network would be cut off.
  await kit.simulate('PUT', '/_sim/failures', { profile: { times: 9, fault: 'cut' } });
  const refused = await tenant.call('PATCH', path, change);
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(refused.body.details.map((fault: { path: string }) => fault.path)).toEqual([place]);
});

test('what the network refuses is said in its words, changes nothing and is not audited', async () => {
  await tenant.call('PATCH', path, { about: 'Before' });
  const failing = [
    [{ code: 100 }, 409, 'refused_by_network', 'The network rejected this. Its response: A parameter is unknown'],
    [{ code: 190 }, 409, 'refused_by_network', 'The access token has expired or was revoked; link the account again.'],
    [{ code: 80007 }, 503, 'network_unreachable', 'The network cannot do this now.'],
    [{ code: 131000, status: 502 }, 503, 'network_unreachable', 'The network cannot do this now.'],
    [{ fault: 'cut' }, 503, 'network_unreachable', 'The network could not be reached'],
  ] as const;
  for (const [failure, status, code, sentence] of failing) {
    await kit.simulate('PUT', '/_sim/failures', { profile: failure });
    const refused = await tenant.call('PATCH', path, { about: 'After' });
    expect(refused).toMatchObject({ status, body: { code, error: expect.stringContaining(sentence) } });
  }
  expect((await tenant.call('GET', path)).body.about).toBe('Before');
  expect(await audited()).toHaveLength(1);
});

test('the profile of another tenant is not there', async () => {
  const other = await makeTestTenant(kit);
  for (const [method, body] of [['GET'], ['PATCH', { about: 'Mine' }]] as const) {
    expect((await other.call(method, path, body)).status).toBe(404);
  }
  expect((await tenant.call('GET', path)).body).toEqual(EMPTY);
});

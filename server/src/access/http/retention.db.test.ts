import { afterAll, beforeAll, expect, test } from 'vitest';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';

const RETENTION = '/v1/retention';
let kit: TestService;

beforeAll(async () => {
  kit = await startTestService({ clock: new TestClock(Date.now()), config: { roles: 'api', mediaRetentionDays: 60 } });
});
afterAll(() => kit.close());

const asInstalled = {
  messages_days: null,
  received_media_days: 60,
  uploads_days: 60,
  events_days: 30,
  webhook_deliveries_days: 30,
  rule_decisions_days: 90,
};
const nothingChosen = {
  messages_days: null,
  received_media_days: null,
  uploads_days: null,
  events_days: null,
  webhook_deliveries_days: null,
  rule_decisions_days: null,
};

test('a tenant without wishes keeps data as long as the installation', async () => {
  const tenant = await makeTestTenant(kit);
  expect(await tenant.call('GET', RETENTION)).toMatchObject({
    status: 200,
    body: { ...nothingChosen, effective: asInstalled, longest: asInstalled },
  });
});

test('a change counts for the kinds that it names, and is in the audit log once', async () => {
  const tenant = await makeTestTenant(kit);
  const wish = { events_days: 7, received_media_days: 1 };
  const changed = await tenant.call('PATCH', RETENTION, wish);
  expect(changed).toMatchObject({
    status: 200,
    body: { ...nothingChosen, ...wish, effective: { ...asInstalled, ...wish } },
  });
  expect((await tenant.call('PATCH', RETENTION, wish)).body).toEqual(changed.body);
  expect((await tenant.call('PATCH', RETENTION, { events_days: null })).body).toMatchObject({
    events_days: null,
    received_media_days: 1,
    effective: { ...asInstalled, received_media_days: 1 },
  });
  const { body } = await tenant.call('GET', '/v1/audit-log?action=retention.changed');
  expect(body.data.map((entry: { details: unknown }) => entry.details)).toEqual([
    { before: { events: 7 }, after: { events: null } },
    { before: { received_media: null, events: null }, after: { received_media: 1, events: 7 } },
  ]);
});

test.each([
  {
    body: { events_days: 31, rule_decisions_days: 10 },
    error: 'events_days must be from 1 to 30, which is what this installation keeps, or null.',
  },
  {
    body: { uploads_days: 30 },
    error: 'uploads_days must be from 31 to 60, which is what this installation keeps, or null.',
  },
  { body: { messages_days: 30 }, error: 'messages_days must be 31 or more, or null.' },
  { body: { events_days: 0 }, error: 'events_days must be a whole number from 1 to 36500.' },
  { body: { events_days: 1.5 }, error: 'events_days must be a whole number from 1 to 36500.' },
  { body: { callbacks_days: 1 }, error: 'callbacks_days is not a known field here.' },
  { body: {}, error: 'The body must not be empty.' },
])('$body is refused, and changes nothing', async ({ body, error }) => {
  const tenant = await makeTestTenant(kit);
  const refused = await tenant.call('PATCH', RETENTION, body);
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed', error } });
  expect((await tenant.call('GET', RETENTION)).body).toMatchObject(nothingChosen);
});

test('files that are uploaded after a change expire by it, and those from before as they said', async () => {
  const tenant = await makeTestTenant(kit);
  const upload = async () => {
    const { media_id } = (await uploadFile(kit, tenant.key, jpegBytes())).body;
    return (await tenant.call('GET', `/v1/media/${media_id}`)).body;
  };
  const days = (file: Record<string, string>) =>
    (Date.parse(String(file.expires_at)) - Date.parse(String(file.created_at))) / 86_400_000;
  const before = await upload();
  await tenant.call('PATCH', RETENTION, { uploads_days: 31 });
  const after = await upload();
  expect([days(before), days(after)]).toEqual([60, 31]);
  expect((await tenant.call('GET', `/v1/media/${before.media_id}`)).body.expires_at).toBe(before.expires_at);
});

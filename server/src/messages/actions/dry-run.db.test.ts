import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pauseNumber } from '#accounts/actions/pause-number';
import { sendExamples } from '#messages/http/schemas/send-examples';
import { callbackBody, countRows, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester' } });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

function dry(of: TestTenant, body: object): Promise<Answer> {
  return of.call('POST', '/v1/messages/dry-run', body);
}

const codes = (remarks: readonly { code: string }[]) => remarks.map(({ code }) => code);
/** In the plan of its country, and unassigned. */
const british = '447400123456';

async function write(of: TestTenant, from: string): Promise<void> {
  const message = { ...inboundText(`wamid.${from}`, from), timestamp: String(Math.floor(kit.rt.clock.now() / 1000)) };
  await ingest(kit, callbackBody({ phoneNumberId: of.phoneNumberId, messages: [message] }));
}

describe('a dry run', () => {
  test('of a good message to a customer who wrote finds nothing, and stores nothing', async () => {
    await write(tenant, british);
    const before = await countRows(kit.service.db, 'outbound_messages');
    const answer = await dry(tenant, { to: `+${british}`, body: 'Hi' });
    expect([answer.status, answer.body]).toEqual([
      200,
      { would_send: true, blockers: [], warnings: [], category: 'service', estimated_cost: null, eta_s: 0 },
    ]);
    expect(await countRows(kit.service.db, 'outbound_messages')).toBe(before);
    expect(await countRows(kit.service.db, 'idempotency_keys')).toBe(0);
  });

  test('warns of a number that no plan has, and of a closed window, which stop nothing', async () => {
    const { body } = await dry(tenant, { to: '99900000001', body: 'Hi' });
    expect([body.would_send, codes(body.warnings)]).toEqual([true, ['number_not_in_plan', 'window_closed']]);
  });

  test('of a template leaves the category to the network and needs no window', async () => {
    const { body } = await dry(tenant, { ...sendExamples.template.value, to: british });
    expect(body).toMatchObject({ would_send: true, warnings: [], category: null });
  });

  test('names everything that the send would be refused for, and first what it is refused for', async () => {
    const strict = await makeTestTenant(kit, { windowPolicy: 'refuse' });
    const missing = '0190a6f2-0000-7000-8000-00000000dead';
    const image = { to: freshPhone(), type: 'image', media: { media_id: missing }, reply_to: missing };
    const { body } = await dry(strict, image);
    expect(body).toMatchObject({ would_send: false, eta_s: null });
    expect(codes(body.blockers)).toEqual(['window_closed', 'unknown_reply_to', 'unknown_media']);
    expect((await strict.call('POST', '/v1/messages', image)).body.code).toBe('window_closed');
    const other = await dry(tenant, { to: freshPhone(), body: 'Hi', phone_number_id: '1' });
    expect(codes(other.body.blockers)).toEqual(['unknown_phone_number']);
    const wrong = await dry(tenant, { to: '12', body: 'Hi' });
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'body.to']);
  });

  test('estimates the wait from the queue of its number and its rate, and from send_at', async () => {
    const slow = await makeTestTenant(kit, { ratePerSecond: 2 });
    await Promise.all(Array.from({ length: 5 }, () => slow.send(freshPhone())));
    expect((await dry(slow, { to: british, body: 'Hi' })).body.eta_s).toBe(3);
    expect((await dry(slow, { to: british, body: 'Hi', priority: 'high' })).body.eta_s).toBe(0);
    const sendAt = new Date(kit.rt.clock.now() + 3_600_000).toISOString();
    const later = (await dry(slow, { to: british, body: 'Hi', send_at: sendAt })).body.eta_s;
    expect(later).toBeGreaterThan(3_000);
    expect(later).toBeLessThanOrEqual(3_600);
  });

  test('says that the sending number is paused', async () => {
    const paused = await makeTestTenant(kit);
    const { tenantId, phoneNumberId } = paused;
    await pauseNumber(kit.rt, kit.service.db, { tenantId, phoneNumberId, pauseReason: 'Token expired.' });
    const { body } = await dry(paused, { ...sendExamples.template.value, to: british });
    expect(body).toMatchObject({ would_send: true, eta_s: null });
    expect(body.warnings).toEqual([
      { code: 'number_paused', message: 'The sending number is paused: Token expired. The message would wait.' },
    ]);
  });

  test('answers the same in its older form, as a parameter of a send', async () => {
    const body = { to: '99900000001', body: 'Hi' };
    const older = await tenant.call('POST', '/v1/messages?dry_run=true', body);
    expect([older.status, older.text]).toEqual([200, (await dry(tenant, body)).text]);
    expect(older.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('still refuses a body that is not valid, and a dry_run that is neither true nor false', async () => {
    expect((await dry(tenant, { to: british })).status).toBe(400);
    const odd = await tenant.call('POST', '/v1/messages?dry_run=maybe', { to: british, body: 'Hi' });
    expect(odd.body.error).toBe('dry_run must be true or false.');
  });
});

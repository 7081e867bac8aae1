import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pauseNumber } from '#accounts/actions/pause-number';
import { callbackBody, inboundText, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant, type TestTenantOptions } from '#testing/test-tenant';

/* A 202 names in a header what a dry run would have warned of. */
let kit: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver,ingester' } });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const template = { name: 'hello', language: 'en' };
const post = (of: TestTenant, body: object, headers = {}) => of.call('POST', '/v1/messages', body, headers);
const warningsOf = ({ status, headers }: Answer) => [status, headers.get('postrider-warning')];

async function write(of: TestTenant, from: string, ageMs = 0): Promise<void> {
  const timestamp = String(Math.floor((kit.rt.clock.now() - ageMs) / 1000));
  const message = { ...inboundText(`wamid.${from}.${ageMs}`, from), timestamp };
  await ingest(kit, callbackBody({ phoneNumberId: of.phoneNumberId, messages: [message] }));
}

/** The warnings of a dry run that are also those of a send; it alone looks into numbering plans. */
async function dryWarnings(of: TestTenant, body: object): Promise<string | null> {
  const answer = (await of.call('POST', '/v1/messages/dry-run', body)).body;
  const codes = answer.warnings.map(({ code }: { code: string }) => code);
  return codes.filter((code: string) => code !== 'number_not_in_plan').join(', ') || null;
}

describe('Postrider-Warning', () => {
  test('names the closed window of a free-form message, and the body of the 202 stays as it is', async () => {
    const body = { to: freshPhone(), body: 'Hi' };
    const answer = await post(tenant, body);
    expect(warningsOf(answer)).toEqual([202, 'window_closed']);
    expect(Object.keys(answer.body).toSorted()).toEqual(['id', 'status', 'to', 'type']);
    expect(await dryWarnings(tenant, body)).toBe('window_closed');
  });

  test('is absent inside the window, and back a day later', async () => {
    const to = freshPhone();
    await write(tenant, to);
    expect(warningsOf(await post(tenant, { to, body: 'Hi' }))).toEqual([202, null]);
    const other = freshPhone();
    await write(tenant, other, 25 * 3_600_000);
    expect(warningsOf(await post(tenant, { to: other, body: 'Hi' }))).toEqual([202, 'window_closed']);
  });

  test('knows the window by every spelling of a number, and for each sending number apart', async () => {
    await write(tenant, '5511987654321');
    expect(warningsOf(await post(tenant, { to: '551187654321', body: 'Hi' }))).toEqual([202, null]);
    const second = await makeTestTenant(kit);
    expect(warningsOf(await post(second, { to: '5511987654321', body: 'Hi' }))).toEqual([202, 'window_closed']);
  });

  test('is absent for a template', async () => {
    expect(warningsOf(await post(tenant, { to: freshPhone(), type: 'template', template }))).toEqual([202, null]);
  });

  test.each<[string, TestTenantOptions, object, string]>([
    [
      'a message that the fallback template replaces',
      { windowPolicy: 'template', fallback: template },
      {},
      'replaced_by_template',
    ],
    ['a number that is paused', {}, { type: 'template', template }, 'number_paused'],
    ['both', {}, { body: 'Hi' }, 'window_closed, number_paused'],
  ])('names what a dry run warns of for %s', async (_label, options, fields, expected) => {
    const own = await makeTestTenant(kit, options);
    const { tenantId, phoneNumberId } = own;
    if (expected.includes('paused'))
      await pauseNumber(kit.rt, kit.service.db, { tenantId, phoneNumberId, pauseReason: 'Test' });
    const body = { to: freshPhone(), body: 'Hi', ...fields };
    if ('template' in body) Reflect.deleteProperty(body, 'body');
    expect(warningsOf(await post(own, body))).toEqual([202, expected]);
    expect(await dryWarnings(own, body)).toBe(expected);
  });

  test('is not repeated with the answer of an Idempotency-Key', async () => {
    const body = { to: freshPhone(), body: 'Hi' };
    const headers = { 'idempotency-key': 'warned' };
    expect(warningsOf(await post(tenant, body, headers))).toEqual([202, 'window_closed']);
    const again = await post(tenant, body, headers);
    expect([...warningsOf(again), again.headers.get('idempotent-replayed')]).toEqual([202, null, 'true']);
  });

  test('costs no statement: what stores the message has read the window too', async () => {
    const { db } = kit.service;
    // What is remembered of the tenant is read first.
    await tenant.send(freshPhone());
    const run = vi.spyOn(db, 'run');
    await tenant.send(freshPhone());
    const names = run.mock.calls.map(([{ name }]) => name);
    run.mockRestore();
    expect(names.filter((name) => name === 'accept_batch')).toHaveLength(1);
    expect(names).not.toContain('conversation_window_open');
  });
});

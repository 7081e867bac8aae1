import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTokenProvider } from '#accounts/actions/account-token';
import { makeTemplateClient, type TemplateClient } from '#network/template-client';
import { openKeyring } from '#runtime/keyring';
import { addSimulatedNumber } from '#testing/peers/link-dialog';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { reconcileTemplates } from './reconcile-templates.ts';

const ACCOUNT = `76${process.pid}`;
let kit: TestService;
let tenant: TestTenant;
let network: TemplateClient;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { networkAccountId: ACCOUNT });
  // The network evaluates the sends of numbers of the account alone.
  await addSimulatedNumber(kit, ACCOUNT, true, tenant.phoneNumberId);
  network = makeTemplateClient(kit.rt.config);
});
afterAll(async () => {
  await network.close();
  await kit.close();
});

const read = async (id: string) => (await tenant.call('GET', `/v1/templates/${id}`)).body;

async function approved(name: string): Promise<string> {
  const components = [{ type: 'BODY', text: 'We have moved to another street.' }];
  const made = (await tenant.call('POST', '/v1/templates', { name, language: 'en', category: 'utility', components }))
    .body;
  await tenant.call('POST', `/v1/templates/${made.id}/submit`);
  await kit.until(
    () => read(made.id),
    ({ sendable }) => sendable,
    `${name} is approved`,
  );
  return made.id;
}

const atNetwork = (change: object) => kit.simulate('POST', '/_sim/templates', { waba_id: ACCOUNT, ...change });
const post = (name: string, fields: object = {}) =>
  tenant.call('POST', '/v1/messages', {
    to: freshPhone(),
    type: 'template',
    template: { name, language: 'en' },
    ...fields,
  });

/** Makes a scheduled message due immediately. */
async function makeDue(messageId: string): Promise<void> {
  const text = 'update send_queue set due_ms = 1 where tenant_id = $1 and message_id = $2';
  const { rowCount } = await kit.service.db.run({ name: 'test_make_due', text }, [tenant.tenantId, messageId]);
  expect(rowCount).toBe(1);
}

function reconcile(staleMs: number) {
  const { rt, service } = kit;
  const tokens = makeTokenProvider(rt, service.db, openKeyring(rt.config));
  return reconcileTemplates({ rt, db: service.db, network, tokens }, staleMs);
}

describe('P11: what the network decides', () => {
  test('is found although its callback was lost, by reading the list, once and by one process alone', async () => {
    const id = await approved('lost_news');
    const before = await read(id);
    await kit.simulate('PUT', '/_sim/config', { callback_url: null });
    try {
      await atNetwork({ name: 'lost_news', status: 'DISABLED' });
    } finally {
      await kit.simulate('PUT', '/_sim/config', { callback_url: `${kit.service.url}/webhooks/meta` });
    }
    expect((await read(id)).status).toBe('approved');
    const looks = await Promise.all([reconcile(60_000), reconcile(60_000)]);
    expect(looks.map(({ accounts }) => accounts).toSorted()).toEqual([0, 1]);
    expect(looks.reduce((sum, { changed }) => sum + changed, 0)).toBe(1);
    const after = await read(id);
    expect(after).toMatchObject({ status: 'disabled', sendable: false });
    expect(after.synced_at > (before.synced_at ?? '')).toBe(true);
    expect((await tenant.call('GET', `/v1/templates/${id}/history`)).body.data[0]).toMatchObject({ cause: 'sync' });
    expect(await reconcile(60_000)).toEqual({ accounts: 0, changed: 0 });
  });

  test('stops the sends of a paused template with the reason, also those that were queued before', async () => {
    const id = await approved('soon_paused');
    const sendAt = new Date(kit.rt.clock.now() + 3_600_000).toISOString();
    const queued = await post('soon_paused', { send_at: sendAt });
    expect(queued.status).toBe(202);
    await atNetwork({ name: 'soon_paused', status: 'PAUSED' });
    await kit.until(
      () => read(id),
      ({ status }) => status === 'paused',
      'the pause is told',
    );
    const refused = await kit.until(
      () => post('soon_paused'),
      ({ status }) => status === 400,
      'sends are refused',
    );
    expect(refused.body.code).toBe('template_paused');
    await makeDue(queued.body.id);
    const times = async () => (await tenant.call('GET', `/v1/messages/${queued.body.id}/trace`)).body.data;
    // A pause ends automatically: what was queued before it waits, and the trace says for what.
    const trace = await kit.until(
      times,
      (entries) => entries.some(({ detail }: { detail: string }) => detail.includes('paused')),
      'the trace names the pause',
    );
    expect(trace.map(({ event }: { event: string }) => event)).not.toContain('sent');
    await atNetwork({ name: 'soon_paused', status: 'DISABLED' });
    await makeDue(queued.body.id);
    const failed = await tenant.untilMessage(queued.body.id, ({ status }) => status === 'failed', 'it failed');
    expect(failed.delivery.error).toMatchObject({ code: 'template_disabled', network_code: 132016 });
    expect((await tenant.ledger(queued.body.to)).length).toBe(0);
  });
});

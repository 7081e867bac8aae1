import { allowCountries } from '#access/actions/manage-tenants';
import { makeSimulatedAccount } from '#testing/peers/link-dialog';
import { callbackBody, inboundText, ingest } from '#testing/test-callbacks';
import type { TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import type { Provocation } from './provocations.ts';
import { expectStatus } from './scenes.ts';

/** What a recipient, a template or the network itself stands against, by the operation and the name of the example. */
export const refusalProvocations: Readonly<Record<string, Provocation>> = {
  'sendMessage recipientBlocked': toContact(async (tenant, id) => {
    expectStatus(await tenant.call('POST', `/v1/contacts/${id}/block`), 200);
  }),
  'sendMessage recipientOptedOut': toContact(async (tenant, id) => {
    const consent = { marketing: 'denied', source: 'form' };
    expectStatus(await tenant.call('POST', `/v1/contacts/${id}/consent`, consent), 200);
  }),
  'sendMessage recipientCountryNotAllowed': async ({ stage: { kit } }) => {
    const tenant = await makeTestTenant(kit);
    await allowCountries(kit.rt, kit.service.db, { tenantId: tenant.tenantId, allowedCountries: ['AT'] });
    const ask = () => tenant.call('POST', '/v1/messages', { to: '4915112345678', body: 'Hello' });
    return kit.until(ask, ({ status }) => status === 400, 'the message is refused');
  },
  'sendMessage templateUnknown': fromAccount(async (_kit, tenant) => {
    expectStatus(await tenant.call('POST', '/v1/templates/sync'), 200);
  }),
  'sendMessage templatePaused': fromAccount((kit, tenant, account) => approvedThen(kit, tenant, account, 'PAUSED')),
  'sendMessage templateNotSendable': fromAccount((kit, tenant, account) =>
    approvedThen(kit, tenant, account, 'DISABLED'),
  ),
  'markMessageRead refusedByNetwork': async ({ stage: { kit }, operation }) => {
    const tenant = await makeTestTenant(kit);
    // The network does not know of it: it is no message of one of its customers.
    const messages = [inboundText('wamid.of-nobody', '447700900179')];
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
    const [{ id }] = (await tenant.call('GET', '/v1/messages/inbound')).body.data;
    return tenant.call(operation.method, operation.path.replace('{id}', id));
  },
};

/** A marketing message of a tenant of its own to a contact that something was done to. */
function toContact(prepare: (tenant: TestTenant, contactId: string) => Promise<void>): Provocation {
  return async ({ stage }) => {
    const tenant = await makeTestTenant(stage.kit);
    const to = '447700900177';
    const { id } = expectStatus(await tenant.call('POST', '/v1/contacts', { phone: to }), 201);
    await prepare(tenant, id);
    return tenant.call('POST', '/v1/messages', { to, body: 'Hello', campaign_name: 'spring' });
  };
}

type Prepare = (kit: TestService, tenant: TestTenant, account: string) => Promise<void>;

/** A template message of a tenant with an account of its own, sent until what was done is known here. */
function fromAccount(prepare: Prepare): Provocation {
  return async ({ stage: { kit } }) => {
    const { networkAccountId } = await makeSimulatedAccount(kit, true);
    const tenant = await makeTestTenant(kit, { networkAccountId });
    await prepare(kit, tenant, networkAccountId);
    const message = { to: '447700900178', type: 'template', template: ORDER_READY };
    const ask = () => tenant.call('POST', '/v1/messages', message);
    return kit.until(ask, ({ status }) => status === 400, 'the message is refused');
  };
}

const ORDER_READY = { name: 'order_ready', language: 'en_US' };

/** A template that the network approved and thought otherwise of later. */
async function approvedThen(kit: TestService, tenant: TestTenant, account: string, status: string): Promise<void> {
  const fields = { ...ORDER_READY, category: 'utility', components: [{ type: 'BODY', text: 'Your order is ready.' }] };
  const { id } = expectStatus(await tenant.call('POST', '/v1/templates', fields), 201);
  expectStatus(await tenant.call('POST', `/v1/templates/${id}/submit`), 200);
  const read = async () => (await tenant.call('GET', `/v1/templates/${id}`)).body;
  await kit.until(read, ({ sendable }) => sendable, 'the template is approved');
  await kit.simulate('POST', '/_sim/templates', { waba_id: account, name: ORDER_READY.name, status });
}

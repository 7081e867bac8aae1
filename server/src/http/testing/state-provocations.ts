import { MAX_OPEN_SUGGESTIONS } from '#conversations/domain/suggestion';
import { whileFailing } from '#testing/peers/failing-network';
import { addSimulatedNumber, linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { EXAMPLE_AGENTS } from '#testing/test-agents';
import { recordEvents } from '#testing/test-events';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { madeBulkChange } from './bulk-change-scenes.ts';
import type { Call } from './calls.ts';
import type { Described } from './described.ts';
import { type Provocation, type Target, whileStepFails } from './provocations.ts';
import {
  addedEndpoint,
  customerWrote,
  expectStatus,
  madeContact,
  madeRule,
  type Stage,
  waitingMessage,
} from './scenes.ts';

const MAX_ENDPOINTS = 20;
const MAX_RULES = 200;
/** With 190 steps and more each they are too many together. */
const MANY_PATTERNS = 25;
const RULE_ID = `'rule_id', gen_random_uuid()`;

/** What came after an event that is no longer kept. */
const behindExpired = withOwnTenant(async (own, { operation }) => ({
  ...callTo(operation, ''),
  target: `${operation.path}?after=${await expiredEvent(own)}`,
}));

/** Failures that need something else to be there first, by their operation and the name of the example. */
export const stateProvocations: Readonly<Record<string, Provocation>> = {
  'createConversation anotherWrites': async ({ stage, perform, operation }) => {
    const message = { type: 'template', template: { name: 'order_ready', language: 'en_US' } };
    const begin = bodyTo(operation, { to: freshPhone(), message });
    const { id } = expectStatus(await perform(begin), 201).conversation;
    const other = { 'x-agent-id': EXAMPLE_AGENTS[1] };
    expectStatus(await stage.tenant.call('POST', `/v1/conversations/${id}/lease`, undefined, other), 200);
    return perform(begin);
  },
  'createConversation notFound': ({ perform, operation }) =>
    perform(bodyTo(operation, { contact_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9fff', message: { body: 'Hello' } })),
  'createView viewNameTaken': twice,
  'createBulkChange countDiffers': ({ perform, operation }) => {
    const when = { field: 'conversation.tags', value: 'nobody has it' };
    return perform(bodyTo(operation, { when, expected: 4312, change: { priority: 'high' } }));
  },
  'cancelBulkChange bulkChangeEnded': async ({ stage, perform, operation }) =>
    perform(callTo(operation, await madeBulkChange(stage, 'completed'))),
  'undoBulkChange bulkChangeRuns': async ({ stage, perform, operation }) =>
    perform(callTo(operation, await madeBulkChange(stage, 'running'))),
  'getSsoConnection notFound': withoutConnection,
  'deleteSsoConnection notFound': withoutConnection,
  'setSsoConnection noSecret': async ({ stage, operation, perform }) => {
    await stage.tenant.call('DELETE', operation.path);
    const connection = { issuer: 'https://login.example.com', client_id: 'postrider' };
    return perform({ ...bodyTo(operation, connection), method: operation.method });
  },
  'inviteAgent worksElsewhere': ofTwoTenants,
  'withdrawInvitation worksElsewhere': ofTwoTenants,
  'createContact contactExists': twice,
  'updateContact contactExists': async ({ stage, operation, perform }) => {
    const phone = freshPhone();
    expectStatus(await stage.tenant.call('POST', '/v1/contacts', { phone }), 201);
    return perform(callTo(operation, await madeContact(stage), { phone }));
  },
  'mergeContact mergedAlready': async ({ stage, operation, perform }) => {
    const merged = await madeContact(stage);
    expectStatus(await merge(stage, await madeContact(stage), merged), 200);
    return perform(callTo(operation, await madeContact(stage), { contact_id: merged }));
  },
  'unmergeContact laterMerge': async ({ stage, operation, perform }) => {
    const [first, second] = [await madeContact(stage), await madeContact(stage)];
    expectStatus(await merge(stage, second, first), 200);
    expectStatus(await merge(stage, await madeContact(stage), second), 200);
    return perform(callTo(operation, first));
  },
  'createSuggestion tooManySuggestions': async ({ stage, perform, ready }) => {
    const call = await ready();
    for (let made = 0; made < MAX_OPEN_SUGGESTIONS; made += 1) {
      await stage.tenant.call('POST', call.target, { body: 'Hi' });
    }
    return perform(call);
  },
  'takeSuggestion decidedBefore': discardedBefore,
  'discardSuggestion decidedBefore': discardedBefore,
  'updateView viewNameTaken': async ({ stage, perform, ready }) => {
    const call = await ready();
    const name = 'Very important, waiting';
    const when = { field: 'conversation.status', value: 'open' };
    await stage.tenant.call('POST', '/v1/views', { name, when, shared: true });
    return perform({ ...call, body: JSON.stringify({ name }) });
  },
  'updateCannedReply shortcutTaken': async ({ stage, perform, ready }) => {
    const call = await ready();
    // Of the examples of making one, a reply with this shortcut may be there already.
    await stage.tenant.call('POST', '/v1/canned-replies', { shortcut: 'hours', text: 'We are here.' });
    return perform({ ...call, body: JSON.stringify({ shortcut: 'hours' }) });
  },
  'reopenConversation anotherIsOpen': withOwnTenant(async (own, { operation }) => {
    const { tenant } = own;
    const number = { reopen_policy: 'always_new' };
    expectStatus(await tenant.call('PATCH', `/v1/phone-numbers/${tenant.phoneNumberId}`, number), 200);
    const from = freshPhone();
    const { conversation_id: id } = await customerWrote(own, from);
    expectStatus(await tenant.call('POST', `/v1/conversations/${id}/resolve`), 200);
    await writesAgain(own, from);
    return callTo(operation, id);
  }),
  'deletePhoneNumber messagesWait': withOwnTenant(async (own, { operation }) => {
    await waitingMessage(own);
    return callTo(operation, own.tenant.phoneNumberId);
  }),
  'unlinkAccount stepsRun': async ({ stage: { kit }, perform, ready }) => {
    const call = await ready();
    const text = 'update linked_accounts set run_until_ms = $2 where account_id = $1';
    const values = [call.target.split('/').at(-1) ?? '', kit.rt.clock.now() + 60_000];
    await kit.service.db.run({ name: 'test_steps_run', text }, values);
    return perform(call);
  },
  'createWebhookEndpoint tooManyEndpoints': withOwnTenant(async (own, { ready }) => {
    const id = await addedEndpoint(own);
    expectStatus(await own.tenant.call('PATCH', `/v1/webhook-endpoints/${id}`, { enabled: false }), 200);
    await copyRow(own, 'webhook_endpoints', `'endpoint_id', gen_random_uuid()`, MAX_ENDPOINTS - 1);
    return ready();
  }),
  'createChatbotRule tooManyRules': withOwnTenant(async (own, { ready }) => {
    await madeRule(own);
    await copyRow(own, 'chatbot_rules', RULE_ID, MAX_RULES - 1);
    return ready();
  }),
  'updateChatbotRule tooManySteps': withOwnTenant(async (own, { operation }) => {
    const id = await madeRule(own, { when: { field: 'text', match: 'regex', value: 'a{190}' } });
    const pattern = `'condition', jsonb_build_object('field', 'text', 'match', 'regex', 'value', 'a{190}' || n)`;
    await copyRow(own, 'chatbot_rules', `${RULE_ID}, ${pattern}`, MANY_PATTERNS);
    return callTo(operation, id, { enabled: true });
  }),
  'orderChatbotRules notAll': withOwnTenant((_own, { ready }) => ready()),
  'listEvents eventsExpired': behindExpired,
  'streamEvents eventsExpired': behindExpired,
  'getEvent eventsExpired': withOwnTenant(async (own, { operation }) => callTo(operation, await expiredEvent(own))),
  'topUpWallet paymentUnavailable': whileStepFails({ gateway: { status: 500 } }),
  'syncPhoneNumber askedBefore': async ({ perform, ready }) => {
    const call = await ready();
    expectStatus(await perform(call), 202);
    return perform(call);
  },
  'syncPhoneNumber refusedByNetwork': whileStepFails({ smb_app_data: { code: 100 } }),
  'syncPhoneNumber networkUnreachable': whileStepFails({ smb_app_data: { fault: 'cut' } }),
  'addPhoneNumber refusedByNetwork': whileAddingFails({ register: { code: 133005 } }),
  'addPhoneNumber networkUnreachable': whileAddingFails({ phone_numbers: { fault: 'cut' } }),
};

/** The same once more. */
async function twice({ perform, ready }: Target) {
  const call = await ready();
  expectStatus(await perform(call), 201);
  return perform(call);
}

async function discardedBefore({ stage, perform, ready }: Target) {
  const call = await ready();
  const target = call.target.replace('/take', '/discard');
  expectStatus(await stage.tenant.call('POST', target, undefined, { 'x-agent-id': EXAMPLE_AGENTS[0] }), 200);
  return perform(call);
}

async function withoutConnection({ stage, operation, perform }: Target) {
  await stage.tenant.call('DELETE', operation.path);
  return perform(callTo(operation, ''));
}

/** Asked about somebody who works in another tenant too. */
async function ofTwoTenants({ stage, operation, perform }: Target) {
  const [here, other] = [stage.tenant, await makeTestTenant(stage.kit)];
  const person = await invitedPerson(stage.kit, other);
  const { id } = expectStatus(await here.call('POST', '/v1/agents', { name: 'Of two tenants' }), 201);
  const text = 'update agents set user_id = $3 where tenant_id = $1 and agent_id = $2';
  await stage.kit.service.db.run({ name: 'test_work_elsewhere', text }, [here.tenantId, id, person]);
  return perform(callTo(operation, id));
}

/** The id of a person who was invited to be an agent of a tenant. */
async function invitedPerson(kit: Stage['kit'], tenant: TestTenant): Promise<string> {
  const { id } = expectStatus(await tenant.call('POST', '/v1/agents', { name: 'Of two tenants' }), 201);
  expectStatus(await tenant.call('POST', `/v1/agents/${id}/invitation`), 201);
  const text = 'select user_id from agents where tenant_id = $1 and agent_id = $2';
  const { rows } = await kit.service.db.run<{ userId: string }>({ name: 'test_person', text, camelCase: true }, [
    tenant.tenantId,
    id,
  ]);
  return rows[0]?.userId ?? '';
}

function callTo({ method, path }: Described, id: string, body?: object): Call {
  const target = path.replace('{id}', id);
  if (body === undefined) return { method, target, headers: {}, body: null };
  return { method, target, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Does what the call says as a tenant that has nothing else. */
export function withOwnTenant(prepare: (own: Stage, target: Target) => Promise<Call>): Provocation {
  return async (target) => {
    const { kit } = target.stage;
    const tenant: TestTenant = await makeTestTenant(kit);
    const { method, target: path, body, headers } = await prepare({ kit, tenant }, target);
    return tenant.call(method, path, typeof body === 'string' ? JSON.parse(body) : undefined, headers);
  };
}

function merge({ tenant }: Stage, survivor: string, merged: string) {
  return tenant.call('POST', `/v1/contacts/${survivor}/merge`, { contact_id: merged });
}

/** Until what the customer wrote is in a conversation of its own. */
async function writesAgain({ kit, tenant }: Stage, from: string): Promise<void> {
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi again' });
  await kit.until(
    () => tenant.call('GET', '/v1/conversations'),
    ({ body }) => body.data.length === 2,
    'the customer has another conversation',
  );
}

/** The one row of the tenant in this table, so many times more. @param columns what differs, in SQL; `n` counts */
async function copyRow({ kit, tenant }: Stage, table: string, columns: string, times: number): Promise<void> {
  const text = `insert into ${table}
    select (jsonb_populate_record(row, jsonb_build_object(${columns}))).*
    from ${table} row, generate_series(1, $2::int) n where row.tenant_id = $1`;
  await kit.service.db.run({ name: `test_copy_${table}_${times}`, text }, [tenant.tenantId, times]);
}

/** The id of an event that is no longer kept, and the next one neither. */
async function expiredEvent({ kit, tenant: { call, tenantId } }: Stage): Promise<string> {
  for (let count = 0; count < 3; count += 1) await recordEvents(kit, tenantId);
  const [oldest] = (await call('GET', '/v1/events')).body.data;
  const text = `delete from event_pages where tenant_id = $1
    and last_seq < (select max(last_seq) from event_pages where tenant_id = $1)`;
  await kit.service.db.run({ name: 'test_expire_events', text }, [tenantId]);
  return oldest.id;
}

/** Adding a number of a linked account while a step of it fails at the network. */
function whileAddingFails(failures: Readonly<Record<string, object>>): Provocation {
  return async ({ stage: { kit }, operation }) => {
    const tenant = await makeTestTenant(kit);
    const { networkAccountId } = await makeSimulatedAccount(kit);
    await linkAccount(tenant, networkAccountId);
    const phoneNumberId = await addSimulatedNumber(kit, networkAccountId);
    const add = () => tenant.call(operation.method, operation.path, { phone_number_id: phoneNumberId });
    return whileFailing(kit, failures, add);
  };
}

function bodyTo({ path }: Described, body: object): Call {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', target: path, headers, body: JSON.stringify(body) };
}

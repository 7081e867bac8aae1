import { createApiKey, createTenant } from '#access/actions/manage-tenants';
import { addPlan, moveSubscription } from '#billing/actions/manage-plans';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { EXAMPLE_AGENTS } from '#testing/test-agents';
import type { Answer } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { type Call, formOf, PIECE_TYPE, send } from './calls.ts';
import { campaignProvocations } from './campaign-provocations.ts';
import type { Described } from './described.ts';
import { linkingProvocations } from './linking-provocations.ts';
import { networkProvocations } from './network-provocations.ts';
import { inABurst, type Provocation, type Target, UNKNOWN_ID, withJson } from './provocations.ts';
import { refusalProvocations } from './refusal-provocations.ts';
import {
  addedAgent,
  addedEndpoint,
  expectStatus,
  madeContact,
  madeKey,
  madeTemplate,
  type Stage,
  sentMessage,
  waitingMessage,
} from './scenes.ts';
import { stateProvocations } from './state-provocations.ts';
import { templateProvocations } from './template-provocations.ts';

const WRONG_DIGEST = 'sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=';

const NEVER_RULE = {
  name: 'Greeting',
  trigger: { on: 'message.received' },
  when: { field: 'text', value: 'never' },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then
  then: [{ action: 'reply', body: 'Hello' }],
};
const WRONG_RULE = { ...NEVER_RULE, when: { field: 'colour', value: 'red' } };
const FAILING_RULE = { ...NEVER_RULE, tests: [{ name: 'A greeting', given: { text: 'Hello' }, matches: true }] };

/** Failures of one operation, by its id and the name of the example. */
export const ownProvocations: Readonly<Record<string, Provocation>> = {
  ...networkProvocations,
  ...campaignProvocations,
  ...refusalProvocations,
  ...stateProvocations,
  ...templateProvocations,
  'updateRetention tooLong': async (target) => withJson(target, '{"events_days": 31}'),
  'sendMessage severalFaults': async (target) => withJson(target, '{"body": "", "colour": "red"}'),
  'sendMessage noSendingNumber': async ({ stage, ready }) => {
    const { rt, service } = stage.kit;
    const wanted = { name: 'No number', unknownResends: 0, windowPolicy: 'network' } as const;
    const tenantId = await createTenant(rt, service.db, wanted);
    const wish = { tenantId, name: 'x', mode: 'test', scopes: [], expiresMs: null } as const;
    const { key } = await createApiKey(rt, service.db, wish);
    return send(stage.kit, key, await ready());
  },
  'sendMessage unknownPhoneNumber': sending({ body: 'Hello', phone_number_id: '99' }),
  'sendMessage unknownReplyTo': sending({ body: 'Hello', reply_to: UNKNOWN_ID }),
  'sendMessage unknownMedia': sending({ type: 'image', media: { media_id: UNKNOWN_ID } }),
  'sendMessage mediaNotSendable': async ({ stage, perform, operation }) => {
    const note = Buffer.from('plain text');
    const answer = await uploadFile(stage.kit, stage.tenant.key, note, { filename: 'note.txt', type: 'text/plain' });
    const mediaId = expectStatus(answer, 200).media_id;
    return perform(posting(operation, { type: 'image', media: { media_id: mediaId } }));
  },
  'sendMessage notThereYet': async ({ stage, perform, operation }) => {
    const reaction = { message_id: await waitingMessage(stage), emoji: '\u{1F44D}' };
    return perform(posting(operation, { type: 'reaction', reaction }));
  },
  'sendMessage subscriptionInactive': async ({ stage, ready }) => {
    const { rt, service } = stage.kit;
    const ended = await makeTestTenant(stage.kit);
    await moveSubscription(rt, service.db, ended.tenantId, { status: 'canceled' });
    return send(stage.kit, ended.key, await ready());
  },
  'sendMessage fairUseExceeded': async ({ stage, ready }) => {
    const { rt, service } = stage.kit;
    const small = await makeTestTenant(stage.kit);
    await addPlan(rt, service.db, 'tiny', { fairUseMessages: 3, fairUseEnforcement: 'hard' });
    await moveSubscription(rt, service.db, small.tenantId, { planId: 'tiny' });
    for (const to of ['447700900193', '447700900194', '447700900195']) await small.send(to);
    return send(stage.kit, small.key, await ready());
  },
  'sendMessage windowClosed': async ({ stage, ready }) => {
    const strict = await makeTestTenant(stage.kit, { windowPolicy: 'refuse' });
    return send(stage.kit, strict.key, await ready());
  },
  'mergeContact unknownContact': async (target) => withJson(target, JSON.stringify({ contact_id: UNKNOWN_ID })),
  'unmergeContact notMerged': async ({ stage, perform, operation }) =>
    perform(postTo(operation, await madeContact(stage))),
  'deleteContactAttribute attributeUsed': async ({ stage, perform, ready }) => {
    const call = await ready();
    const { key } = (await stage.tenant.call('GET', call.target)).body;
    const when = { field: `contact.attributes.${key}`, match: 'exists' };
    expectStatus(await stage.tenant.call('POST', '/v1/segments', { name: 'Birthdays', when }), 201);
    return perform(call);
  },
  'createContactAttribute attributeExists': twice,
  'createImport unknownMedia': async (target) => withJson(target, JSON.stringify({ media_id: UNKNOWN_ID })),
  'createCannedReply shortcutTaken': twice,
  'cancelMessage tooLate': async ({ stage, perform, operation }) => {
    return perform(postTo(operation, await sentMessage(stage)));
  },
  'resendMessage notFailed': async ({ stage, perform, operation }) => {
    return perform(postTo(operation, await sentMessage(stage)));
  },
  'markMessageRead notInbound': async ({ stage, perform, operation }) => {
    return perform(postTo(operation, await stage.tenant.send('447700900197')));
  },
  'updateConversation wakesWithoutSleep': async (target) =>
    withJson(target, '{"snoozed_until": "2030-03-04T08:00:00Z"}'),
  'snoozeConversation snoozeResolved': async ({ stage, perform, ready }) => {
    const call = await ready();
    expectStatus(await stage.tenant.call('POST', call.target.replace('/snooze', '/resolve')), 200);
    return perform(call);
  },
  'tagConversation tooManyTags': async ({ stage, perform, ready }) => {
    const call = await ready();
    const tags = Array.from({ length: 50 }, (_, n) => `tag-${n}`);
    expectStatus(await stage.tenant.call('POST', call.target, { add_tags: tags }), 200);
    return perform(call);
  },
  'readNotifications neitherNotification': async ({ perform, ready }) => {
    const call = await ready();
    return perform({ ...call, headers: { ...call.headers, 'content-type': 'application/json' }, body: '{}' });
  },
  'leaseConversation held': whileAnotherHolds,
  'replyInConversation anotherWrites': whileAnotherHolds,
  'uploadMedia noFile': async ({ perform, ready }) =>
    perform({ ...(await ready()), body: formOf({ mime_type: 'a/b' }) }),
  'uploadMedia unknownPhoneNumber': ofUnknownNumber,
  'uploadMedia invalidRequest': halfAForm,
  'createResumableUpload noFile': async ({ perform, ready }) => perform({ ...(await ready()), body: formOf({}) }),
  'createResumableUpload unknownPhoneNumber': ofUnknownNumber,
  'createResumableUpload invalidRequest': halfAForm,
  'createResumableUpload handleRefused': async ({ perform, ready }) => {
    const form = new FormData();
    form.append('file', new File(['plain text'], 'note.txt', { type: 'text/plain' }));
    return perform({ ...(await ready()), body: form });
  },
  'createResumableUpload preconditionFailed': tusCreation({ 'tus-resumable': '0.9' }),
  'createResumableUpload checksumMismatch': tusCreation({ 'upload-checksum': WRONG_DIGEST }),
  'getMediaContent rangeNotSatisfiable': async ({ perform, ready }) => {
    return perform({ ...(await ready()), headers: { range: 'bytes=9999999-' } });
  },
  'patchResumableUpload preconditionFailed': withoutHeader('Tus-Resumable'),
  'deleteResumableUpload preconditionFailed': withoutHeader('Tus-Resumable'),
  'patchResumableUpload tooLong': async ({ perform, ready }) => {
    return perform({ ...(await ready()), body: new TextEncoder().encode('hello, world') });
  },
  'patchResumableUpload wrongOffset': withHeader('Upload-Offset', '5'),
  'patchResumableUpload unknownDigest': withHeader('Upload-Checksum', 'crc32 AAAA'),
  'patchResumableUpload checksumMismatch': withHeader('Upload-Checksum', WRONG_DIGEST),
  'createTemplate unknownNetworkAccount': async ({ perform, operation }) =>
    perform(drafting(operation, { network_account_id: '99' })),
  'syncTemplates unknownNetworkAccount': async ({ perform, ready }) =>
    perform({ ...(await ready()), ...jsonBody({ network_account_id: '99' }) }),
  'createTemplate sameName': async ({ perform, ready, operation }) => {
    await perform(await ready());
    const other = { name: 'order_ready', language: 'en_US', category: 'marketing' };
    return perform(drafting(operation, other));
  },
  'updateTemplate inReview': async ({ stage, perform, operation }) => {
    return perform({ ...postTo(operation, await templateInReview(stage)), ...jsonBody({ category: 'marketing' }) });
  },
  'submitTemplate inReview': async ({ stage, perform, operation }) => {
    return perform(postTo(operation, await templateInReview(stage)));
  },
  'submitTemplate invalid': async ({ stage, perform, operation }) => {
    return perform(postTo(operation, await madeTemplate(stage, { components: [] })));
  },
  'topUpWallet tooManyOpen': async ({ stage, ready }) => {
    const keen = await makeTestTenant(stage.kit);
    const call = await ready();
    let answer = await send(stage.kit, keen.key, call);
    while (answer.status === 201) answer = await send(stage.kit, keen.key, call);
    return answer;
  },
  'listEvents unknownType': withQuery('types=parcel.lost'),
  'listEvents notAnEvent': withQuery(`after=${UNKNOWN_ID}`),
  'streamEvents unknownType': withQuery('types=parcel.lost'),
  'streamEvents notAnEvent': withQuery(`after=${UNKNOWN_ID}`),
  // A stream that is let in would not end.
  'streamEvents rateLimited': (target) =>
    inABurst({
      ...target,
      ready: async () => ({ ...(await target.ready()), target: `${target.operation.path}?types=parcel.lost` }),
    }),
  'createWebhookEndpoint sameAddress': twice,
  'updateWebhookEndpoint sameAddress': async ({ stage, perform, operation }) => {
    const id = await addedEndpoint(stage);
    const taken = (await stage.tenant.call('GET', `/v1/webhook-endpoints/${id}`)).body.url;
    return perform(jsonTo(operation, await addedEndpoint(stage), { url: taken }));
  },
  'createWebhookEndpoint notPublic': withUrl,
  'updateWebhookEndpoint notPublic': withUrl,
  'testWebhookEndpoint endpointDisabled': ofDisabledEndpoint,
  'resendWebhookDelivery endpointDisabled': ofDisabledEndpoint,
  'recoverWebhookEndpoint endpointDisabled': ofDisabledEndpoint,
  ...linkingProvocations,
  'createAgent namesake': async ({ stage, perform, operation }) => {
    const externalId = { external_id: `taken-${stage.kit.rt.newId()}` };
    await addedAgent(stage, externalId);
    return perform(jsonTo(operation, '', { name: 'Bo', ...externalId }));
  },
  'updateAgent namesake': async ({ stage, perform, operation }) => {
    const externalId = { external_id: `taken-${stage.kit.rt.newId()}` };
    await addedAgent(stage, externalId);
    return perform(jsonTo(operation, await addedAgent(stage), externalId));
  },
  'updateAgent lastOwner': async ({ stage, operation }) => {
    const alone = await makeTestTenant(stage.kit);
    const id = await addedAgent({ ...stage, tenant: alone }, { role: 'owner' });
    return send(stage.kit, alone.key, jsonTo(operation, id, { role: 'agent' }));
  },
  'deleteAgent lastOwner': async ({ stage, operation }) => {
    const alone = await makeTestTenant(stage.kit);
    const id = await addedAgent({ ...stage, tenant: alone }, { role: 'owner' });
    return send(stage.kit, alone.key, postTo(operation, id));
  },
  'deleteTeam overflows': async ({ stage, perform, operation }) => {
    const { id } = expectStatus(await stage.tenant.call('POST', '/v1/teams', { name: 'Night' }), 201);
    await stage.tenant.call('POST', '/v1/teams', { name: 'Sales', overflow_team_id: id });
    return perform(postTo(operation, id));
  },
  'deleteBusinessHours inUse': async ({ stage, perform, operation }) => {
    const hours = { name: 'Shop', timezone: 'UTC', weekly: {} };
    const { id } = expectStatus(await stage.tenant.call('POST', '/v1/business-hours', hours), 201);
    await stage.tenant.call('POST', '/v1/teams', { name: 'Support', business_hours_id: id });
    return perform(postTo(operation, id));
  },
  'createChatbotRule wrongCondition': async (target) => withJson(target, JSON.stringify(WRONG_RULE)),
  'createChatbotRule testsFail': async (target) => withJson(target, JSON.stringify(FAILING_RULE)),
  'updateChatbotRule wrongCondition': async (target) => withJson(target, JSON.stringify({ when: WRONG_RULE.when })),
  'updateChatbotRule testsFail': async (target) => withJson(target, JSON.stringify({ tests: FAILING_RULE.tests })),
  'testChatbotRules wrongCondition': async (target) =>
    withJson(target, JSON.stringify({ given: { text: 'Hello' }, rule: WRONG_RULE })),
  'backtestChatbotRule wrongCondition': async (target) => withJson(target, JSON.stringify({ rule: WRONG_RULE })),
  'createApiKey lacksScope': async (target) => giving(target, await target.ready()),
  'rotateApiKey lacksScope': async (target) => {
    const id = await madeKey(target.stage, { scopes: ['messages:write'] });
    return giving(target, postTo(target.operation, id));
  },
  'rotateApiKey ended': async ({ stage, perform, operation }) => {
    const id = await madeKey(stage);
    expectStatus(await stage.tenant.call('DELETE', `/v1/api-keys/${id}`), 200);
    return perform(postTo(operation, id));
  },
  'revokeApiKey lacksScope': async (target) => {
    const id = await madeKey(target.stage, { scopes: ['messages:write'] });
    return giving(target, { ...postTo(target.operation, id), method: 'DELETE' });
  },
  'getMetrics notFound': async ({ stage, ready }) => {
    const call = await ready();
    return send(stage.kit, null, { ...call, headers: { ...call.headers, 'x-forwarded-for': '203.0.113.1' } });
  },
  'createApiKey tooManyKeys': async ({ stage, ready }) =>
    send(stage.kit, (await tenantFullOfKeys(stage)).key, await ready()),
  'rotateApiKey tooManyKeys': async ({ stage, operation }) => {
    const full = await tenantFullOfKeys(stage);
    const [own] = (await full.call('GET', '/v1/api-keys?mode=test')).body.data;
    return send(stage.kit, full.key, postTo(operation, own.id));
  },
  'revokeApiKey lastKey': async (target) => revokingItself(target, ['keys:read', 'keys:write']),
  'revokeApiKey lastFullKey': async (target) => revokingItself(target, []),
};

async function revokingItself({ stage, operation }: Target, scopes: readonly string[]): Promise<Answer> {
  const alone = await makeTestTenant(stage.kit, { scopes });
  const [own] = (await alone.call('GET', '/v1/api-keys')).body.data;
  return send(stage.kit, alone.key, { ...postTo(operation, own.id), method: 'DELETE' });
}

/** A tenant that may make no further key. */
async function tenantFullOfKeys({ kit }: Stage): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  const text = `
insert into api_keys (tenant_id, key_id, name, mode, key_hash, hint, scopes, created_ms)
select $1::uuid, gen_random_uuid(), 'one of many', 'live', $1::uuid::text || n, 'pr_live_', '{}', 0
from generate_series(1, $2::int) n`;
  await kit.service.db.run({ name: 'test_many_keys', text }, [tenant.tenantId, kit.rt.config.keysPerTenant]);
  return tenant;
}

function withQuery(query: string): Provocation {
  return async ({ perform, ready }) => {
    const call = await ready();
    return perform({ ...call, target: `${call.target}?${query}` });
  };
}

function withUrl(target: Target): Promise<Answer> {
  return withJson(target, '{"url": "https://10.0.0.1/hook"}');
}

async function ofDisabledEndpoint({ stage, perform, ready }: Target): Promise<Answer> {
  const call = await ready();
  const [self = ''] = /^\/v1\/webhook-endpoints\/[^/]+/.exec(call.target) ?? [];
  expectStatus(await stage.tenant.call('PATCH', self, { enabled: false }), 200);
  return perform(call);
}

/** The second meets what the first made. */
async function twice({ perform, ready }: Target): Promise<Answer> {
  const call = await ready();
  await perform(call);
  return perform(call);
}

/** The other agent is the one of the examples. */
async function whileAnotherHolds({ stage, perform, ready }: Target): Promise<Answer> {
  const call = await ready();
  const other = { 'x-agent-id': EXAMPLE_AGENTS[1] };
  const lease = call.target.replace(/\/(messages|lease)$/, '/lease');
  expectStatus(await stage.tenant.call('POST', lease, undefined, other), 200);
  return perform(call);
}

function sending(fields: object): Provocation {
  return ({ perform, operation }) => perform(posting(operation, fields));
}

function posting({ path }: Described, fields: object): Call {
  const body = JSON.stringify({ to: '447700900196', ...fields });
  return { method: 'POST', target: path, headers: { 'content-type': 'application/json' }, body };
}

/** An upload that begins with its bytes, as tus allows; `headers` replace what would work. */
function tusCreation(headers: Readonly<Record<string, string>>): Provocation {
  const usual = { 'tus-resumable': '1.0.0', 'upload-length': '11', 'content-type': PIECE_TYPE };
  return ({ perform, operation }) => {
    const body = new TextEncoder().encode('hello world');
    return perform({ method: 'POST', target: operation.path, headers: { ...usual, ...headers }, body });
  };
}

function jsonBody(fields: object): Pick<Call, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
}

function drafting({ path }: Described, fields: object): Call {
  const components = [{ type: 'BODY', text: 'We have moved.' }];
  const draft = { name: 'of_nobody', language: 'en', category: 'utility', components, ...fields };
  return { method: 'POST', target: path, ...jsonBody(draft) };
}

async function templateInReview(stage: Stage): Promise<string> {
  const name = `${stage.kit.rt.newId().replaceAll('-', '_')}_pending`;
  const id = await madeTemplate(stage, { name });
  expectStatus(await stage.tenant.call('POST', `/v1/templates/${id}/submit`), 200);
  return id;
}

function jsonTo(operation: Described, id: string, body: object): Call {
  const headers = { 'content-type': 'application/json' };
  return { ...postTo(operation, id), headers, body: JSON.stringify(body) };
}

function postTo(operation: Described, id: string): Call {
  return { method: operation.method, target: operation.path.replace('{id}', id), headers: {}, body: null };
}

/** With a key that may make keys, and nothing else. */
async function giving({ stage }: Target, call: Call): Promise<Answer> {
  const made = await stage.tenant.call('POST', '/v1/api-keys', { name: 'keys', scopes: ['keys:write'] });
  return send(stage.kit, expectStatus(made, 201).key, call);
}

async function ofUnknownNumber({ perform, ready }: Target): Promise<Answer> {
  return perform({ ...(await ready()), body: formOf({ file: '@parcel.jpg', phone_number_id: '99' }) });
}

async function halfAForm({ perform, ready }: Target): Promise<Answer> {
  const text = `--b\r\ncontent-disposition: form-data; name="file"; filename="parcel.jpg"\r\n\r\n${jpegBytes(10)}`;
  return perform({ ...(await ready()), headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: text });
}

function withHeader(name: string, value: string): Provocation {
  return async ({ perform, ready }) => {
    const call = await ready();
    return perform({ ...call, headers: { ...call.headers, [name]: value } });
  };
}

function withoutHeader(name: string): Provocation {
  return async ({ perform, ready }) => {
    const call = await ready();
    return perform({
      ...call,
      headers: Object.fromEntries(Object.entries(call.headers).filter(([key]) => key !== name)),
    });
  };
}

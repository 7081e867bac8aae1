import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { idsFor, NOBODYS, pathOf, perform, planOf } from '#http/security/testing/calls';
import { bodyReferences } from '#http/security/testing/references';
import { make, makeFullTenant } from '#http/security/testing/world';
import { type Described, described } from '#http/testing/described';
import { jpegBytes } from '#testing/media/test-media';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import type { TestTenant } from '#testing/test-tenant';

/* What an Idempotency-Key promises, for every operation that takes one. */
let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  // Without the campaigner: a campaign that is started moves by itself.
  kit = await startTestService({
    config: { roles: 'api,receiver,ingester,dispatcher,maintenance', webhookEndpoints: 200 },
  });
  tenant = await makeFullTenant(kit);
  stranger = await makeFullTenant(kit);
});
afterAll(() => kit.close());

/** A call that succeeds, and can be repeated as it is. */
interface Call {
  readonly operation: Described;
  readonly ids: Readonly<Record<string, string>>;
  /** Of a form, fields beside its file. */
  readonly json: JsonObject | undefined;
  readonly file: Buffer;
  readonly status: number;
}

/** Where what the table of calls says is refused, what the table of references says that its owner is answered. */
function succeedingReference({ id }: Described) {
  if (planOf(id).status < 400) return undefined;
  return Object.values(bodyReferences[id] ?? {}).find(({ status = 400 }) => status < 400);
}

async function callFor(operation: Described, owner = tenant): Promise<Call> {
  const plan = planOf(operation.id);
  const ids = await idsFor(kit, owner, operation);
  const file = jpegBytes();
  const reference = succeedingReference(operation);
  if (reference === undefined) return { operation, ids, json: plan.json, file, status: plan.status };
  const json = reference.body(await make(kit, owner, reference.names));
  return { operation, ids, json, file, status: reference.status ?? plan.status };
}

function send({ operation, ids, json, file }: Call, key: string, owner = tenant): Promise<Answer> {
  const headers = { 'idempotency-key': key };
  return perform(kit, owner.key, operation, { ids, headers, file, ...(json === undefined ? {} : { json }) });
}

/** Another request under the same key: other bytes of the same body, or what else there is to change. */
async function sendOther(call: Call, fresh: Call, key: string): Promise<Answer> {
  const { operation, ids, json } = call;
  const { form, headers } = planOf(operation.id);
  if (form) return send({ ...call, json: { ...json, mime_type: 'image/jpeg' } }, key);
  if (json === undefined && Object.keys(ids).length > 0) return send(fresh, key);
  const all = { ...headers, authorization: `Bearer ${tenant.key}`, 'idempotency-key': key };
  const body = Buffer.from(`${JSON.stringify(json ?? {})} `);
  return callApi(kit.service.url, operation.method, pathOf(operation, ids), body, all);
}

/** They answer what became, or would become, of what their body names. */
const ANSWER_REFUSALS = ['sendMessageBatch', 'updateConversations', 'dryRunMessage'];

/** A request that fails: for what its path or its body names and nobody has, or for a field that there is none of. */
function failing(call: Call): Call {
  if (Object.keys(call.ids).length > 0) return { ...call, ids: {} };
  const [reference] = Object.values(bodyReferences[call.operation.id] ?? {});
  const isRefused = reference !== undefined && !ANSWER_REFUSALS.includes(call.operation.id);
  return { ...call, json: isRefused ? reference.body(NOBODYS) : { ...call.json, nonsense: 1 } };
}

function isReplay(answer: Answer): boolean {
  return answer.headers.get('idempotent-replayed') === 'true';
}

/** What a secret shows as in repetitions: it is stored nowhere. */
const SECRETS: Readonly<Record<string, JsonObject>> = {
  createApiKey: { key: null },
  rotateApiKey: { key: null },
  createWebhookEndpoint: { secret: null },
  rotateWebhookSecret: { secret: null },
};

function replayOf(answer: Answer, { operation }: Call): readonly unknown[] {
  return [answer.status, true, { ...answer.body, ...SECRETS[operation.id] }];
}

/** How much of what a change leaves behind the tenant has. */
async function changes(): Promise<unknown> {
  const text = `select (select count(*) from audit_log where tenant_id = $1) as audited,
    (select count(*) from outbound_messages where tenant_id = $1) as messages,
    (select count(*) from idempotency_keys where tenant_id = $1) as keys`;
  return (await kit.service.db.run({ name: 'test_count_changes', text }, [tenant.tenantId])).rows[0];
}

const operations = described.filter(({ headerNames }) => headerNames.includes('Idempotency-Key'));
/** No payment gateway is connected, and the order names rules of nobody. */
const REFUSED = ['topUpWallet', 'orderChatbotRules'];
const succeeding = operations.filter(({ id }) => !REFUSED.includes(id));

test('every operation succeeds here but for those that are listed', () => {
  const refused = operations.filter((one) => planOf(one.id).status >= 400 && succeedingReference(one) === undefined);
  expect(refused.map(({ id }) => id).toSorted()).toEqual(REFUSED.toSorted());
});

describe.each(succeeding)('$id', (operation) => {
  test('answers the same request the same, and does nothing twice', async () => {
    const call = await callFor(operation);
    const first = await send(call, `same-${operation.id}`);
    expect([first.status, isReplay(first), first.text]).toEqual([call.status, false, expect.any(String)]);
    const before = await changes();
    const again = await send(call, `same-${operation.id}`);
    expect([again.status, isReplay(again), again.body]).toEqual(replayOf(first, call));
    expect(await changes()).toEqual(before);
  });

  test('refuses another request under the same key', async () => {
    const [call, fresh] = [await callFor(operation), await callFor(operation)];
    expect((await send(call, `other-${operation.id}`)).status).toBe(call.status);
    const before = await changes();
    const other = await sendOther(call, fresh, `other-${operation.id}`);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await changes()).toEqual(before);
  });

  test('does once what two ask for at the same time', async () => {
    const call = await callFor(operation);
    const answers = await Promise.all([1, 2].map(() => send(call, `both-${operation.id}`)));
    const [first, more] = answers.filter(({ status }) => status === call.status).filter((one) => !isReplay(one));
    if (first === undefined) throw new Error(`None was done: ${answers.map(({ text }) => text)}`);
    expect(more).toBeUndefined();
    const other = answers.find((one) => one !== first);
    if (other?.status === 409) expect(other.body.code).toBe('request_in_progress');
    else expect([other?.status, other && isReplay(other), other?.body]).toEqual(replayOf(first, call));
    const later = await send(call, `both-${operation.id}`);
    expect([later.status, isReplay(later), later.body]).toEqual(replayOf(first, call));
  });

  test('does not answer one tenant with what another was', async () => {
    const key = `shared-${operation.id}`;
    const calls = [await callFor(operation), await callFor(operation, stranger)] as const;
    const answers = [await send(calls[0], key), await send(calls[1], key, stranger)];
    const { status } = calls[0];
    expect(answers.map((one) => [one.status, isReplay(one)])).toEqual([
      [status, false],
      [status, false],
    ]);
    const planned = JSON.stringify(planOf(operation.id));
    const shared = idsIn(answers[1]).filter((id) => idsIn(answers[0]).includes(id));
    expect(shared.filter((id) => !planned.includes(id))).toEqual([]);
  });
});

test.each(operations)('a request of $id that failed can be repeated, and its key is free', async (operation) => {
  const call = await callFor(operation);
  const key = `failed-${operation.id}`;
  const before = await changes();
  for (const answer of [await send(failing(call), key), await send(failing(call), key)]) {
    expect([[400, 404].includes(answer.status), isReplay(answer), answer.text]).toEqual([true, false, answer.text]);
  }
  expect(await changes()).toEqual(before);
  const next = await send(call, key);
  expect([next.status, isReplay(next), next.text]).toEqual([call.status, false, next.text]);
});

function idsIn(answer: Answer | undefined): readonly string[] {
  return answer?.text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
}

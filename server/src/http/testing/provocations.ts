import { createHash } from 'node:crypto';
import { createApiKey, type NewKeyInput, revokeApiKey } from '#access/actions/manage-tenants';
import { suspendTenant } from '#access/actions/suspend-tenant';
import { whileFailing } from '#testing/peers/failing-network';
import type { Answer } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';
import { type Call, send } from './calls.ts';
import { type Described, described } from './described.ts';
import { expectStatus, readyCall, type Stage } from './scenes.ts';

/** Brings about one failure of an operation, and returns what was answered. */
export type Provocation = (target: Target) => Promise<Answer>;

export interface Target {
  readonly stage: Stage;
  readonly operation: Described;
  /** A call that would succeed, each time with a resource of its own. */
  ready(): Promise<Call>;
  /** Sends a call with the tenant's key. */
  perform(call: Call): Promise<Answer>;
}

export const UNKNOWN_ID = '0190a6f2-0000-7000-8000-00000000dead';
const MAX_UPLOAD_BYTES = 16 * 1024 * 1024;
/** Enough to empty a bucket of one request per second, however slow the machine: they arrive together. */
const BURST = 20;

/** Failures that every operation of a kind can have, by the names of their examples. */
export const commonProvocations: Readonly<Record<string, Provocation>> = {
  unauthorized: async ({ stage, ready }) => send(stage.kit, null, await ready()),
  forbidden: withoutScope,
  addressNotAllowed: fromElsewhere,
  tenantSuspended: ofSuspendedTenant,
  rateLimited: inABurst,
  unknownParameter: async ({ perform, ready }) => perform(withQuery(await ready(), 'colour=red')),
  notFound: async ({ perform, ready, operation }) => {
    const unknown = isOfNumbers(operation) ? '99' : UNKNOWN_ID;
    return perform({ ...(await ready()), target: pathWith(operation, unknown) });
  },
  methodNotAllowed: async ({ perform, ready, operation }) => {
    const isServed = described.some(({ path, method }) => path === operation.path && method === 'PUT');
    return perform({ ...(await ready()), method: isServed ? 'POST' : 'PUT', body: null });
  },
  malformedJson: async (target) => withJson(target, '{"to":'),
  truncatedJson: async (target) => withJson(target, '{"to":'),
  unsupportedMediaType: async ({ perform, ready }) => {
    const call = await ready();
    return perform({ ...call, headers: { ...call.headers, 'content-type': 'text/xml' }, body: '<message/>' });
  },
  payloadTooLarge,
  idempotencyKeyReused: twoRequestsWithOneKey,
  requestInProgress: whileTheFirstRuns,
};

/** Its path about this resource; what else it names is unknown. */
function pathWith({ path }: Described, id: string): string {
  return path.replace('{id}', id).replace(/\{\w+\}/g, UNKNOWN_ID);
}

/** A number or a flow has the id of the network, digits; everything else a UUID. */
function isOfNumbers({ path }: Described): boolean {
  return path.startsWith('/v1/phone-numbers/') || path.startsWith('/v1/flows/');
}

function withQuery(call: Call, query: string): Call {
  return { ...call, target: `${call.target}${call.target.includes('?') ? '&' : '?'}${query}` };
}

export async function withJson({ perform, ready }: Target, body: string): Promise<Answer> {
  const call = await ready();
  return perform({ ...call, headers: { ...call.headers, 'content-type': 'application/json' }, body });
}

/** A JSON body, or a file, that is too large. */
async function payloadTooLarge(target: Target): Promise<Answer> {
  const call = await target.ready();
  if (call.body instanceof FormData) {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(MAX_UPLOAD_BYTES + 1)], 'film.mp4'));
    return target.perform({ ...call, body: form });
  }
  return withJson(target, JSON.stringify({ text: 'x'.repeat(3 * 1024 * 1024) }));
}

/** A key that may be used from another address. */
async function fromElsewhere({ stage, ready }: Target): Promise<Answer> {
  return withKey(stage, { name: 'elsewhere', allowedIps: ['192.0.2.1'] }, await ready());
}

/** The answer to a key of its own, which ends then: a tenant may have so many, and every operation takes some. */
async function withKey(
  { kit, tenant: { tenantId } }: Stage,
  fields: Partial<NewKeyInput>,
  call: Call,
): Promise<Answer> {
  const { rt, service } = kit;
  const wish = { tenantId, name: 'x', mode: 'test', scopes: [], expiresMs: null, ...fields } as const;
  const { key, keyId } = await createApiKey(rt, service.db, wish);
  const answer = await send(kit, key, call);
  await revokeApiKey(rt, service.db, { tenantId, keyId });
  return answer;
}

/** A key that may do something else. */
async function withoutScope({ stage, operation, ready }: Target): Promise<Answer> {
  const other = operation.path.startsWith('/v1/audit-log') ? 'media:read' : 'audit:read';
  return withKey(stage, { scopes: [other] }, await ready());
}

export async function inABurst({ stage, ready }: Target): Promise<Answer> {
  const made = await stage.tenant.call('POST', '/v1/api-keys', { name: 'slow', rate_limit: 1 });
  const { key, id } = expectStatus(made, 201);
  const { method, target } = await ready();
  const call: Call = { method, target, headers: {}, body: null };
  const answers = await Promise.all(Array.from({ length: BURST }, () => send(stage.kit, key, call)));
  await stage.tenant.call('DELETE', `/v1/api-keys/${id}`);
  return answers.find(({ status }) => status === 429) ?? (answers[0] as Answer);
}

/** While every call of these steps fails at the simulator. */
export function whileStepFails(failures: Readonly<Record<string, object>>): Provocation {
  return async ({ stage: { kit }, perform, ready }) => {
    const call = await ready();
    return whileFailing(kit, failures, () => perform(call));
  };
}

/** The second differs from the first by its path, its file, or a space behind its JSON. */
async function twoRequestsWithOneKey({ perform, ready, operation }: Target): Promise<Answer> {
  const once = { 'idempotency-key': `reused-${operation.id}` };
  const [first, second] = [await ready(), await ready()];
  const { status, text } = await perform({ ...first, headers: { ...first.headers, ...once } });
  if (status >= 500) throw new Error(`The first request got ${status} and kept no answer for its key: ${text}`);
  const body = typeof second.body === 'string' ? `${second.body} ` : second.body;
  return perform({ ...second, headers: { ...second.headers, ...once }, body });
}

/** The mark of the first request says, as it does while it runs, that there is no answer yet. */
async function whileTheFirstRuns({ stage, perform, ready, operation }: Target): Promise<Answer> {
  const key = `running-${operation.id}`;
  const call = await ready();
  const once = { ...call, headers: { ...call.headers, 'idempotency-key': key } };
  await perform(once);
  const text =
    'update idempotency_keys set status_code = null, message_id = null where tenant_id = $1 and key_hash = $2';
  const keyHash = createHash('sha256').update(key).digest('base64');
  await stage.kit.service.db.run({ name: 'test_unfinish', text }, [stage.tenant.tenantId, keyHash]);
  return perform(once);
}

/** The target of a failure, on this stage. */
export function targetOf(stage: Stage, operation: Described): Target {
  const [body = null] = operation.bodies;
  return {
    stage,
    operation,
    ready: () => readyCall(stage, operation, body),
    perform: (call) => send(stage.kit, stage.tenant.key, call),
  };
}

async function ofSuspendedTenant({ stage, ready }: Target): Promise<Answer> {
  const { rt, service } = stage.kit;
  const { tenantId, key } = await makeTestTenant(stage.kit);
  await suspendTenant(rt, service.db, { tenantId, reason: null });
  return send(stage.kit, key, await ready());
}

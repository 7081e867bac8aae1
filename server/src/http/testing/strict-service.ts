import { createApiKey } from '#access/actions/manage-tenants';
import { setPrice } from '#billing/actions/manage-wallet';
import { TABLE_TYPES } from '#imports/http/table-body';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { type Answer, startTestService, type TestService, type TestServiceOptions } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';
import { bodyOf, type Call, PIECE_TYPE, send } from './calls.ts';
import type { Described } from './described.ts';
import type { Provocation } from './provocations.ts';
import { expectStatus, type Stage } from './scenes.ts';

const ANY_ID = '0190a6f2-0000-7000-8000-00000000dead';
/** More than half of the quota below. */
const LARGE_BYTES = 600 * 1024;

/** A service with a wallet that nothing can be paid into, a small quota, and a network that it takes for the real one. Nothing leaves it. */
export async function strictStage(options: Pick<TestServiceOptions, 'clock'>): Promise<Stage> {
  const config = { roles: 'api', networkIsSimulator: 'no', walletEnabled: 'true', mediaQuotaMb: 1 } as const;
  const kit = await startTestService({ ...options, config });
  await setPrice(kit.rt, kit.service.db, {
    category: 'service',
    region: '',
    effectiveFromMs: 1,
    unitPriceMicros: 10_000,
  });
  return { kit, tenant: await makeTestTenant(kit) };
}

/** What only such a service answers, by the names of the examples. */
export const strictProvocations: Readonly<Record<string, Provocation>> = {
  testKey: ({ operation, perform }) => perform(bareCall(operation)),
  walletDisabled: ({ operation, perform }) => perform(bareCall(operation)),
  insufficientBalance: async ({ stage, operation }) => {
    return send(stage.kit, await liveKey(stage.kit, stage), bareCall(operation));
  },
  mediaQuotaExceeded: async ({ stage, operation }) => {
    await uploadFile(stage.kit, stage.tenant.key, jpegBytes(LARGE_BYTES));
    const { headers, ...call } = bareCall(operation);
    const [table] = operation.bodies.map(({ contentType }) => contentType).filter((type) => type in TABLE_TYPES);
    if (table !== undefined) {
      const large = { ...call, headers: { ...headers, 'content-type': table }, body: 'x'.repeat(LARGE_BYTES) };
      return send(stage.kit, stage.tenant.key, large);
    }
    return uploadFile(stage.kit, stage.tenant.key, jpegBytes(LARGE_BYTES), { path: operation.path });
  },
  'patchResumableUpload mediaQuotaExceeded': async ({ stage: { kit }, operation }) => {
    const tenant = await makeTestTenant(kit);
    const tus = { 'tus-resumable': '1.0.0' };
    const length = { 'upload-length': String(LARGE_BYTES) };
    const begun = await tenant.call('POST', '/v1/media/resumable', undefined, { ...tus, ...length });
    // Once begun, the upload loses its room to another one.
    await uploadFile(kit, tenant.key, jpegBytes(LARGE_BYTES));
    const piece = { ...tus, 'upload-offset': '0', 'content-type': PIECE_TYPE };
    return tenant.call(operation.method, String(begun.headers.get('location')), jpegBytes(LARGE_BYTES), piece);
  },
};

/** A call that need not find what it names. */
function bareCall(operation: Described): Call {
  const [body = null] = operation.bodies;
  return { method: operation.method, target: operation.path.replace(/\{\w+\}/g, ANY_ID), ...bodyOf(body) };
}

async function liveKey({ rt, service }: TestService, { tenant: { tenantId } }: Stage): Promise<string> {
  const wish = { tenantId, name: 'live', mode: 'live', scopes: [], expiresMs: null } as const;
  return (await createApiKey(rt, service.db, wish)).key;
}

/** A key that no process has seen yet, so that its first request asks the database. */
export async function unseenKey({ tenant }: Stage): Promise<string> {
  return expectStatus(await tenant.call('POST', '/v1/api-keys', { name: 'not seen yet' }), 201).key;
}

/**
 * Takes away a table that each request reads whose key is not remembered: what it meets then is no lack of a database but
 * a mistake of ours. @returns puts it back
 */
export async function breakDatabase({ kit: { service } }: Stage): Promise<() => Promise<void>> {
  const run = async (text: string): Promise<void> => void (await service.db.run({ name: `test_${text}`, text }, []));
  await run('alter table api_keys rename to api_keys_elsewhere');
  return () => run('alter table api_keys_elsewhere rename to api_keys');
}

/** Calls an operation of a service whose database is away, or broken. */
export function callWithKey(stage: Stage, operation: Described, key: string): Promise<Answer> {
  return send(stage.kit, key, bareCall(operation));
}

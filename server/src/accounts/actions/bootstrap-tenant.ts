import { audit } from '#access/actions/audit';
import { hashKey } from '#access/actions/authenticate';
import { createTenant, NO_LIMITS } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { findUsableKey, insertApiKey } from '#access/store/api-keys';
import { listTenants } from '#access/store/tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { listPhoneNumbers } from '#accounts/store/phone-numbers';
import { keyHint, modeOf } from '#core/caller/api-key';
import type { KeyId, PhoneNumberId, TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import { lockBootstrap } from '#database/server-settings';
import type { Runtime } from '#runtime/runtime';
import { networkIsSimulated } from '#runtime/simulated';

/** What `npm start` shows and MESSAGING_BOOTSTRAP_API_KEY asks for. */
export interface Bootstrap {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
}

/** As the simulator knows it: figures of the network are asked for by the digits of a number. */
export const DEMO_NUMBER = { phoneNumberId: '100000000000001', displayPhone: '15550000001' };

/** The account in which the simulator puts numbers of an unknown account; a real number's account is not known here. */
export const SIMULATED_ACCOUNT = '300400500600';

/** Gives the first tenant this key, and makes tenant and number when there are none. Repeating it changes nothing. */
export async function bootstrapTenant(rt: Runtime, db: Database, key: string): Promise<Bootstrap> {
  // One connection, one process: there is nothing to wait for, and a transaction would keep the work itself waiting.
  if (db.kind === 'pglite') return makeFirstTenant(rt, db, key);
  return db.transaction(async (tx) => {
    await lockBootstrap(tx);
    return makeFirstTenant(rt, db, key);
  });
}

export async function makeFirstTenant(rt: Runtime, db: Database, key: string): Promise<Bootstrap> {
  const known = await findUsableKey(db, hashKey(key), rt.clock.now());
  const tenantId =
    known?.tenantId ??
    (await listTenants(db))[0]?.tenantId ??
    (await createTenant(rt, db, { name: 'Demo', unknownResends: 1, windowPolicy: 'network' }));
  if (!known) await giveKey(rt, db, tenantId, key);
  if ((await listPhoneNumbers(db, tenantId)).length === 0) await addDemoNumber(rt, db, tenantId);
  const [number] = await listPhoneNumbers(db, tenantId);
  if (!number) throw new OperatorError("The tenant's first number could not be created.");
  return { tenantId, phoneNumberId: number.phoneNumberId };
}

export async function giveKey(rt: Runtime, db: Database, tenantId: TenantId, key: string): Promise<void> {
  const keyId = rt.newId<KeyId>();
  const createdMs = rt.clock.now();
  const fields = {
    tenantId,
    name: 'bootstrap',
    mode: modeOf(key),
    scopes: [],
    expiresMs: null,
    ...NO_LIMITS,
  } as const;
  const stored = { ...fields, keyId, keyHash: hashKey(key), hint: keyHint(key), createdMs };
  const details = { name: fields.name, mode: fields.mode, scopes: [] };
  await db.transaction(async (tx) => {
    if (await insertApiKey(tx, stored))
      await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'key.created', targetId: keyId, details });
  });
}

export async function addDemoNumber(rt: Runtime, db: Database, tenantId: TenantId): Promise<void> {
  const networkAccountId = networkIsSimulated(rt.config) ? SIMULATED_ACCOUNT : null;
  await addPhoneNumber(rt, db, { tenantId, ...DEMO_NUMBER, name: 'Demo', ratePerSecond: null, networkAccountId });
}

import { randomBytes } from 'node:crypto';
import { type ApiKey, endApiKey, insertApiKey } from '#access/store/api-keys';
import { keyHint, makeApiKey } from '#core/caller/api-key';
import type { Origin } from '#core/caller/origin';
import type { KeyId, TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { audit } from './audit.ts';
import { hashKey } from './authenticate.ts';

/** What the operator's commands and the API both do to keys, each a step of their transactions. */

/** What a key may do, and for how long. */
export type KeyFields = Omit<ApiKey, 'keyId' | 'hint' | 'createdMs' | 'revokedMs' | 'lastUsedMs'>;

/** A key that was just made. `key` is the key itself, which is stored nowhere. */
export interface MadeKey {
  readonly key: string;
  readonly record: ApiKey;
}

/** Makes a key of these fields and stores its hash. */
export async function makeKey(
  rt: Pick<Runtime, 'newId' | 'clock'>,
  tx: Transaction,
  fields: KeyFields,
): Promise<MadeKey> {
  const key = makeApiKey(fields.mode, randomBytes);
  const made = { keyId: rt.newId<KeyId>(), createdMs: rt.clock.now(), hint: keyHint(key) };
  const record: ApiKey = { ...fields, ...made, revokedMs: null, lastUsedMs: null };
  await insertApiKey(tx, { ...record, keyHash: hashKey(key) });
  return { key, record };
}

export async function createKeyIn(rt: Runtime, tx: Transaction, fields: KeyFields, origin: Origin): Promise<MadeKey> {
  const made = await makeKey(rt, tx, fields);
  const { tenantId, name, mode, scopes, allowedIps, phoneNumberIds } = fields;
  const limits = {
    ...(allowedIps.length > 0 && { allowed_ips: [...allowedIps] }),
    ...(phoneNumberIds.length > 0 && { phone_number_ids: [...phoneNumberIds] }),
  };
  const details = { name, mode, scopes: [...scopes], ...limits };
  await audit(rt, tx, { tenantId, origin, action: 'key.created', targetId: made.record.keyId, details });
  return made;
}

/**
 * A successor with the rights of `old`, which works for `overlapMs` more. A key that expires gets a successor with the
 * same lifetime, or until `latestEndMs`.
 */
export async function rotateKeyIn(
  rt: Runtime,
  tx: Transaction,
  rotation: {
    readonly old: ApiKey;
    readonly overlapMs: number;
    readonly origin: Origin;
    /** Null: none. */
    readonly latestEndMs: number | null;
  },
): Promise<MadeKey & { readonly oldEndsMs: number }> {
  const { old, overlapMs, origin, latestEndMs } = rotation;
  const { tenantId, keyId, expiresMs } = old;
  const nowMs = rt.clock.now();
  const asLong = expiresMs && Math.min(nowMs + (expiresMs - old.createdMs), latestEndMs ?? Number.POSITIVE_INFINITY);
  const made = await makeKey(rt, tx, { ...old, expiresMs: asLong });
  const oldEndsMs = Math.min(nowMs + overlapMs, expiresMs ?? Number.POSITIVE_INFINITY);
  await endApiKey(tx, { tenantId, keyId, revokedMs: null, expiresMs: oldEndsMs });
  const details = { successor: made.record.keyId, overlap_s: Math.round(overlapMs / 1000) };
  await audit(rt, tx, { tenantId, origin, action: 'key.rotated', targetId: keyId, details });
  return { ...made, oldEndsMs };
}

/** @returns false when the key does not exist, or is revoked already */
export async function revokeKeyIn(
  rt: Runtime,
  tx: Transaction,
  key: { readonly tenantId: TenantId; readonly keyId: KeyId; readonly origin: Origin },
): Promise<boolean> {
  const { tenantId, keyId, origin } = key;
  const ended = await endApiKey(tx, { tenantId, keyId, revokedMs: rt.clock.now(), expiresMs: null });
  if (ended) await audit(rt, tx, { tenantId, origin, action: 'key.revoked', targetId: keyId, details: {} });
  return ended;
}

/** Neither revoked nor expired. */
export function isUsable({ revokedMs, expiresMs }: ApiKey, nowMs: number): boolean {
  return revokedMs === null && (expiresMs === null || expiresMs > nowMs);
}

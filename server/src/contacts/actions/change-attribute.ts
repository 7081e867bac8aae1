import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import {
  findAttributeUser,
  lockAttribute,
  removeAttribute,
  saveLabel,
  stripAttribute,
} from '#contacts/store/change-attributes';
import type { AttributeDefinition } from '#contacts/store/contact-attributes';
import { ApiProblem } from '#core/errors';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';

export interface AttributeRequest extends VersionedRequest {
  readonly attributeId: string;
}

/** Contacts whose rows are held at a time. */
const PORTION = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Changes the display name of an attribute. Its key and type are fixed: values were checked by them, conditions name
 * them.
 * @throws ApiProblem not_found, precondition_failed
 */
export function relabelAttribute(
  rt: Runtime,
  db: Database,
  request: AttributeRequest,
  label: string,
): Promise<AttributeDefinition> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const before = await requireAttribute(tx, request);
    if (before.label === label) return before;
    const after = { ...before, label, version: before.version + 1 };
    await saveLabel(tx, tenantId, after);
    const details = { key: before.key, ...changeDetails({ label: [before.label, label] }, ['label']) };
    await audit(rt, tx, { tenantId, origin, action: 'attribute.changed', targetId: before.attributeId, details });
    return after;
  });
}

/**
 * Deletes the values of an attribute from all contacts, then the attribute itself. The values are deleted in portions,
 * so that no writer waits long; killed in between, the request can be repeated.
 * @throws ApiProblem not_found, precondition_failed, conflict while a segment uses it
 */
export async function deleteAttribute(rt: Runtime, db: Database, request: AttributeRequest): Promise<void> {
  const { tenantId, origin } = request;
  const key = await db.transaction(async (tx) => {
    const { attributeId, key, type } = await requireUnused(tx, request);
    // Before the first value is deleted: a process that is killed between the portions has deleted some.
    const details = { key, type };
    await audit(rt, tx, { tenantId, origin, action: 'attribute.deleted', targetId: attributeId, details });
    return key;
  });
  const strip = (afterId: string): Promise<string | null> =>
    db.transaction((tx) => stripAttribute(tx, tenantId, { key, afterId, nowMs: rt.clock.now(), limit: PORTION }));
  let afterId: string | null = await strip(BEFORE_ALL);
  while (afterId !== null) afterId = await strip(afterId);
  await db.transaction(async (tx) => {
    const { attributeId } = await requireUnused(tx, { ...request, versions: null });
    await removeAttribute(tx, tenantId, attributeId);
    // What was written since the walk passed by.
    await stripAttribute(tx, tenantId, { key, afterId: BEFORE_ALL, nowMs: rt.clock.now(), limit: PORTION });
  });
}

async function requireUnused(tx: Transaction, request: AttributeRequest): Promise<AttributeDefinition> {
  const definition = await requireAttribute(tx, request);
  const user = await findAttributeUser(tx, request.tenantId, definition.key);
  if (user === null) return definition;
  const sentence = `The segment ${user} uses this attribute. Change or delete the segment first.`;
  throw new ApiProblem('conflict', { sentence });
}

async function requireAttribute(tx: Transaction, request: AttributeRequest): Promise<AttributeDefinition> {
  return requireVersion('attribute', await lockAttribute(tx, request.tenantId, request.attributeId), request.versions);
}

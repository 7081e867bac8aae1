import type { AttributeType } from '#core/contact-attribute';
import { ApiProblem } from '#core/errors';
import type { AttributeId, TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import { type AttributeDefinition, addAttribute } from '#storage/contact-attributes';
import type { Database } from '#storage/database';

/** Each is looked at by every check of a contact's values. */
const MAX_ATTRIBUTES = 200;

/** @throws ApiProblem conflict when there is one with this key, or there are as many as there may be */
export async function defineAttribute(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  wish: { readonly key: string; readonly type: AttributeType; readonly label: string },
): Promise<AttributeDefinition> {
  const defined = { ...wish, attributeId: rt.newId<AttributeId>(), version: 1, createdMs: rt.clock.now() };
  if (await addAttribute(db, tenantId, defined, MAX_ATTRIBUTES)) return defined;
  const sentence = `There is an attribute ${wish.key} already, or the limit of ${MAX_ATTRIBUTES} is reached.`;
  throw new ApiProblem('conflict', { sentence });
}

import type { Requester } from '#core/audit';
import type { AttributeType } from '#core/contact-attribute';
import { ApiProblem } from '#core/errors';
import type { AttributeId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import { type AttributeDefinition, addAttribute } from '#storage/contact-attributes';
import type { Database } from '#storage/database';
import { audit } from './audit.ts';

/** Each is looked at by every check of a contact's values. */
const MAX_ATTRIBUTES = 200;

/** @throws ApiProblem conflict when there is one with this key, or there are as many as there may be */
export async function defineAttribute(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  wish: { readonly key: string; readonly type: AttributeType; readonly label: string },
): Promise<AttributeDefinition> {
  const defined = { ...wish, attributeId: rt.newId<AttributeId>(), version: 1, createdMs: rt.clock.now() };
  return db.transaction(async (tx) => {
    if (!(await addAttribute(tx, tenantId, defined, MAX_ATTRIBUTES))) {
      const sentence = `There is an attribute ${wish.key} already, or the limit of ${MAX_ATTRIBUTES} is reached.`;
      throw new ApiProblem('conflict', { sentence });
    }
    const { attributeId: targetId } = defined;
    await audit(rt, tx, { tenantId, origin, action: 'attribute.created', targetId, details: wish });
    return defined;
  });
}

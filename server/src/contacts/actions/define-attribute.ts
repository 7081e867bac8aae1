import { audit } from '#access/actions/audit';
import type { AttributeType } from '#contacts/domain/contact-attribute';
import { type AttributeDefinition, addAttribute } from '#contacts/store/contact-attributes';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { AttributeId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Each is read by every check of a contact's values. */
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
      const sentence = `The attribute ${wish.key} already exists, or the limit of ${MAX_ATTRIBUTES} is reached.`;
      throw new ApiProblem('conflict', { sentence });
    }
    const { attributeId: targetId } = defined;
    await audit(rt, tx, { tenantId, origin, action: 'attribute.created', targetId, details: wish });
    return defined;
  });
}

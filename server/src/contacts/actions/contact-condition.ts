import { contactFields } from '#contacts/domain/contact-fields';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import type { Condition } from '#core/conditions/condition';
import { parseCondition } from '#core/conditions/parse-condition';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';

/**
 * A condition about the contacts of a tenant, with its own attributes.
 * @throws ApiProblem validation_failed with every fault
 */
export async function readContactCondition(
  db: SqlRunner,
  tenantId: TenantId,
  { input, path }: { readonly input: unknown; readonly path: string },
): Promise<Condition> {
  const parsed = parseCondition(input, { path, fields: contactFields(await findAttributeTypes(db, tenantId)) });
  if (parsed.ok) return parsed.condition;
  const sentence = parsed.faults[0]?.message ?? 'The condition is not valid.';
  throw new ApiProblem('validation_failed', { sentence, details: parsed.faults });
}

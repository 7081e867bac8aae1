import { attributeFault } from '#contacts/domain/contact-attribute';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Transaction } from '#database/database';

/**
 * Checks values against their definitions; null, which takes a value away, always fits.
 * @throws ApiProblem validation_failed with every value that does not fit
 */
export async function checkAttributes(
  tx: Transaction,
  tenantId: TenantId,
  values: JsonObject | undefined,
): Promise<void> {
  if (values === undefined || Object.keys(values).length === 0) return;
  const types = await findAttributeTypes(tx, tenantId);
  const details = Object.entries(values).flatMap(([key, value]): readonly FaultDetail[] => {
    const wrong = attributeFault(types.get(key), value);
    return wrong === null ? [] : [{ path: `body.attributes.${key}`, message: `attributes.${key} ${wrong}` }];
  });
  if (details.length === 0) return;
  const sentence = `${details.map(({ message }) => message).join('; ')}.`;
  throw new ApiProblem('validation_failed', { sentence, details });
}

import type { JsonObject } from '#core/json';
import type { AttributeDefinition } from '#storage/contact-attributes';
import { formatRfc3339 } from '../validation/rfc3339.ts';

export function presentAttribute(definition: AttributeDefinition): JsonObject {
  const { attributeId, key, type, label, version, createdMs } = definition;
  return { id: attributeId, key, type, label, version, created_at: formatRfc3339(createdMs) };
}

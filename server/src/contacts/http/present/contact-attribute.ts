import type { AttributeDefinition } from '#contacts/store/contact-attributes';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

export function presentAttribute(definition: AttributeDefinition): JsonObject {
  const { attributeId, key, type, label, version, createdMs } = definition;
  return { id: attributeId, key, type, label, version, created_at: formatRfc3339(createdMs) };
}

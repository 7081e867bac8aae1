import Type from 'typebox';
import { contactFieldRules } from '#contacts/domain/contact-fields';
import { type FieldRule, MATCHES_BY_KIND } from '#core/conditions/condition';
import type { JsonObject, JsonValue } from '#core/json';
import { CONDITION_FIELDS, named } from '#http/schemas/fields';

/**
 * What CONDITION_FIELDS says: the kind of each field, with its values where only some are known, and how each kind is compared.
 * @param without a match that is not offered in this place
 */
export function describeFields(rules: Readonly<Record<string, FieldRule>>, without?: string): JsonObject {
  const fields: Record<string, JsonObject> = {};
  const matches: Record<string, JsonValue> = {};
  for (const [field, { kind, values }] of Object.entries(rules)) {
    fields[field] = values === undefined ? { kind } : { kind, values: [...values] };
    matches[kind] = MATCHES_BY_KIND[kind].filter((match) => match !== without);
  }
  return { fields, matches };
}

/** A condition about contacts where it stands in a body: checked in full by core/conditions. */
export const ConditionBody = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  [CONDITION_FIELDS]: describeFields(contactFieldRules, 'regex'),
  ...named(
    'ContactCondition',
    '{"all": […]}, {"any": […]}, {"not": …} or {"field", "match", "value"}. Fields start with contact., such as contact.tags.',
  ),
});

import Type from 'typebox';
import { contactFieldRules } from '#contacts/domain/contact-fields';
import { type FieldRule, MATCHES_BY_KIND } from '#core/conditions/condition';
import type { JsonObject } from '#core/json';
import { CONDITION_FIELDS, named } from '#http/schemas/fields';

/** What CONDITION_FIELDS says of these fields. @param without a match that is not offered in this place */
export function describeFields(rules: Readonly<Record<string, FieldRule>>, without?: string): JsonObject {
  const described = ({ kind, values }: FieldRule): JsonObject => {
    const matches = MATCHES_BY_KIND[kind].filter((match) => match !== without);
    return values === undefined ? { kind, matches } : { kind, matches, values: [...values] };
  };
  return Object.fromEntries(Object.entries(rules).map(([field, rule]) => [field, described(rule)]));
}

/** A condition about contacts where it stands in a body: checked in full by core/conditions. */
export const ConditionBody = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  [CONDITION_FIELDS]: describeFields(contactFieldRules, 'regex'),
  ...named(
    'ContactCondition',
    '{"all": […]}, {"any": […]}, {"not": …} or {"field", "match", "value"}; fields begin with contact., as contact.tags.',
  ),
});

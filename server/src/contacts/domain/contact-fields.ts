import type { FieldKind, FieldRule, FieldTable } from '#core/conditions/condition';
import type { FieldValue } from '#core/conditions/evaluate';
import { isJsonList, type JsonValue } from '#core/json';
import type { Contact } from './contact.ts';
import { displayName } from './contact.ts';
import type { AttributeType, AttributeTypes } from './contact-attribute.ts';

const RULES: Readonly<Record<string, FieldRule>> = {
  'contact.name': { kind: 'text' },
  'contact.phone': { kind: 'text' },
  'contact.external_id': { kind: 'text' },
  'contact.country': { kind: 'enum' },
  'contact.language': { kind: 'enum' },
  'contact.status': { kind: 'enum', values: ['active', 'blocked'] },
  'contact.consent.marketing': { kind: 'enum', values: ['granted', 'denied', 'unknown'] },
  'contact.tags': { kind: 'tags' },
  'contact.created_at': { kind: 'time' },
  'contact.last_inbound_at': { kind: 'time' },
};
const ATTRIBUTES = 'contact.attributes.';
const KIND_OF_ATTRIBUTE: Readonly<Record<AttributeType, FieldKind>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
  list: 'tags',
};

export const contactFieldNames: readonly string[] = [...Object.keys(RULES), `${ATTRIBUTES}<key>`];

/** The rule of each field; attributes are listed by their type, as `contact.attributes.<date>`. */
export const contactFieldRules: Readonly<Record<string, FieldRule>> = {
  ...RULES,
  ...Object.fromEntries(Object.entries(KIND_OF_ATTRIBUTE).map(([type, kind]) => [`${ATTRIBUTES}<${type}>`, { kind }])),
};

/** The attribute that a field names; null for every other field. */
export function attributeOf(field: string): string | null {
  return field.startsWith(ATTRIBUTES) ? field.slice(ATTRIBUTES.length) : null;
}

/** What conditions ask of a contact. */
export type ContactFacts = Pick<
  Contact,
  | 'name'
  | 'profileName'
  | 'phone'
  | 'externalId'
  | 'country'
  | 'language'
  | 'status'
  | 'attributes'
  | 'tags'
  | 'lastInboundMs'
  | 'createdMs'
> & { readonly consent: Pick<Contact['consent'], 'marketing'> };

/** The fields of a contact that conditions may name. @param attributes the types of a tenant's own, by key */
export function contactFields(attributes: AttributeTypes): FieldTable {
  return (field) => {
    if (!field.startsWith(ATTRIBUTES)) return Object.hasOwn(RULES, field) ? RULES[field] : undefined;
    const type = attributes.get(field.slice(ATTRIBUTES.length));
    return type === undefined ? undefined : { kind: KIND_OF_ATTRIBUTE[type] };
  };
}

/** What all fields hold. @param attributes those that are wanted, with their types */
export function contactValues(
  contact: ContactFacts | null,
  attributes: AttributeTypes,
): Readonly<Record<string, FieldValue>> {
  const fields = [...Object.keys(RULES), ...[...attributes.keys()].map((key) => `${ATTRIBUTES}${key}`)];
  const held = (field: string) => (contact === null ? null : contactValue(contact, field, attributes));
  return Object.fromEntries(fields.map((field) => [field, held(field)]));
}

/** What a field of contactFields holds; null for a field of something else. @param attributes as for contactFields */
export function contactValue(contact: ContactFacts, field: string, attributes: AttributeTypes): FieldValue {
  if (field.startsWith(ATTRIBUTES)) {
    const key = field.slice(ATTRIBUTES.length);
    return attributeValue(contact.attributes[key], attributes.get(key));
  }
  switch (field) {
    case 'contact.name':
      return displayName(contact);
    case 'contact.phone':
      return contact.phone;
    case 'contact.external_id':
      return contact.externalId;
    case 'contact.country':
      return contact.country;
    case 'contact.language':
      return contact.language;
    case 'contact.status':
      return contact.status;
    case 'contact.consent.marketing':
      return contact.consent.marketing;
    case 'contact.tags':
      return contact.tags;
    case 'contact.created_at':
      return contact.createdMs;
    case 'contact.last_inbound_at':
      return contact.lastInboundMs;
    default:
      return null;
  }
}

function attributeValue(value: JsonValue | undefined, type: AttributeType | undefined): FieldValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return type === 'date' ? Date.parse(`${value}T00:00:00Z`) : value;
  return isJsonList(value) ? value.filter((item) => typeof item === 'string') : null;
}

import type { FieldKind, FieldRule, FieldTable } from '#core/conditions/condition';
import type { FieldValue } from '#core/conditions/evaluate';
import { isJsonList, type JsonValue } from '#core/json';
import type { Contact } from './contact.ts';
import { displayName } from './contact.ts';
import type { AttributeType, AttributeTypes } from './contact-attribute.ts';

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

/** A field that every contact has, and how it is read. */
interface OwnField {
  readonly rule: FieldRule;
  readonly read: (contact: ContactFacts) => FieldValue;
}

const OWN: Readonly<Record<string, OwnField>> = {
  'contact.name': { rule: { kind: 'text' }, read: displayName },
  'contact.phone': { rule: { kind: 'text' }, read: ({ phone }) => phone },
  'contact.external_id': { rule: { kind: 'text' }, read: ({ externalId }) => externalId },
  'contact.country': { rule: { kind: 'enum' }, read: ({ country }) => country },
  'contact.language': { rule: { kind: 'enum' }, read: ({ language }) => language },
  'contact.status': { rule: { kind: 'enum', values: ['active', 'blocked'] }, read: ({ status }) => status },
  'contact.consent.marketing': {
    rule: { kind: 'enum', values: ['granted', 'denied', 'unknown'] },
    read: ({ consent }) => consent.marketing,
  },
  'contact.tags': { rule: { kind: 'tags' }, read: ({ tags }) => tags },
  'contact.created_at': { rule: { kind: 'time' }, read: ({ createdMs }) => createdMs },
  'contact.last_inbound_at': { rule: { kind: 'time' }, read: ({ lastInboundMs }) => lastInboundMs },
};
const ATTRIBUTES = 'contact.attributes.';
const KIND_OF_ATTRIBUTE: Readonly<Record<AttributeType, FieldKind>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
  list: 'tags',
};

export const contactFieldNames: readonly string[] = [...Object.keys(OWN), `${ATTRIBUTES}<key>`];

/** The rule of each field; attributes are listed by their type, as `contact.attributes.<date>`. */
export const contactFieldRules: Readonly<Record<string, FieldRule>> = {
  ...Object.fromEntries(Object.entries(OWN).map(([field, { rule }]) => [field, rule])),
  ...Object.fromEntries(Object.entries(KIND_OF_ATTRIBUTE).map(([type, kind]) => [`${ATTRIBUTES}<${type}>`, { kind }])),
};

/** The attribute that a field names; null for every other field. */
export function attributeOf(field: string): string | null {
  return field.startsWith(ATTRIBUTES) ? field.slice(ATTRIBUTES.length) : null;
}

/** The fields of a contact that conditions may name. @param attributes the types of a tenant's own, by key */
export function contactFields(attributes: AttributeTypes): FieldTable {
  return (field) => {
    if (!field.startsWith(ATTRIBUTES)) return ownField(field)?.rule;
    const type = attributes.get(field.slice(ATTRIBUTES.length));
    return type === undefined ? undefined : { kind: KIND_OF_ATTRIBUTE[type] };
  };
}

/** What all fields hold. @param attributes those that are wanted, with their types */
export function contactValues(
  contact: ContactFacts | null,
  attributes: AttributeTypes,
): Readonly<Record<string, FieldValue>> {
  const fields = [...Object.keys(OWN), ...[...attributes.keys()].map((key) => `${ATTRIBUTES}${key}`)];
  const held = (field: string) => (contact === null ? null : contactValue(contact, field, attributes));
  return Object.fromEntries(fields.map((field) => [field, held(field)]));
}

/** What a field of contactFields holds; null for a field of something else. @param attributes as for contactFields */
export function contactValue(contact: ContactFacts, field: string, attributes: AttributeTypes): FieldValue {
  if (field.startsWith(ATTRIBUTES)) {
    const key = field.slice(ATTRIBUTES.length);
    return attributeValue(contact.attributes[key], attributes.get(key));
  }
  return ownField(field)?.read(contact) ?? null;
}

function ownField(field: string): OwnField | undefined {
  return Object.hasOwn(OWN, field) ? OWN[field] : undefined;
}

function attributeValue(value: JsonValue | undefined, type: AttributeType | undefined): FieldValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return type === 'date' ? Date.parse(`${value}T00:00:00Z`) : value;
  return isJsonList(value) ? value.filter((item) => typeof item === 'string') : null;
}

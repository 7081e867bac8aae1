import Type, { type Static } from 'typebox';
import { MAX_CONTACT_TAGS } from '#contacts/domain/contact';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named, nullableText, nullableTime, text, time, uuid, withExample } from '#http/schemas/fields';
import { ConditionBody } from './condition.ts';

const MAX_NAME = 200;
const MAX_TAG = 100;
const MAX_EXTERNAL_ID = 200;
const MAX_LANGUAGE = 35;
const MAX_SOURCE = 100;
const MAX_WORDING = 2000;
export const contactStatuses = ['active', 'blocked'] as const;
export const marketingStates = ['granted', 'denied', 'unknown'] as const;

export const contactExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f';

const Attributes = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 200,
  ...named(
    'ContactAttributeValues',
    'Values of the attributes that the tenant has defined, by key. null takes a value away.',
  ),
});

export const ContactView = Type.Object(
  {
    id: uuid('Identifier of the contact.'),
    phone: nullableText('Its number as the network spells it, digits only.'),
    user_id: nullableText("The network's identifier of someone who may show no number."),
    name: nullableText('What it is called here.'),
    profile_name: nullableText('What it calls itself.'),
    username: nullableText('Its name at the network, when it has one.'),
    external_id: nullableText('Its identifier in another system; unique.'),
    language: nullableText('Its language, as pt-BR.'),
    country: nullableText('Country of its number, ISO 3166.'),
    status: choiceOf(contactStatuses, named('ContactStatus', 'Nothing is sent to a blocked contact.')),
    attributes: Attributes,
    tags: Type.Array(Type.String(), { description: 'Its tags.' }),
    consent: Type.Object(
      {
        marketing: choiceOf(marketingStates, named('MarketingConsent', 'Marketing is refused while it is denied.')),
        source: nullableText('Where it comes from.'),
        at: nullableTime('When it was last changed.'),
      },
      named('ContactConsent', 'What the contact agreed to.'),
    ),
    last_inbound_at: nullableTime('When it last wrote.'),
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When it was made.'),
    updated_at: time('When it was last changed.'),
  },
  named('Contact', 'A person who is written to, or wrote.'),
);

export const ContactIdParams = Type.Object({ id: withExample(uuid('Identifier of the contact.'), contactExampleId) });

/** A text that null takes away. */
function wipeable(maxLength: number, description: string) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength, description });
}

const Tags = Type.Array(text(MAX_TAG, 'A tag.'), { maxItems: MAX_CONTACT_TAGS, description: 'Tags.' });
const phone = text(40, 'A number in international form; spellings of one number mean one contact.');

const editable = {
  name: Type.Optional(wipeable(MAX_NAME, 'What it is called here.')),
  external_id: Type.Optional(wipeable(MAX_EXTERNAL_ID, 'Its identifier in another system.')),
  language: Type.Optional(wipeable(MAX_LANGUAGE, 'Its language, as pt-BR.')),
  attributes: Type.Optional(Attributes),
  tags: Type.Optional(Tags),
};

export const CreateContact = Type.Object(
  { phone, ...editable },
  { additionalProperties: false, description: 'A contact.' },
);
export const ChangeContact = Type.Object(
  { phone: Type.Optional(phone), ...editable },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);
export type ContactBody = Static<typeof ChangeContact>;

export const ChangeTags = Type.Object(
  { add: Type.Optional(Tags), remove: Type.Optional(Tags) },
  { additionalProperties: false, minProperties: 1, description: 'Tags to add and to remove.' },
);

export const SetConsent = Type.Object(
  {
    marketing: choiceOf(marketingStates, named('MarketingConsent', 'What the contact said to marketing.')),
    source: text(MAX_SOURCE, 'Where it said so, as "checkout form".'),
    wording: Type.Optional(text(MAX_WORDING, 'The words that it agreed to, or used.')),
    message_id: Type.Optional(uuid('The message that proves it.')),
  },
  { additionalProperties: false, description: 'A change of consent with its proof.' },
);

export const ConsentEntryView = Type.Object(
  {
    id: uuid('Identifier of the entry.'),
    marketing: choiceOf(marketingStates, named('MarketingConsent', 'What holds from here on.')),
    source: Type.String({ description: 'message: the contact wrote it; else what the caller said.' }),
    wording: nullableText('The words.'),
    message_id: nullableText('The message that proves it.', { format: 'uuid' }),
    recorded_at: time('When it was recorded.'),
  },
  named('ConsentEntry', 'One change of consent. Entries are only added.'),
);

export const SearchContacts = Type.Object(
  { when: ConditionBody },
  { additionalProperties: false, description: 'Which contacts.' },
);

export const contactExample: JsonObject = {
  id: contactExampleId,
  phone: '447700900123',
  user_id: null,
  name: 'Ada Obi',
  profile_name: 'Ada',
  username: null,
  external_id: 'crm-42',
  language: 'en',
  country: 'GB',
  status: 'active',
  attributes: {},
  tags: ['VIP'],
  consent: { marketing: 'granted', source: 'checkout form', at: '2030-01-01T09:00:00.000Z' },
  last_inbound_at: '2030-01-01T09:00:00.000Z',
  version: 3,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

export const consentEntryExample: JsonObject = {
  id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e60',
  marketing: 'denied',
  source: 'message',
  wording: 'STOP',
  message_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  recorded_at: '2030-01-01T09:00:00.000Z',
};

export const staleContactExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The contact was changed meanwhile: its version is 4. Read it again.', code: 'precondition_failed' },
};

export const contactExistsExample: ErrorExample = {
  name: 'contactExists',
  code: 'contact_exists',
  body: {
    error: `The contact ${contactExampleId} has this phone number or external id already.`,
    code: 'contact_exists',
  },
};

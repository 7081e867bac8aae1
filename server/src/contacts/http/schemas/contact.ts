import Type, { type Static } from 'typebox';
import { MAX_CONTACT_TAGS } from '#contacts/domain/contact';
import { isJsonObject, type JsonObject } from '#core/json';
import { isUserId, MAX_RECIPIENT_INPUT } from '#core/phone/recipient';
import type { ContentRule } from '#core/rule-fault';
import {
  changeOf,
  choiceOf,
  named,
  nullableText,
  nullableTime,
  optional,
  phoneNumberId,
  RULES,
  strictObject,
  text,
  time,
  uuid,
} from '#http/schemas/fields';

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
  ...named('ContactAttributeValues', 'Values of defined attributes, by key. Null removes a value.'),
});

export const ContactView = Type.Object(
  {
    id: uuid('ID of the contact.'),
    phone: nullableText('Phone number as written by the network, digits only.'),
    user_id: nullableText("The network's ID of a user who may hide their number."),
    name: nullableText('Display name.'),
    profile_name: nullableText('Name that the contact chose on the network.'),
    username: nullableText('Username on the network, if any.'),
    external_id: nullableText('ID in another system; unique.'),
    language: nullableText('Language, such as pt-BR.'),
    country: nullableText('Country of the number (ISO 3166).'),
    status: choiceOf(contactStatuses, named('ContactStatus', 'Blocked contacts receive no messages.')),
    attributes: Attributes,
    tags: Type.Array(Type.String(), { description: 'Tags of the contact.' }),
    consent: Type.Object(
      {
        marketing: choiceOf(
          marketingStates,
          named('MarketingConsent', 'Marketing messages are refused while it is denied.'),
        ),
        source: nullableText('Source of the consent.'),
        at: nullableTime('When it was last changed.'),
        numbers: Type.Array(
          Type.Object(
            {
              phone_number_id: phoneNumberId(),
              marketing: choiceOf(
                ['granted', 'denied'],
                named('NumberMarketingConsent', 'denied: marketing from this number is refused.'),
              ),
              at: time('When the contact said so.'),
            },
            named('NumberConsent', 'What the contact told the network about marketing from a sending number.'),
          ),
          { description: 'What the contact told the network about marketing from single sending numbers.' },
        ),
      },
      named('ContactConsent', 'Consent of the contact.'),
    ),
    last_inbound_at: nullableTime('When the contact last wrote.'),
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time(named('CreatedAt', 'When it was created.')),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  },
  named('Contact', 'A person who sends or receives messages.'),
);

/** A text that null takes away. */
function wipeable(maxLength: number, description: string) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength, description });
}

const Tags = Type.Array(text(MAX_TAG, 'A tag.'), {
  maxItems: MAX_CONTACT_TAGS,
  ...named('ContactTags', 'Tags.'),
});
const phone = text(40, 'Phone number in international format; variants of a number identify the same contact.');

const readableUserId: ContentRule = (value) =>
  typeof value !== 'string' || isUserId(value)
    ? []
    : [{ at: '', message: 'is not a user ID of the network such as US.13491208655302741918' }];
const user_id = Type.String({
  minLength: 1,
  maxLength: MAX_RECIPIENT_INPUT,
  description: "The network's ID of a person who may show no number, such as US.13491208655302741918.",
  [RULES]: [readableUserId],
});

/** A contact is somebody who can be written to. */
const hasRecipient: ContentRule = (value) =>
  !isJsonObject(value) || value.phone !== undefined || value.user_id !== undefined
    ? []
    : [{ at: '', message: 'needs a phone or a user_id' }];

const editable = {
  name: wipeable(MAX_NAME, 'Display name.'),
  external_id: wipeable(MAX_EXTERNAL_ID, 'ID in another system.'),
  language: wipeable(MAX_LANGUAGE, 'Language, such as pt-BR.'),
  attributes: Attributes,
  tags: Tags,
};

export const CreateContact = Type.Object(optional({ phone, user_id, ...editable }), {
  additionalProperties: false,
  description: 'A contact. It has a phone, a user_id, or both.',
  [RULES]: [hasRecipient],
});
export const ChangeContact = changeOf({ phone, user_id, ...editable });
export type ContactBody = Static<typeof ChangeContact>;

export const ChangeTags = changeOf({ add: Tags, remove: Tags }, 'Tags to add and to remove.');

export const SetConsent = strictObject('A change of consent, with its proof.', {
  marketing: choiceOf(marketingStates, named('MarketingConsent', "The contact's decision about marketing.")),
  source: text(MAX_SOURCE, 'Where the contact said so, such as "checkout form".'),
  ...optional({
    wording: text(MAX_WORDING, 'Wording that the contact agreed to or used.'),
    message_id: uuid('Message that proves it.'),
  }),
});

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
  consent: { marketing: 'granted', source: 'checkout form', at: '2030-01-01T09:00:00.000Z', numbers: [] },
  last_inbound_at: '2030-01-01T09:00:00.000Z',
  version: 3,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

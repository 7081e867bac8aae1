import Type, { type TUnsafe } from 'typebox';
import type { JsonObject } from '#core/json';
import { named } from '#http/schemas/fields';
import { MAX_CARD_CHARACTERS, MAX_CARD_ENTRIES, MAX_CONTACT_CARDS, nameHasAPart } from '#messages/domain/contacts';
import { fields, listOfMany, matching, words } from './parts.ts';

const line = (description: string) => words(MAX_CARD_CHARACTERS, description);
const optional = (description: string) => Type.Optional(line(description));
const kind = Type.Optional(words(MAX_CARD_CHARACTERS, named('ContactCardLabel', 'Label such as HOME, WORK, CELL.')));
const entries = (item: ReturnType<typeof fields>, description: string) =>
  Type.Optional(listOfMany(item, { min: 1, max: MAX_CARD_ENTRIES }, description));

const Name = fields(
  {
    formatted_name: line('Full name.'),
    first_name: optional('First name.'),
    last_name: optional('Last name.'),
    middle_name: optional('Middle name.'),
    prefix: optional('Such as Dr.'),
    suffix: optional('Such as Jr.'),
  },
  named('ContactCardName', 'The name: formatted_name, and at least one of its parts.'),
);
const Phone = fields(
  {
    phone: optional('Number.'),
    type: kind,
    wa_id: optional('Digits. If present, the card offers to message the number.'),
  },
  named('ContactCardPhone', 'A phone number.'),
);
const Email = fields({ email: optional('Address.'), type: kind }, named('ContactCardEmail', 'An email address.'));
const Url = fields({ url: optional('Address.'), type: kind }, named('ContactCardUrl', 'A web address.'));
const Address = fields(
  {
    street: optional('Street and number.'),
    city: optional('City.'),
    state: optional('State or region.'),
    zip: optional('Postal code.'),
    country: optional('Country.'),
    country_code: optional('ISO code of the country.'),
    type: kind,
  },
  named('ContactCardAddress', 'A postal address.'),
);
const Org = fields(
  { company: optional('Company.'), department: optional('Department.'), title: optional('Position.') },
  named('ContactCardOrganisation', 'Employer of the person.'),
);

const Card = fields(
  {
    name: Name,
    phones: entries(Phone, 'Phone numbers.'),
    emails: entries(Email, 'Email addresses.'),
    addresses: entries(Address, 'Postal addresses.'),
    org: Type.Optional(Org),
    urls: entries(Url, 'Web addresses.'),
    birthday: Type.Optional(
      Type.String({
        ...matching('^\\d{4}-\\d{2}-\\d{2}$', 'must be a day, for example 1990-01-31'),
        description: 'YYYY-MM-DD.',
      }),
    ),
  },
  named('ContactCard', 'A contact card.'),
  nameHasAPart,
);

/** Contact cards, in the network's own shape. */
export const Contacts: TUnsafe<readonly JsonObject[]> = Type.Unsafe<readonly JsonObject[]>(
  listOfMany(Card, { min: 1, max: MAX_CONTACT_CARDS }, 'Contact cards.'),
);

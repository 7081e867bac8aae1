import Type, { type Static } from 'typebox';
import { profileLimits, verticals } from '#business/domain/number-profile';
import type { JsonObject } from '#core/json';
import {
  changeOf,
  choiceOf,
  NO_NUL,
  named,
  nullableText,
  PATTERN_SENTENCE,
  strictObject,
  text,
  uuid,
} from '#http/schemas/fields';

const EMAIL = {
  pattern: '^[^\\s@\\u0000]+@[^\\s@\\u0000]+\\.[^\\s@\\u0000]+$',
  [PATTERN_SENTENCE]: 'must be an email address',
};
const WEBSITE = { pattern: '^https?://[^\\s\\u0000]+$', [PATTERN_SENTENCE]: 'must begin with http:// or https://' };

const ABOUT = 'Line below the name.';
const ADDRESS = 'Postal address.';
const DESCRIPTION = 'What the business does.';
const EMAIL_ADDRESS = 'Email address for customers.';
const WEBSITES = 'Websites of the business.';
const VERTICAL = "Line of business, the network's own word in lower case.";

export const ProfileView = Type.Object(
  {
    about: nullableText(ABOUT),
    address: nullableText(ADDRESS),
    description: nullableText(DESCRIPTION),
    email: nullableText(EMAIL_ADDRESS),
    websites: Type.Array(Type.String(), { description: WEBSITES }),
    vertical: nullableText(VERTICAL),
    picture_url: nullableText('Where the network has the picture. The URL changes with the picture, and expires.'),
  },
  named('NumberProfile', 'What customers read about a business in the app.'),
);

function emptiable(maxLength: number, description: string, format: object = NO_NUL) {
  return nullableText(`${description} Null empties it.`, { minLength: 1, maxLength, ...format });
}

export const ChangeProfile = changeOf({
  about: text(profileLimits.about, ABOUT),
  address: emptiable(profileLimits.address, ADDRESS),
  description: emptiable(profileLimits.description, DESCRIPTION),
  email: emptiable(profileLimits.email, EMAIL_ADDRESS, EMAIL),
  websites: Type.Array(Type.String({ maxLength: profileLimits.website, ...WEBSITE }), {
    maxItems: profileLimits.websites,
    description: `${WEBSITES} They replace all that are there.`,
  }),
  vertical: choiceOf(verticals, 'Line of business.'),
});
export type ChangeProfileBody = Static<typeof ChangeProfile>;

export const SetPicture = strictObject('A stored picture.', {
  media_id: uuid(
    'ID of an uploaded JPEG or PNG file of at most 5 MB; the network wants it square, with sides of at least 192 pixels.',
  ),
});

export const profileExample: JsonObject = {
  about: 'Fresh flowers every day.',
  address: '12 Market Street, Springfield',
  description: 'We bind and deliver bouquets, also on Sundays.',
  email: 'hello@flowers.example',
  websites: ['https://flowers.example'],
  vertical: 'retail',
  picture_url: 'https://pps.whatsapp.net/v/t61.24694-24/picture.jpg?ccb=11-4&oh=01_Q5Aa',
};

import Type from 'typebox';
import { twoStepPin } from '#accounts/http/schemas/phone-number';
import { MAX_DISPLAY_NAME, usernameLimits } from '#business/domain/number-names';
import type { JsonObject } from '#core/json';
import { named, nullableText, PATTERN_SENTENCE, strictObject, text } from '#http/schemas/fields';

const USERNAME = {
  pattern: '^[A-Za-z0-9._]+$',
  [PATTERN_SENTENCE]: 'may contain only letters from a to z, digits, periods and underscores',
};

export const DisplayNameView = Type.Object(
  {
    name: nullableText('Name that customers see.'),
    status: nullableText("Its status, the network's word in lower case: approved, declined, expired, none and others."),
    requested_name: nullableText('Name of the latest request. Null if another name was never requested.'),
    requested_status: nullableText('Status of the request: pending_review, approved, declined and others.'),
  },
  named('NumberDisplayName', 'The display name of a number, and the latest request for another one.'),
);

export const RequestDisplayName = strictObject('The name.', {
  name: text(MAX_DISPLAY_NAME, 'Name that customers shall see. The network compares it with its guidelines.'),
});

export const UsernameView = Type.Object(
  {
    username: nullableText('Username, without @. Null if the number has none.'),
    status: nullableText('approved, or reserved until the network shows usernames in the region of the business.'),
  },
  named('NumberUsername', 'The username of a number.'),
);

export const SetUsername = strictObject('A username.', {
  username: Type.String({
    minLength: usernameLimits.min,
    maxLength: usernameLimits.max,
    ...USERNAME,
    description: 'Username without @, with at least one letter.',
  }),
  transfer: Type.Optional(
    Type.Boolean({
      description: 'Whether to take the username away from another number of the same business. Default: false.',
    }),
  ),
});

export const SetPin = strictObject('A two-step PIN.', {
  pin: twoStepPin('Six digits. Keep them safe: they are not stored here and cannot be read back.'),
});

export const PinView = Type.Object(
  {
    id: Type.String({ description: "The network's ID of the sending number." }),
    pin_enabled: Type.Boolean({ description: 'Whether the number has a two-step PIN.' }),
  },
  { description: 'The number has this PIN now.' },
);

export const displayNameExample: JsonObject = {
  name: 'Flower shop',
  status: 'approved',
  requested_name: 'Flower shop Springfield',
  requested_status: 'pending_review',
};

export const usernameExample: JsonObject = { username: 'flower.shop', status: 'approved' };

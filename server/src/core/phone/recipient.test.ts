import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePhone } from './phone.ts';
import { countryOfRecipient, identityKind, isUserId, parseRecipient } from './recipient.ts';

const userIds = fc
  .tuple(
    fc.stringMatching(/^[A-Z]{2}$/),
    fc.constantFrom('', 'ENT.'),
    fc.stringMatching(/^[A-Za-z0-9]{1,128}$/).filter((rest) => rest.length <= 128),
  )
  .map(([country, parent, rest]) => `${country}.${parent}${rest}`);

test.each([
  ['US.13491208655302741918', 'US.13491208655302741918'],
  [' US.ENT.11815799212886844830 ', 'US.ENT.11815799212886844830'],
  ['+44 7700 900123', '447700900123'],
])('%j is the recipient %s', (input, recipient) => {
  expect(parseRecipient(input)).toEqual({ ok: true, recipient });
});

test.each([
  ['us.1349', 'is not a user ID such as US.13491208655302741918'],
  ['US.', 'is not a user ID such as US.13491208655302741918'],
  ['US.ENT.', 'is not a user ID such as US.13491208655302741918'],
  ['US.13 49', 'is not a user ID such as US.13491208655302741918'],
  ['@ada.obi', 'is a username; the network delivers to phone numbers and user IDs'],
  ['ada', 'contains letters'],
  [`US.${'1'.repeat(129)}`, 'is not a user ID such as US.13491208655302741918'],
  [`US.${'1'.repeat(200)}`, 'is longer than 40 characters'],
])('%j is refused: it %s', (input, reason) => {
  expect(parseRecipient(input)).toEqual({ ok: false, reason });
});

test('every user id is its own recipient, is told from a number, and has its country', () => {
  fc.assert(
    fc.property(userIds, (id) => {
      expect(parseRecipient(id)).toEqual({ ok: true, recipient: id });
      expect([isUserId(id), identityKind(id), countryOfRecipient(id)]).toEqual([true, 'user_id', id.slice(0, 2)]);
      expect(parsePhone(id).ok).toBe(false);
    }),
  );
});

test('what is a number stays one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const phone = parsePhone(text);
      if (phone.ok) expect(parseRecipient(text)).toEqual({ ok: true, recipient: phone.phone });
      if (phone.ok) expect([identityKind(phone.phone), isUserId(phone.phone)]).toEqual(['phone', false]);
    }),
  );
});

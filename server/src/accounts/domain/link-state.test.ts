import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LinkStateId, TenantId } from '#core/ids';
import { makeLinkState, readLinkState, registrationPin } from './link-state.ts';

const SECRET = 'a secret of the installation';
const state = {
  tenantId: '0190a6f2-0000-7000-8000-000000000001' as TenantId,
  stateId: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' as LinkStateId,
  expiresMs: 1_893_488_400_000,
};

test('a state says again what was signed', () => {
  expect(readLinkState(SECRET, makeLinkState(SECRET, state))).toEqual(state);
});

test('a state with any character changed is not ours', () => {
  const text = makeLinkState(SECRET, state);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
      fc.pre(text[at] !== character);
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      // The last character of base64url carries bits that mean nothing: it must be exactly ours all the same.
      expect(readLinkState(SECRET, changed)).toBeNull();
    }),
  );
});

test('a state of another installation, or any other text, is not ours', () => {
  expect(readLinkState(SECRET, makeLinkState('another secret', state))).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => readLinkState(SECRET, text) === null));
});

test('a PIN has six digits, is the same each time, and differs between numbers and installations', () => {
  fc.assert(fc.property(fc.stringMatching(/^[0-9]{1,32}$/), (id) => /^[0-9]{6}$/.test(registrationPin(SECRET, id))));
  expect(registrationPin(SECRET, '1')).toBe(registrationPin(SECRET, '1'));
  expect(registrationPin(SECRET, '1')).not.toBe(registrationPin(SECRET, '2'));
  expect(registrationPin(SECRET, '1')).not.toBe(registrationPin('another secret', '1'));
});

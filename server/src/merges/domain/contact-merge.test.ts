import { describe, expect, test } from 'vitest';
import type { Contact } from '#contacts/domain/contact';
import type { ContactId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import { type MergeState, mergeContact, unmergeContact } from './contact-merge.ts';

const NOW = Date.UTC(2030, 0, 1);
const BERLIN = '493012345678';
const PARIS = '33140205050';

function contact(fields: Partial<Contact> = {}): Contact {
  return {
    contactId: 'a' as ContactId,
    phone: null,
    userId: null,
    name: null,
    bookName: null,
    bookMs: null,
    profileName: null,
    username: null,
    externalId: null,
    language: null,
    country: null,
    status: 'active',
    attributes: {},
    tags: [],
    consent: { marketing: 'unknown', source: null, atMs: null, numbers: [] },
    lastInboundMs: null,
    createdMs: NOW - 10,
    updatedMs: NOW - 10,
    version: 1,
    ...fields,
  };
}

/** A merge, and what is kept to take it back. */
function merged(before: Contact, other: Contact): MergeState {
  return {
    before,
    after: mergeContact(before, other, NOW),
    externalId: other.externalId,
    phoneKeys: other.phone === null ? [] : [phoneKey(other.phone)],
    userIds: other.userId === null ? [] : [other.userId],
    conversations: [],
    resolved: [],
  };
}

describe('a contact that takes up another', () => {
  test('is answered at the number that wrote last, with the country that is known of it', () => {
    const survivor = contact({ phone: BERLIN, country: 'DE', lastInboundMs: NOW - 5 });
    // Somebody set it by hand: what the number says of itself does not count.
    const other = contact({ phone: PARIS, country: 'BE', lastInboundMs: NOW - 3 });
    expect(mergeContact(survivor, other, NOW)).toMatchObject({ phone: PARIS, country: 'BE', lastInboundMs: NOW - 3 });
    expect(mergeContact(other, survivor, NOW)).toMatchObject({ phone: PARIS, country: 'BE', lastInboundMs: NOW - 3 });
  });

  test('wrote when either of them did', () => {
    const wrote = contact({ lastInboundMs: NOW - 3 });
    expect(mergeContact(contact(), wrote, NOW).lastInboundMs).toBe(NOW - 3);
    expect(mergeContact(wrote, contact(), NOW).lastInboundMs).toBe(NOW - 3);
    expect(mergeContact(contact(), contact(), NOW).lastInboundMs).toBeNull();
  });

  test('is the same object when it gains nothing', () => {
    const survivor = contact({ name: 'Ada' });
    expect(mergeContact(survivor, contact(), NOW)).toBe(survivor);
  });
});

describe('a merge that is taken back', () => {
  test('leaves the survivor its own number and user id, even those it had taken over', () => {
    const before = contact({ phone: BERLIN, country: 'DE', lastInboundMs: NOW - 5 });
    const other = contact({ phone: PARIS, country: 'FR', userId: 'FR.1', lastInboundMs: NOW - 3 });
    const state = merged(before, other);
    expect(state.after).toMatchObject({ phone: PARIS, userId: 'FR.1' });
    const { survivor } = unmergeContact(state, state.after, other, NOW + 1);
    expect(survivor).toMatchObject({ phone: BERLIN, country: 'DE', userId: null });
  });

  test('leaves the survivor a user id that it got since', () => {
    const state = merged(contact(), contact({ userId: 'FR.1' }));
    const since = { ...state.after, userId: 'DE.2' };
    expect(unmergeContact(state, since, contact({ userId: 'FR.1' }), NOW + 1).survivor.userId).toBe('DE.2');
  });

  test('gives the other back a user id that was taken away from the survivor and given again', () => {
    const state = merged(contact({ userId: 'DE.2' }), contact({ userId: 'FR.1' }));
    const since = { ...state.after, userId: 'FR.1' };
    expect(unmergeContact(state, since, contact({ userId: 'FR.1' }), NOW + 1).survivor.userId).toBe('DE.2');
  });
});

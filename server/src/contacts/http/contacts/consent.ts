import { setConsent } from '#contacts/actions/manage-contacts';
import { contactJson } from '#contacts/domain/contact-json';
import { ContactIdParams, SetConsent } from '#contacts/http/schemas/contact';
import { defineOperation } from '#http/operation';
import { changedContact, contactRequest } from './read-contact.ts';

export const setContactConsentRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/:id/consent',
  operationId: 'setContactConsent',
  summary: "Record a contact's consent",
  description:
    'Grants or denies consent to marketing, and records the proof in an append-only ledger. Once consent is denied, marketing messages to the contact are refused within a second, and waiting ones fail.',
  tag: 'Contacts',
  scope: 'contacts:write',
  params: ContactIdParams,
  body: SetConsent,
  bodyExamples: {
    granted: {
      summary: 'Agreed in a form',
      value: { marketing: 'granted', source: 'checkout form', wording: 'Send me offers.' },
    },
    denied: { summary: 'Said no on the telephone', value: { marketing: 'denied', source: 'telephone' } },
  },
  takesIdempotencyKey: true,
  answer: changedContact,
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { marketing, source, wording = null, message_id: messageId = null } = request.body;
      const wish = { marketing, proof: { source, wording, messageId } };
      return contactJson(await setConsent(rt, db, contactRequest(request), wish));
    };
  },
});

import Type, { type Static, type TSchema } from 'typebox';
import { type ContactRequest, setConsent, updateContact } from '#contacts/actions/manage-contacts';
import type { Contact } from '#contacts/domain/contact';
import { contactJson } from '#contacts/domain/contact-json';
import { type ConsentEntry, listConsents } from '#contacts/store/contact-consents';
import { findContact } from '#contacts/store/contacts';
import { requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { choiceOf, named, nullableText, nullableUuid, time, uuid } from '#http/schemas/fields';
import { NoBody, NoQuery } from '#http/schemas/parameters';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { changedContact, contactRequest, contactResource } from './contact-resource.ts';
import { ChangeTags, marketingStates, SetConsent } from './schemas/contact.ts';

/** One verb on a contact: what it is called, and what it does. */
interface ContactCommand<B extends TSchema>
  extends Pick<Operation, 'operationId' | 'summary' | 'description' | 'bodyExamples'> {
  readonly verb: string;
  /** Absent: it takes no body. */
  readonly body?: B;
  readonly change: (context: HttpDeps, contact: ContactRequest, body: Static<B>) => Promise<Contact>;
}

/** The endpoint of a verb: `POST /v1/contacts/:id/{verb}`, once per Idempotency-Key. */
function commandOperation<B extends TSchema>({ verb, body, change, ...described }: ContactCommand<B>): Operation {
  return defineOperation({
    ...described,
    method: 'POST',
    ...belowItem(contactResource, verb, 'write'),
    body: body ?? NoBody,
    bodyIsOptional: body === undefined,
    takesIdempotencyKey: true,
    answer: changedContact,
    errors: ['not_found'],
    handle: (context) => {
      return async (request) => contactJson(await change(context, contactRequest(request), request.body as Static<B>));
    },
  });
}

const updateContactTagsRoute = commandOperation({
  verb: 'tags',
  operationId: 'updateContactTags',
  summary: 'Add and remove tags of a contact',
  description:
    'Updates the tags of the contact. Concurrent requests all take effect. Tags that differ only in case or accents are the same tag.',
  body: ChangeTags,
  bodyExamples: { tags: { summary: 'Add one tag and remove another', value: { add: ['VIP'], remove: ['new'] } } },
  change: ({ rt, db }, contact, { add: addTags, remove: removeTags }) =>
    updateContact(rt, db, contact, givenOnly({ addTags, removeTags })),
});

const blockContactRoute = commandOperation({
  verb: 'block',
  operationId: 'blockContact',
  summary: 'Block a contact',
  description:
    'Blocks the contact. Messages to it are refused within a second, and waiting ones fail. The network is told for each sending number that the contact has written to: `network_block` of the contact shows what became of it. What arrives nevertheless is stored.',
  change: ({ rt, db }, contact) => updateContact(rt, db, contact, { status: 'blocked' }),
});

const unblockContactRoute = commandOperation({
  verb: 'unblock',
  operationId: 'unblockContact',
  summary: 'Unblock a contact',
  description:
    'Unblocks the contact, here and at the network. Messages can be sent to it again, within a second in every process.',
  change: ({ rt, db }, contact) => updateContact(rt, db, contact, { status: 'active' }),
});

const setContactConsentRoute = commandOperation({
  verb: 'consent',
  operationId: 'setContactConsent',
  summary: "Record a contact's consent",
  description:
    'Grants or denies consent to marketing, and records the proof in an append-only ledger. Once consent is denied, marketing messages to the contact are refused within a second, and waiting ones fail.',
  body: SetConsent,
  bodyExamples: {
    granted: {
      summary: 'Agreed in a form',
      value: { marketing: 'granted', source: 'checkout form', wording: 'Send me offers.' },
    },
    denied: { summary: 'Declined by phone', value: { marketing: 'denied', source: 'telephone' } },
  },
  change: ({ rt, db }, contact, { marketing, source, wording = null, message_id: messageId = null }) =>
    setConsent(rt, db, contact, { marketing, proof: { source, wording, messageId } }),
});

export const ConsentEntryView = Type.Object(
  {
    id: uuid('ID of the entry.'),
    marketing: choiceOf(marketingStates, named('MarketingConsent', 'Consent from this point on.')),
    phone_number_id: nullableText('Sending number that it is about. Null: all.'),
    source: Type.String({
      description:
        'message: a message from the contact. network: the contact told the network, or the network refused a message for it. Otherwise, as given in the request.',
    }),
    wording: nullableText('Wording of the consent.'),
    message_id: nullableUuid('Message that proves it.'),
    recorded_at: time('When it was recorded.'),
  },
  named('ConsentEntry', 'A change of consent. Entries are append-only.'),
);

const consentEntryExample = {
  id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e60',
  marketing: 'denied',
  phone_number_id: null,
  source: 'message',
  wording: 'STOP',
  message_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  recorded_at: '2030-01-01T09:00:00.000Z',
};

/** A change of mind a week for twenty years. */
const MAX_ENTRIES = 1_000;

const listContactConsentsRoute = defineOperation({
  method: 'GET',
  ...belowItem(contactResource, 'consent/history', 'read'),
  operationId: 'listContactConsents',
  summary: 'List the consent history of a contact',
  description:
    'Returns everything that the contact, and the contacts merged into it, have consented to or refused, newest first, each entry with its proof.',
  query: NoQuery,
  answer: {
    status: 200,
    description: 'The entries.',
    schema: Type.Object(
      { data: Type.Array(ConsentEntryView, { description: 'Newest first, at most 1,000.' }) },
      { description: 'Consent history of a contact.' },
    ),
    example: { data: [consentEntryExample] },
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { contactId } = requireFound(await findContact(db, tenantId, request.params.id.toLowerCase()));
      const entries = await listConsents(db, tenantId, contactId, MAX_ENTRIES);
      return { data: entries.map(consentEntryJson) };
    };
  },
});

/** In the order of the documentation. */
export const contactCommandOperations: readonly Operation[] = [
  updateContactTagsRoute,
  blockContactRoute,
  unblockContactRoute,
  setContactConsentRoute,
  listContactConsentsRoute,
];

/** A change of consent as the API shows it. */
export function consentEntryJson(entry: ConsentEntry): JsonObject {
  return {
    id: entry.entryId,
    marketing: entry.marketing,
    phone_number_id: entry.phoneNumberId,
    source: entry.source,
    wording: entry.wording,
    message_id: entry.messageId,
    recorded_at: formatRfc3339(entry.recordedMs),
  };
}

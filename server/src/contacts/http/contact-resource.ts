import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { ContactRequest } from '#contacts/actions/manage-contacts';
import type { Contact } from '#contacts/domain/contact';
import { contactJson } from '#contacts/domain/contact-json';
import { type NetworkBlock, networkBlockJson } from '#contacts/domain/network-block';
import type { Requester } from '#core/caller/origin';
import { itemAnswer, itemRequest, type Resource } from '#http/resource';
import { staleExample } from '#http/schemas/errors';
import { uuid, withExample } from '#http/schemas/fields';
import { ContactView, contactExample, contactExampleId } from './schemas/contact.ts';
import { ContactDetailView, contactDetailExample } from './schemas/network-block.ts';

export const contactResource: Resource<Contact> = {
  path: '/v1/contacts',
  name: 'Contact',
  noun: 'contact',
  tag: 'Contacts',
  scopes: { read: 'contacts:read', write: 'contacts:write' },
  params: Type.Object({ id: withExample(uuid('ID of the contact.'), contactExampleId) }),
  view: ContactView,
  example: contactExample,
  stale: staleExample('contact'),
  present: contactJson,
};

/** A contact with what became of its block at the network. */
export interface ContactDetail {
  readonly contact: Contact;
  readonly blocks: readonly NetworkBlock[];
}

/** The same resource where it is read alone. */
export const contactDetailResource: Resource<ContactDetail> = {
  ...contactResource,
  view: ContactDetailView,
  example: contactDetailExample,
  present: ({ contact, blocks }) => ({ ...contactJson(contact), network_block: blocks.map(networkBlockJson) }),
};

/** The contact that the path names, in the version that If-Match wants, and who asks. */
export function contactRequest(request: FastifyRequest<{ Params: { id: string } }>): ContactRequest & Requester {
  const { id: contactId, ...item } = itemRequest(request);
  return { ...item, contactId };
}

/** What an operation answers that changes a contact. */
export const changedContact = itemAnswer(contactResource, 'The updated contact.');

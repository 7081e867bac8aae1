import { updateContact } from '#contacts/actions/manage-contacts';
import { contactJson } from '#contacts/domain/contact-json';
import { ChangeTags, ContactIdParams } from '#contacts/http/schemas/contact';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { changedContact, contactRequest } from './read-contact.ts';

export const updateContactTagsRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/:id/tags',
  operationId: 'updateContactTags',
  summary: 'Add and remove tags of a contact',
  description:
    'Updates the tags of the contact. Concurrent requests all take effect. Tags that differ only in case or accents are the same tag.',
  tag: 'Contacts',
  scope: 'contacts:write',
  params: ContactIdParams,
  body: ChangeTags,
  bodyExamples: { tags: { summary: 'One more, one less', value: { add: ['VIP'], remove: ['new'] } } },
  takesIdempotencyKey: true,
  answer: changedContact,
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { add: addTags, remove: removeTags } = request.body;
      const wish = givenOnly({ addTags, removeTags });
      return contactJson(await updateContact(rt, db, contactRequest(request), wish));
    };
  },
});

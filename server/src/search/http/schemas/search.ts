import Type, { type TSchema } from 'typebox';
import { ContactView, contactExample } from '#contacts/http/schemas/contact';
import { ConversationView, conversationExample, NoteView, noteExample } from '#conversations/http/schemas/conversation';
import type { JsonObject } from '#core/json';
import { inboundExample } from '#http/schemas/examples';
import { named, nullableObject, nullableText, optional, uuid, viewOf } from '#http/schemas/fields';
import { cursorExample, PageInfo } from '#http/schemas/lists';
import { Message } from '#messages/http/schemas/message';

const Mark = viewOf(named('SearchMark', 'What of the snippet was searched for.'), {
  start: Type.Integer({ description: 'First UTF-16 code unit.' }),
  end: Type.Integer({ description: 'UTF-16 code unit after the last one.' }),
});

const snippet = viewOf(named('SearchSnippet', 'The part of the text that matches.'), {
  text: Type.String({ description: 'Plain text, shortened with … where something is left out.' }),
  marks: Type.Array(Mark, { description: 'Matching words, in order and without overlaps.' }),
});

const contact = nullableObject(named('SearchContact', 'The contact of the conversation. Null: unknown.'), {
  id: uuid('ID of the contact.'),
  name: nullableText('Display name.'),
  phone: nullableText('Phone number, digits only.'),
});

function groupOf(name: string, fields: Readonly<Record<string, TSchema>>) {
  const hit = viewOf(named(name, 'Something that was found.'), { snippet, ...fields });
  return viewOf(named(`${name}s`, 'What was found of a kind, newest first.'), {
    data: Type.Array(hit),
    page: PageInfo,
  });
}

/** What is absent was not asked for, or may not be read by the key. */
export const SearchResults = viewOf(named('SearchResults', 'What was found, by kind.'), {
  complete: Type.Boolean({
    description:
      'false: something that was stored more than ten seconds ago cannot be found yet, because it is still being indexed.',
  }),
  ...optional({
    messages: groupOf('MessageHit', { message: Message, contact }),
    notes: groupOf('NoteHit', { note: NoteView, contact }),
    contacts: groupOf('ContactHit', { contact: ContactView }),
    conversations: groupOf('ConversationHit', { conversation: ConversationView }),
  }),
});

const lastPage = { limit: 10, offset: 0, has_more: false, next_cursor: null };

function foundExample(text: string, word: string, fields: JsonObject, page: JsonObject = lastPage): JsonObject {
  const start = text.indexOf(word);
  return { data: [{ snippet: { text, marks: [{ start, end: start + word.length }] }, ...fields }], page };
}

const brief = { id: String(contactExample.id), name: 'Ada Obi', phone: '447700900123' };

export const searchExample: JsonObject = {
  complete: true,
  messages: foundExample(
    'Where is my parcel?',
    'parcel',
    { message: inboundExample, contact: brief },
    { ...lastPage, has_more: true, next_cursor: cursorExample },
  ),
  notes: foundExample('She moved last week; the address on file is the old one.', 'moved', {
    note: noteExample,
    contact: brief,
  }),
  contacts: foundExample('Ada Obi 447700900123', 'Obi', { contact: contactExample }),
  conversations: foundExample('Ada Obi 447700900123 #42', 'Ada', { conversation: conversationExample }),
};

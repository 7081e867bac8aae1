import Type from 'typebox';
import { createCannedReply, deleteCannedReply, updateCannedReply } from '#conversations/actions/manage-canned-replies';
import { askedFor } from '#conversations/domain/fill-reply';
import { type CannedReply, findCannedReply, listCannedReplies } from '#conversations/store/canned-replies';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import type { Operation } from '#http/operation';
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { conflictExample, staleExample } from '#http/schemas/errors';
import {
  changeOf,
  named,
  nullableTime,
  optional,
  PATTERN_SENTENCE,
  strictObject,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';

/** What a text message of the network may hold. */
const MAX_TEXT = 4096;
const replyExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e90';

const written = {
  shortcut: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,49}$',
    [PATTERN_SENTENCE]: 'must be 1 to 50 of a-z, 0-9, _ and -',
    description: 'What agents type to insert the text; unique.',
  }),
  text: text(
    MAX_TEXT,
    'Text to insert. `{{contact.name|there}}` is a field of the contact, and `{{?order number}}` is asked for; what follows a bar stands in for a missing value.',
  ),
};

const CannedReplyView = Type.Object(
  {
    id: uuid('ID of the canned reply.'),
    shortcut: Type.String({ description: 'What agents type to insert the text.' }),
    text: Type.String({ description: 'Text to insert.' }),
    asks_for: Type.Array(Type.String(), { description: 'What its text asks the agent for, in order.' }),
    use_count: Type.Integer({ description: 'How often it was filled for a customer.' }),
    last_used_at: nullableTime('When it was last filled for a customer.'),
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time(named('CreatedAt', 'When it was created.')),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
  },
  named('CannedReply', 'A text that agents insert by its shortcut.'),
);

const replyExample: JsonObject = {
  id: replyExampleId,
  shortcut: 'hours',
  text: 'We are here from 9 to 17.',
  asks_for: [],
  use_count: 0,
  last_used_at: null,
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

export const cannedReply: Resource<CannedReply> = {
  path: '/v1/canned-replies',
  name: 'CannedReply',
  names: 'CannedReplies',
  noun: 'canned reply',
  many: 'canned replies',
  tag: 'Contacts',
  scopes: { read: 'contacts:read', write: 'contacts:write' },
  writePermission: 'replies:manage',
  params: Type.Object({ id: withExample(uuid('ID of the canned reply.'), replyExampleId) }),
  view: CannedReplyView,
  example: replyExample,
  stale: staleExample('canned reply', 2),
  present: presentCannedReply,
};

const taken = conflictExample('shortcutTaken', 'Another canned reply has the shortcut hours.');

const listCannedRepliesRoute = listOperation(cannedReply, {
  description: 'Returns the texts that agents insert by shortcut, newest first.',
  query: optional({ prefix: withExample(text(50, 'Only shortcuts that start with this string.'), 'ho') }),
  filter: ({ prefix }) => givenOnly({ prefix }),
  read: ({ db }, { tenantId, window, filter }) => listCannedReplies(db, { tenantId, ...filter }, window),
  idOf: ({ replyId }) => replyId,
});

const createCannedReplyRoute = createOperation(cannedReply, {
  description: 'Creates a text that agents insert by its shortcut.',
  body: strictObject('A canned reply.', written),
  bodyExamples: {
    hours: { summary: 'Opening hours', value: { shortcut: 'hours', text: 'We are here from 9 to 17.' } },
  },
  answer: { headers: ['ETag'] },
  failures: [taken],
  create: ({ rt, db }, requester, { body }) => createCannedReply(rt, db, requester, body),
});

const getCannedReplyRoute = getOperation(cannedReply, {
  description: 'Returns a text that agents insert by its shortcut, with its version.',
  find: ({ db }, tenantId, id) => findCannedReply(db, tenantId, id),
});

const updateCannedReplyRoute = updateOperation(cannedReply, {
  description: 'Updates the canned reply. Omitted fields stay unchanged, and so do messages written with it.',
  body: changeOf(written),
  bodyExamples: { text: { summary: 'New text', value: { text: 'We are here from 8 to 18.' } } },
  failures: [taken],
  update: ({ rt, db }, { id: replyId, ...item }, { body }) => updateCannedReply(rt, db, { ...item, replyId }, body),
});

const deleteCannedReplyRoute = deleteOperation(cannedReply, {
  description: 'Deletes the canned reply. Its shortcut can be used again, and messages written with it stay.',
  remove: ({ rt, db }, { id: replyId, ...item }) => deleteCannedReply(rt, db, { ...item, replyId }),
});

/** In the order of the documentation. */
export const cannedReplyOperations: readonly Operation[] = [
  listCannedRepliesRoute,
  createCannedReplyRoute,
  getCannedReplyRoute,
  updateCannedReplyRoute,
  deleteCannedReplyRoute,
];

function presentCannedReply(reply: CannedReply): JsonObject {
  const { replyId: id, shortcut, text, useCount, lastUsedMs, version, createdMs, updatedMs } = reply;
  return {
    id,
    shortcut,
    text,
    asks_for: [...askedFor(text)],
    use_count: useCount,
    last_used_at: timeOrNull(lastUsedMs),
    version,
    created_at: formatRfc3339(createdMs),
    updated_at: formatRfc3339(updatedMs),
  };
}

import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { createCannedReply, deleteCannedReply, updateCannedReply } from '#conversations/actions/manage-canned-replies';
import { askedFor } from '#conversations/domain/fill-reply';
import { type CannedReply, findCannedReply, listCannedReplies } from '#conversations/store/canned-replies';
import { may } from '#core/caller/permissions';
import type { AgentId, MediaId, TeamId } from '#core/ids';
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
export const replyExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e90';

/** As many as a draft takes. */
const MAX_FILES = 10;
const MAX_TEAMS = 50;

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
const further = {
  media_ids: Type.Array(uuid('An uploaded file.'), {
    maxItems: MAX_FILES,
    uniqueItems: true,
    description: 'Files to send after the text, in order. They do not expire while a canned reply has them.',
  }),
  team_ids: Type.Array(uuid('A team.'), {
    maxItems: MAX_TEAMS,
    uniqueItems: true,
    description: 'Teams whose members see it, besides those who manage canned replies. Empty: all agents see it.',
  }),
};

const CannedReplyView = Type.Object(
  {
    id: uuid('ID of the canned reply.'),
    shortcut: Type.String({ description: 'What agents type to insert the text.' }),
    text: Type.String({ description: 'Text to insert.' }),
    asks_for: Type.Array(Type.String(), { description: 'What its text asks the agent for, in order.' }),
    media_ids: Type.Array(uuid('An uploaded file.'), { description: 'Files to send after the text, in order.' }),
    team_ids: Type.Array(uuid('A team.'), { description: 'Teams whose members see it; empty: all agents see it.' }),
    use_count: Type.Integer({ description: 'How many replies named it.' }),
    last_used_at: nullableTime('When a reply last named it.'),
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
  media_ids: [],
  team_ids: [],
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
  description:
    'Returns the texts that agents insert by shortcut, newest first. An agent gets those of their teams, and those of all.',
  query: optional({ prefix: withExample(text(50, 'Only shortcuts that start with this string.'), 'ho') }),
  filter: ({ prefix }) => givenOnly({ prefix }),
  read: ({ db }, { tenantId, window, filter }, request) =>
    listCannedReplies(db, { tenantId, viewerId: viewerOf(request), ...filter }, window),
  idOf: ({ replyId }) => replyId,
});

const createCannedReplyRoute = createOperation(cannedReply, {
  description: 'Creates a text that agents insert by its shortcut.',
  body: strictObject('A canned reply.', { ...written, ...optional(further) }),
  bodyExamples: {
    hours: { summary: 'Opening hours', value: { shortcut: 'hours', text: 'We are here from 9 to 17.' } },
  },
  answer: { headers: ['ETag'] },
  failures: [taken],
  create: ({ rt, db }, requester, { body }) => {
    const { shortcut, text } = body;
    return createCannedReply(rt, db, requester, { shortcut, text, mediaIds: [], teamIds: [], ...listsOf(body) });
  },
});

const getCannedReplyRoute = getOperation(cannedReply, {
  description: 'Returns a text that agents insert by its shortcut, with its version.',
  find: ({ db }, tenantId, id, request) => findCannedReply(db, tenantId, id, viewerOf(request)),
});

const updateCannedReplyRoute = updateOperation(cannedReply, {
  description: 'Updates the canned reply. Omitted fields stay unchanged, and so do messages written with it.',
  body: changeOf({ ...written, ...further }),
  bodyExamples: { text: { summary: 'New text', value: { text: 'We are here from 8 to 18.' } } },
  failures: [taken],
  update: ({ rt, db }, { id: replyId, ...item }, { body }) => {
    const { shortcut, text } = body;
    return updateCannedReply(rt, db, { ...item, replyId }, { ...givenOnly({ shortcut, text }), ...listsOf(body) });
  },
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

/** The agent who sees the canned replies of their teams; null: a program or who manages them, who see all. */
export function viewerOf({ agent }: Pick<FastifyRequest, 'agent'>): AgentId | null {
  return agent === null || may(agent, 'replies:manage') ? null : agent.agentId;
}

const Lists = changeOf(further);

function listsOf({ media_ids: media, team_ids: teams }: Static<typeof Lists>) {
  return givenOnly({
    mediaIds: media?.map((id) => id.toLowerCase() as MediaId),
    teamIds: teams?.map((id) => id.toLowerCase() as TeamId),
  });
}

function presentCannedReply(reply: CannedReply): JsonObject {
  const { replyId: id, shortcut, text, mediaIds, teamIds, useCount, lastUsedMs, version, createdMs, updatedMs } = reply;
  return {
    id,
    shortcut,
    text,
    asks_for: [...askedFor(text)],
    media_ids: [...mediaIds],
    team_ids: [...teamIds],
    use_count: useCount,
    last_used_at: timeOrNull(lastUsedMs),
    version,
    created_at: formatRfc3339(createdMs),
    updated_at: formatRfc3339(updatedMs),
  };
}

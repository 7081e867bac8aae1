import Type from 'typebox';
import { contactJson } from '#contacts/domain/contact-json';
import { describeConversation, describeNote } from '#conversations/domain/conversation-events';
import type { Principal } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { makeCursor, readCursor } from '#http/lists/cursor';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { choiceOf, NO_NUL, queryOf, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { problemOf } from '#http/validation/faults';
import { presentMessage } from '#messages/http/present/message';
import type { Hit } from '#search/actions/read-hits';
import { type FoundGroup, runSearch } from '#search/actions/run-search';
import { type SearchKind, searchKinds } from '#search/domain/search-kind';
import { SearchResults, searchExample } from './schemas/search.ts';

const MAX_QUERY = 500;
const DEFAULT_HITS = 10;
const MAX_HITS = 50;

const SearchQueryParameters = queryOf({
  q: Type.Optional(
    withExample(
      Type.String({
        ...NO_NUL,
        maxLength: MAX_QUERY,
        description:
          'Words, "phrases in quotes", and from:, in:, has:, before: and after:. Every text is valid; without one, nothing is found.',
      }),
      'parcel from:customer',
    ),
  ),
  group: Type.Optional(
    withExample(choiceOf(searchKinds, 'Only this kind. Default: all kinds that the key may read.'), 'messages'),
  ),
  limit: Type.Optional(
    withExample(
      Type.Integer({ minimum: 1, maximum: MAX_HITS, default: DEFAULT_HITS, description: 'Maximum hits of each kind.' }),
      20,
    ),
  ),
  cursor: pageQuery.cursor,
});

const searchRoute = defineOperation({
  method: 'GET',
  path: '/v1/search',
  operationId: 'search',
  summary: 'Search messages, notes, contacts and conversations',
  description:
    'Returns what matches all parts of the query, newest first and by kind. Words match the beginning of words; case and accents do not count. What was stored a moment ago is found a second later. A page may have fewer hits than limit, or none, and still another page.',
  tag: 'Conversations',
  scope: 'conversations:read',
  query: SearchQueryParameters,
  answer: {
    status: 200,
    description: 'What was found.',
    schema: SearchResults,
    example: searchExample,
  },
  errors: [],
  handle: ({ rt, db, cursorKey }) => {
    return async (request) => {
      const { q = '', group, limit = DEFAULT_HITS, cursor } = request.query;
      const principal = principalOf(request);
      const { tenantId } = principal;
      const agentId = request.agent?.agentId ?? null;
      const listOf = (kind: SearchKind) => ({
        name: `search_${kind}`,
        tenantId,
        filter: { q, agent: agentId ?? undefined },
      });
      const beforeId = cursor === undefined ? null : readCursor(cursorKey, listOf(requireGroup(group)), cursor);
      const kinds = readableKinds(principal, group);
      const result = await runSearch(rt, db, { tenantId, agentId, text: q, kinds, limit, beforeId });
      const groups = result.groups.map(({ kind, hits, downTo }: FoundGroup) => {
        const next = downTo === null ? null : makeCursor(cursorKey, listOf(kind), downTo);
        const page = { limit, offset: 0, has_more: next !== null, next_cursor: next };
        return [kind, { data: hits.map((hit) => presentHit(hit, rt.clock.now())), page }];
      });
      return { complete: result.complete, ...Object.fromEntries(groups) };
    };
  },
});

export const searchOperations: readonly Operation[] = [searchRoute];

/** @throws ApiProblem validation_failed: each kind has pages of its own */
function requireGroup(group: SearchKind | undefined): SearchKind {
  if (group !== undefined) return group;
  throw problemOf([
    { path: 'query.group', message: 'group is required with cursor: send the kind that it came with.' },
  ]);
}

/** @throws ApiProblem missing_scope for contacts alone without the right to read them */
function readableKinds({ scopes }: Principal, group: SearchKind | undefined): readonly SearchKind[] {
  const mayReadContacts = scopes.length === 0 || scopes.includes('contacts:read');
  if (group === 'contacts' && !mayReadContacts) throw new ApiProblem('forbidden');
  if (group !== undefined) return [group];
  return searchKinds.filter((kind) => kind !== 'contacts' || mayReadContacts);
}

function presentHit({ found, contact, snippet }: Hit, nowMs: number): JsonObject {
  const shown = { snippet: { text: snippet.text, marks: snippet.marks.map((mark) => ({ ...mark })) } };
  const brief = contact && { id: contact.contactId, name: contact.name, phone: contact.phone };
  switch (found.kind) {
    case 'messages':
      return { ...shown, message: presentMessage(found.message), contact: brief };
    case 'notes':
      return { ...shown, note: describeNote(found.note), contact: brief };
    case 'contacts':
      return { ...shown, contact: contactJson(found.contact) };
    case 'conversations': {
      const { contactId } = found.conversation;
      const named = brief ?? { id: contactId, name: null, phone: null };
      return { ...shown, conversation: { ...describeConversation(found.conversation, nowMs), contact: named } };
    }
  }
}

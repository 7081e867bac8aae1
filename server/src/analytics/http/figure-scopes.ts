import Type, { type Static } from 'typebox';
import { conversationScopeOf } from '#analytics/actions/conversation-figures';
import type { ReportScope } from '#analytics/store/analytics-reads';
import type { ConversationScope } from '#analytics/store/conversation-analytics-reads';
import { handlers } from '#conversations/domain/conversation';
import type { ConversationDimension } from '#conversations/domain/conversation-tally';
import { choiceOf, named, text, uuid, withExample } from '#http/schemas/fields';
import { onlyOneOf, scopeFields } from './report-query.ts';

const agent = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';

/** What conversations have and messages have not. */
export const talkFields = {
  agent_id: Type.Optional(withExample(uuid('Only activity of this agent.'), agent)),
  team_id: Type.Optional(withExample(uuid('Only conversations that this team had.'), agent)),
  tag: Type.Optional(withExample(text(64, 'Only conversations that had this tag.'), 'delivery')),
  handled_by: Type.Optional(
    withExample(choiceOf(handlers, named('ConversationHandler', 'Only conversations with this handler.')), 'agent'),
  ),
};
export const TALK_NAMES = ['agent_id', 'team_id', 'tag', 'handled_by'] as const;
export const TALK_DIMENSIONS: Readonly<Record<keyof typeof talkFields, ConversationDimension>> = {
  agent_id: 'agent',
  team_id: 'team',
  tag: 'tag',
  handled_by: 'handled_by',
};

const FigureQuery = Type.Object({ ...scopeFields, ...talkFields });

/** What a report of messages and conversations is about. Null: it has none of these. */
export interface FigureScopes {
  readonly messages: ReportScope | null;
  readonly talks: ConversationScope | null;
}

/**
 * @param scope what the query says of messages
 * @throws ApiProblem validation_failed for more than one of the fields that narrow a report down
 */
export function figureScopes(query: Static<typeof FigureQuery>, scope: ReportScope): FigureScopes {
  const name = TALK_NAMES.find((one) => query[one] !== undefined);
  if (name === undefined) return { messages: scope, talks: conversationScopeOf(scope) };
  onlyOneOf(query, [name, ...Object.keys(scopeFields), ...TALK_NAMES.filter((one) => one !== name)]);
  return { messages: null, talks: { dimension: TALK_DIMENSIONS[name], key: talkKey(name, query[name] ?? '') } };
}

/** Ids are stored in lower case. */
export function talkKey(name: string, value: string): string {
  return name.endsWith('_id') ? value.toLowerCase() : value;
}

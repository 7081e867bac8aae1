import Type from 'typebox';
import { MAX_AUTHORS, readAuthorKinds, readAuthors } from '#analytics/actions/read-authors';
import { authorKinds } from '#core/caller/author';
import type { JsonObject } from '#core/json';
import type { Operation } from '#http/operation';
import { choiceOf, named, nullableText, uuid, viewOf } from '#http/schemas/fields';
import { reportOperation } from './report.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const KindCounts = Type.Object(
  {
    agent: count('Written by agents.'),
    rule: count('Sent by chatbot rules.'),
    campaign: count('Sent by campaigns.'),
    key: count('Sent by programs, with a key that acted for no agent.'),
  },
  named('AuthorKindCounts', 'Messages accepted in the period, by kind of author.'),
);

const AuthorRow = viewOf(named('AuthorMetrics', 'Messages of one author.'), {
  kind: choiceOf(authorKinds, 'Kind of author.'),
  id: uuid('The agent, rule, campaign or key.'),
  name: nullableText('Current name. Null if it was deleted.'),
  messages: count('Messages accepted in the period that it wrote or had sent.'),
});

const getAnalyticsAuthorsRoute = reportOperation({
  path: '/v1/analytics/authors',
  operationId: 'getAnalyticsAuthors',
  summary: 'Get who wrote messages',
  description: `Returns how many messages agents wrote themselves, and how many chatbot rules, campaigns and programs sent: in total by kind, and for the ${MAX_AUTHORS} with the most messages. Messages from before authors were recorded or counted are left out. With \`Accept: text/csv\`, returns a table.`,
  answer: {
    description: 'A row for each author, those with the most messages first.',
    about: 'Who had messages sent.',
    fields: { by_kind: KindCounts, data: Type.Array(AuthorRow) },
    example: { by_kind: { agent: 0, rule: 0, campaign: 0, key: 0 }, data: [] },
  },
  columns: Object.keys(AuthorRow.properties),
  read: async ({ db }, query) => {
    const [kinds, authors] = await Promise.all([readAuthorKinds(db, query), readAuthors(db, query)]);
    const data = authors.map(({ author: { kind, id, name }, messages }): JsonObject => ({ kind, id, name, messages }));
    return { fields: { by_kind: { ...kinds }, data }, rows: data };
  },
});

/** In the order of the documentation. */
export const authorReportOperations: readonly Operation[] = [getAnalyticsAuthorsRoute];

import { Readable } from 'node:stream';
import Type, { type Static } from 'typebox';
import { readContactCondition } from '#contacts/actions/contact-condition';
import { beginExport } from '#contacts/actions/export-contacts';
import { EXPORT_FORMATS, exportHeader } from '#contacts/domain/contact-export';
import { contactJson } from '#contacts/domain/contact-json';
import { listContacts } from '#contacts/store/contact-lists';
import type { JsonObject } from '#core/json';
import { wantsCsv } from '#http/csv';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { choiceOf, optional, queryOf, strictObject, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { contactFilters, readContactFilter, withSegment } from './contact-filter.ts';
import { ConditionBody } from './schemas/condition.ts';
import { ContactView, contactExample } from './schemas/contact.ts';

const searchContactsRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/search',
  operationId: 'searchContacts',
  summary: 'Search contacts by a condition',
  description:
    'Returns the contacts that match a condition, newest first. Segments and chatbot rules use the same conditions.',
  tag: 'Contacts',
  scope: 'contacts:read',
  query: queryOf(pageQuery),
  body: strictObject('Contacts to find.', { when: ConditionBody }),
  bodyExamples: {
    tag: {
      summary: 'Contacts with a tag that have not written for 30 days',
      value: {
        when: {
          all: [
            { field: 'contact.tags', match: 'has', value: 'VIP' },
            { field: 'contact.last_inbound_at', match: 'lt', value: '-30d' },
          ],
        },
      },
    },
  },
  takesIdempotencyKey: true,
  answer: pageAnswer('contacts', ContactView, contactExample),
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { when } = request.body;
      const { tenantId } = principalOf(request);
      const condition = await readContactCondition(db, tenantId, { input: when, path: 'body.when' });
      const selection = { tenantId, filter: { condition }, nowMs: rt.clock.now() };
      return answerList(request, reply, {
        cursorKey,
        name: 'contacts_search',
        filter: { when: JSON.stringify(when) },
        read: (_tenantId, window) => listContacts(db, selection, window),
        idOf: ({ contactId }) => contactId,
        present: contactJson,
      });
    };
  },
});

const ExportQuery = queryOf({
  ...optional({
    format: withExample(
      choiceOf(EXPORT_FORMATS, 'Output format. Default: as requested by Accept, otherwise ndjson.'),
      'ndjson',
    ),
  }),
  ...contactFilters,
});

const exportContactsRoute = defineOperation({
  method: 'GET',
  path: '/v1/contacts/export',
  operationId: 'exportContacts',
  summary: 'Export contacts',
  description:
    'Returns all contacts that match the filters, newest first, as a stream of any length: one object per line (NDJSON) or, with `format=csv` or `Accept: text/csv`, a table. `POST /v1/imports` accepts both. In a table, values that a spreadsheet would interpret as a formula are prefixed with an apostrophe.',
  tag: 'Contacts',
  scope: 'contacts:read',
  recentSignIn: true,
  permission: 'contacts:export',
  query: ExportQuery,
  answer: {
    status: 200,
    description: 'The contacts.',
    schema: Type.String({ description: 'One contact per line.' }),
    contentType: 'application/x-ndjson',
    example: `${JSON.stringify(contactExample)}\n`,
    csvExample: exportHeader(['birthday']),
    headers: ['Content-Disposition'],
  },
  handle: ({ rt, db }) => {
    return async (request, reply) => {
      const { query } = request;
      const requester = requesterOf(request);
      const filter = await withSegment(db, requester.tenantId, readContactFilter(query));
      const format = query.format ?? (wantsCsv(request.headers.accept) ? 'csv' : 'ndjson');
      const asked = { ...requester, filter, filters: auditedFilters(query), format, nowMs: rt.clock.now() };
      reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson');
      reply.header('content-disposition', `attachment; filename="contacts.${format}"`);
      reply.header('vary', 'accept');
      return reply.send(Readable.from(await beginExport(rt, db, asked)));
    };
  },
});

/** In the order of the documentation. */
export const contactSearchOperations: readonly Operation[] = [searchContactsRoute, exportContactsRoute];

/** Filters whose values are personal data. */
const PERSONAL: readonly string[] = ['phone', 'q', 'external_id'];

/** What the audit log keeps of the filters: that a personal one was given, but not its value. */
function auditedFilters({ format: _format, ...filters }: Static<typeof ExportQuery>): JsonObject {
  const kept = Object.entries(filters).map(([name, value]) => [name, PERSONAL.includes(name) ? '(given)' : value]);
  return Object.fromEntries(kept);
}

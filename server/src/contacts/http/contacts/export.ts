import { Readable } from 'node:stream';
import Type, { type Static } from 'typebox';
import { beginExport } from '#contacts/actions/export-contacts';
import { segmentCondition } from '#contacts/actions/manage-segments';
import { EXPORT_FORMATS, exportHeader } from '#contacts/domain/contact-export';
import { contactExample } from '#contacts/http/schemas/contact';
import type { JsonObject } from '#core/json';
import { wantsCsv } from '#http/csv';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { choiceOf, withExample } from '#http/schemas/fields';
import { contactFilters, readContactFilter } from './contact-filter.ts';

const Query = Type.Object(
  {
    format: Type.Optional(
      withExample(choiceOf(EXPORT_FORMATS, 'How they are written; default: as Accept says, else ndjson.'), 'ndjson'),
    ),
    ...contactFilters,
  },
  { additionalProperties: false },
);

export const exportContactsRoute = defineOperation({
  method: 'GET',
  path: '/v1/contacts/export',
  operationId: 'exportContacts',
  summary: 'Export contacts',
  description:
    'Returns all contacts that match the filters, newest first, as a stream of any length: one object per line (NDJSON) or, with `format=csv` or `Accept: text/csv`, a table. `POST /v1/imports` accepts both. In a table, values that a spreadsheet would interpret as a formula are prefixed with an apostrophe.',
  tag: 'Contacts',
  scope: 'contacts:read',
  permission: 'contacts:export',
  query: Query,
  answer: {
    status: 200,
    description: 'The contacts.',
    schema: Type.String({ description: 'One contact per line.' }),
    contentType: 'application/x-ndjson',
    example: `${JSON.stringify(contactExample)}\n`,
    csvExample: exportHeader(['birthday']),
    headers: ['Content-Disposition'],
  },
  errors: [],
  handle: ({ rt, db }) => {
    return async (request, reply) => {
      const { query } = request;
      const asker = requesterOf(request);
      const filter = readContactFilter(query);
      const segmentId = query.segment_id?.toLowerCase();
      const condition = segmentId === undefined ? undefined : await segmentCondition(db, asker.tenantId, segmentId);
      const format = query.format ?? (wantsCsv(request.headers.accept) ? 'csv' : 'ndjson');
      const found = condition === null ? null : { ...filter, ...givenOnly({ condition }) };
      const wish = { ...asker, filter: found, filters: auditedFilters(query), format, nowMs: rt.clock.now() };
      reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson');
      reply.header('content-disposition', `attachment; filename="contacts.${format}"`);
      reply.header('vary', 'accept');
      return reply.send(Readable.from(await beginExport(rt, db, wish)));
    };
  },
});

/** Filters whose values are personal data. */
const PERSONAL: readonly string[] = ['phone', 'q', 'external_id'];

/** What the audit log keeps of the filters: that a personal one was given, but not its value. */
function auditedFilters({ format: _format, ...filters }: Static<typeof Query>): JsonObject {
  const kept = Object.entries(filters).map(([name, value]) => [name, PERSONAL.includes(name) ? '(given)' : value]);
  return Object.fromEntries(kept);
}

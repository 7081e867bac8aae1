import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { readFreshness } from '#analytics/store/analytics-reads';
import type { JsonObject, JsonValue } from '#core/json';
import { toCsv, wantsCsv } from '#http/csv';
import type { RouteContext } from '#http/deps';
import { defineOperation, type Operation } from '#http/operation';
import { queryOf } from '#http/schemas/fields';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';
import { type Report, type ReportTimes, readReportQuery, zonedTimes } from './report-query.ts';
import { reportExample, reportFields } from './schemas/analytics.ts';

/** What differs between reports. */
interface ReportDescription<Q extends TProperties>
  extends Pick<Operation, 'path' | 'operationId' | 'summary' | 'description' | 'errorExamples'> {
  /** Query parameters besides those of every report. */
  readonly query?: Q;
  /** How its time is read; by default on the clocks of any zone. */
  readonly times?: ReportTimes;
  readonly answer: ReportAnswer;
  /** Of the table. */
  readonly columns: readonly string[];
  readonly read: (context: RouteContext, report: Report, query: Static<TObject<Q>>) => Promise<Findings>;
}

export interface ReportAnswer {
  readonly description: string;
  /** What the schema is, in a sentence. */
  readonly about: string;
  /** Fields besides those of every report. */
  readonly fields: TProperties;
  /** Of these fields. */
  readonly example: JsonObject;
  /** Lines of the example of a table, below its columns. */
  readonly csvLines?: string;
}

interface Findings {
  /** The fields of the answer. */
  readonly fields: JsonObject;
  /** The rows of the table; columns named `reply_count` are found in an object `reply`. */
  readonly rows: readonly JsonObject[];
}

/** A report on a period, as JSON or as a table. */
export function reportOperation<Q extends TProperties>(of: ReportDescription<Q>): Operation {
  const { path, operationId, summary, description, answer, columns, times = zonedTimes, errorExamples = [] } = of;
  return defineOperation({
    method: 'GET',
    path,
    operationId,
    summary,
    description,
    tag: 'Analytics',
    scope: 'analytics:read',
    query: queryOf({ ...times.fields, ...of.query }),
    answer: {
      status: 200,
      description: answer.description,
      schema: Type.Object({ ...reportFields, ...answer.fields }, { description: answer.about }),
      example: { ...reportExample, ...answer.example },
      csvExample: `${columns.join()}\r\n${answer.csvLines ?? ''}`,
    },
    errorExamples,
    handle: (context) => async (request, reply) => {
      const report = await readReportQuery(context, request, times);
      const { period, timeZone: timezone } = report;
      // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
      const { asOfMs, complete } = await readFreshness(context.db, report.tenantId);
      const { fields, rows } = await of.read(context, report, request.query as Static<TObject<Q>>);
      const [from, to] = [formatRfc3339(period.startMs), formatRfc3339(period.endMs)];
      const body = { from, to, timezone, as_of: timeOrNull(asOfMs), complete, ...fields };
      return answerReport(request, reply, { body, columns, rows });
    },
  });
}

/** Answers a report as JSON, or its rows as CSV when the request prefers `text/csv`. */
function answerReport(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  report: { readonly body: JsonObject; readonly columns: readonly string[]; readonly rows: readonly JsonObject[] },
): unknown {
  reply.header('vary', 'accept');
  if (!wantsCsv(request.headers.accept)) return report.body;
  return reply.type('text/csv; charset=utf-8').send(toCsv(report.columns, report.rows.map(flattened)));
}

/** One level: what stands inside a field gets its name in front, for a table. */
function flattened(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, JsonValue][] => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
      return Object.entries(value as JsonObject).map(([inner, innerValue]) => [`${name}_${inner}`, innerValue]);
    }),
  );
}

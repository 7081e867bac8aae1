import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Freshness } from '#analytics/store/analytics-reads';
import type { BreakdownRow } from '#analytics/store/analytics-sums';
import type { Period } from '#core/calendar';
import type { JsonObject } from '#core/json';
import { MESSAGE_MEASURES, type MessageCounts, type MessageMeasure } from '#events/domain/message-sums';
import { toCsv, wantsCsv } from '#http/csv';
import { formatRfc3339 } from '#http/validation/rfc3339';

/** Counts of a report, as they leave; all null where the report is about what no message has. */
export function presentCounts(counts: MessageCounts | null): JsonObject {
  return Object.fromEntries(MESSAGE_MEASURES.map((measure) => [measure, counts?.[measure] ?? null]));
}

export function presentPeriod({ startMs, endMs }: Period): JsonObject {
  return { from: formatRfc3339(startMs), to: formatRfc3339(endMs) };
}

export function presentFreshness({ asOfMs, complete }: Freshness): JsonObject {
  return { as_of: asOfMs === null ? null : formatRfc3339(asOfMs), complete };
}

/** Shares of a stage in the one that it follows from, from 0 to 1 with four decimals; null where there is none to share. */
export function presentFunnelRow({ key, counts }: BreakdownRow<MessageMeasure>): JsonObject {
  const { accepted, sent, delivered, read, failed, replied } = counts;
  return {
    key,
    ...{ accepted, sent, delivered, read, replied, failed },
    delivered_rate: share(delivered, sent),
    read_rate: share(read, delivered),
    replied_rate: share(replied, delivered),
  };
}

export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** Answers a report as JSON, or its rows as CSV to whoever accepts `text/csv` and not JSON before it. */
export function answerReport(
  request: FastifyRequest,
  reply: FastifyReply,
  report: { readonly body: JsonObject; readonly columns: readonly string[]; readonly rows: readonly JsonObject[] },
): unknown {
  reply.header('vary', 'accept');
  if (!wantsCsv(request.headers.accept)) return report.body;
  return reply.type('text/csv; charset=utf-8').send(toCsv(report.columns, report.rows));
}

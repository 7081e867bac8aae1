import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { type PeriodEdge, reportPeriod } from '#analytics/actions/report-period';
import type { ReportQuery, ReportScope } from '#analytics/store/analytics-reads';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import { type MessageDimension, QUARTER_MS } from '#events/domain/message-sums';
import type { RouteContext } from '#http/deps';
import { principalOf } from '#http/plugins/auth';
import { PATTERN_SENTENCE, phoneNumberId, text, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { parseRfc3339 } from '#http/validation/rfc3339';

const EDGE = {
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt].{1,40})?$',
  [PATTERN_SENTENCE]: 'must be a date such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z',
};

function edge(description: string, example: string) {
  return Type.Optional(withExample(Type.String({ ...EDGE, description }), example));
}

/** When, and on whose clocks. */
const periodFields = {
  from: edge(
    'Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end.',
    '2030-01-01',
  ),
  to: edge('End of the report, exclusive: a date or a time. Default: now.', '2030-02-01'),
  timezone: Type.Optional(withExample(text(64, 'IANA time zone for dates and steps. Default: UTC.'), 'Europe/Berlin')),
};

/** How the time of a report is read. */
export interface ReportTimes {
  /** Of the query; with a time zone or without one. */
  readonly fields: Pick<typeof periodFields, 'from' | 'to'>;
  /** What it is widened to. */
  readonly unitMs: number;
  readonly maxDays: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The longest time of one report: a year, also a leap year. */
const MAX_DAYS = 366;

/** On the clocks of any zone. */
export const zonedTimes: ReportTimes = {
  fields: periodFields,
  unitMs: QUARTER_MS,
  maxDays: MAX_DAYS,
};

/** In days of UTC, as the network counts. */
export function networkTimes(maxDays = MAX_DAYS): ReportTimes {
  return {
    fields: {
      from: edge(
        'Start of the report: a date (midnight in UTC) or a time. Default: seven days before the end.',
        '2030-01-01',
      ),
      to: periodFields.to,
    },
    unitMs: DAY_MS,
    maxDays,
  };
}

/** What the report is about: everything, or one of these. */
export const scopeFields = {
  phone_number_id: Type.Optional(withExample(phoneNumberId(), '106540352242922')),
  type: Type.Optional(withExample(text(32, 'Only messages of this type.'), 'text')),
  template: Type.Optional(
    withExample(text(512, 'Only messages that use the template with this name.'), 'order_shipped'),
  ),
  campaign_name: Type.Optional(withExample(text(255, 'Only messages in this campaign.'), 'spring-sale')),
};

const SCOPES: Readonly<Record<keyof typeof scopeFields, MessageDimension>> = {
  phone_number_id: 'number',
  type: 'type',
  template: 'template',
  campaign_name: 'campaign',
};

const PeriodQuery = Type.Object(periodFields);
const ScopeQuery = Type.Object(scopeFields);
export type ReportParameters = Static<typeof PeriodQuery> & Static<typeof ScopeQuery>;

export interface Report extends ReportQuery {
  readonly timeZone: string;
}

/**
 * Reads what the query asks for.
 * @throws ApiProblem validation_failed for a time zone that is none, a time that is none, an end before the beginning, a
 * longer time than the report can have, and more than one of the fields that narrow a report down
 */
export async function readReportQuery(
  { rt, db }: Pick<RouteContext, 'rt' | 'db'>,
  request: FastifyRequest<{ Querystring: ReportParameters }>,
  { unitMs, maxDays }: ReportTimes,
): Promise<Report> {
  const { query } = request;
  const timeZone = query.timezone ?? 'UTC';
  if (!isTimeZone(timeZone)) throw queryFault('timezone', 'timezone must be an IANA time zone such as Europe/Berlin.');
  const from = edgeOf('from', query.from);
  const to = edgeOf('to', query.to);
  const scope = scopeOf(query);
  const period = await reportPeriod(db, { from, to, timeZone, nowMs: rt.clock.now(), unitMs });
  checkPeriod(period, maxDays);
  const tenantId: TenantId = principalOf(request).tenantId;
  return { tenantId, scope, period, timeZone };
}

function checkPeriod({ startMs, endMs }: Period, maxDays: number): void {
  if (endMs <= startMs) throw queryFault('to', 'to must be after from.');
  if (endMs - startMs > maxDays * DAY_MS) throw queryFault('from', `from and to can be at most ${maxDays} days apart.`);
}

function edgeOf(name: string, value: string | undefined): PeriodEdge | null {
  if (value === undefined) return null;
  const atMs = parseRfc3339(value.length === 10 ? `${value}T00:00:00Z` : value);
  // A date goes to the calendar of the database, which has no year 0.
  if (atMs === null || value.startsWith('0000'))
    throw queryFault(name, `${name} must be a date such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z.`);
  return value.length === 10 ? { date: value } : { atMs };
}

function scopeOf(query: ReportParameters): ReportScope {
  const name = onlyOneOf(query, Object.keys(SCOPES) as (keyof typeof SCOPES)[]);
  return name === undefined ? { dimension: 'all', key: '' } : { dimension: SCOPES[name], key: query[name] ?? '' };
}

/**
 * The one of these fields that a query gives.
 * @throws ApiProblem validation_failed when it gives another one too
 */
export function onlyOneOf<N extends string>(
  query: { readonly [name in N]?: unknown },
  names: readonly N[],
): N | undefined {
  const [first, second] = names.filter((name) => query[name] !== undefined);
  if (second !== undefined) {
    throw queryFault(second, `${second} cannot be combined with ${first}. Use one of them.`);
  }
  return first;
}

/** Names such as `+01:00` are offsets, not zones; PostgreSQL reads their sign the other way round. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

export function queryFault(name: string, message: string) {
  return problemOf([{ path: `query.${name}`, message }]);
}

/** Whether a conversation matches a condition of a view, as far as a page can know. */
import type { Conversation } from './model.ts';

type Verdict = boolean | null;
type Value = string | number | readonly string[] | null;

interface Node {
  readonly all?: readonly Node[];
  readonly any?: readonly Node[];
  readonly not?: Node;
  readonly field?: string;
  readonly match?: string;
  readonly value?: unknown;
}

/** Who looks, and when. */
export interface Looker {
  readonly meId: string | null;
  readonly nowMs: number;
}

/** Null: it depends on what only the service knows, such as fields of the contact. @param when as the API has it */
export function matches(when: object, one: Conversation, looker: Looker): Verdict {
  const { all, any, not, field = '', match, value } = when as Node;
  if (all) return every(all, (part) => matches(part, one, looker));
  if (any) return negated(every(any, (part) => negated(matches(part, one, looker))));
  if (not) return negated(matches(not, one, looker));
  const read = FIELDS[field];
  return read === undefined ? null : compare(read(one, looker.nowMs), match, value, looker);
}

const FIELDS: Readonly<Record<string, (one: Conversation, nowMs: number) => Value>> = {
  'conversation.status': ({ status }) => status,
  'conversation.assignee_id': ({ assignee_id: id }) => id,
  'conversation.team_id': ({ team_id: id }) => id,
  'conversation.phone_number_id': ({ phone_number_id: id }) => id,
  'conversation.tags': ({ tags }) => tags,
  'conversation.priority': ({ priority }) => priority,
  'conversation.handled_by': ({ handled_by: by }) => by,
  'conversation.unread_count': ({ unread_count: count }) => count,
  'conversation.window': ({ window }, nowMs) => ((time(window.expires_at) ?? 0) > nowMs ? 'open' : 'closed'),
  'conversation.window_expires_at': ({ window }) => time(window.expires_at),
  'conversation.waiting_since': ({ waiting_since: at }) => time(at),
  'conversation.last_message_at': ({ last_message: last }) => time(last?.at ?? null),
  'conversation.last_message_by': ({ last_message: last }) =>
    last === null ? null : last.direction === 'inbound' ? 'customer' : 'business',
  'conversation.last_inbound_at': ({ last_inbound_at: at }) => time(at),
  'conversation.snoozed_until': ({ snoozed_until: at }) => time(at),
  'conversation.created_at': ({ created_at: at }) => time(at),
};

function time(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}

function every<T>(parts: readonly T[], verdictOf: (part: T) => Verdict): Verdict {
  const verdicts = parts.map(verdictOf);
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}

function negated(verdict: Verdict): Verdict {
  return verdict === null ? null : !verdict;
}

function compare(seen: Value, match: string | undefined, wanted: unknown, looker: Looker): Verdict {
  if (match === 'exists' || match === 'missing') {
    return (seen !== null && (!isList(seen) || seen.length > 0)) === (match === 'exists');
  }
  if (isList(seen)) return seen.includes(String(wanted)) !== (match === 'has_not');
  const isNegated = match === 'is_not' || match === 'not_in';
  if (seen === null) return isNegated;
  if (typeof seen === 'string') {
    const values = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => (one === 'me' ? looker.meId : one));
    return values.includes(seen) !== isNegated;
  }
  const [low = Number.NaN, high = Number.NaN] = (Array.isArray(wanted) ? wanted : [wanted]).map((one) =>
    pointOf(one, looker.nowMs),
  );
  return ORDER[match ?? 'is']?.(seen, low, high) ?? null;
}

const ORDER: Readonly<Record<string, (seen: number, low: number, high: number) => boolean>> = {
  is: (seen, low) => seen === low,
  gt: (seen, low) => seen > low,
  gte: (seen, low) => seen >= low,
  lt: (seen, low) => seen < low,
  lte: (seen, low) => seen <= low,
  between: (seen, low, high) => low <= seen && seen <= high,
};

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A number, a time, or how far a time is from now. */
function pointOf(value: unknown, nowMs: number): number {
  if (typeof value === 'number') return value;
  const text = String(value);
  const [, sign, count, unit = ''] = /^([-+])(\d+)([mhd])$/.exec(text) ?? [];
  if (sign === undefined) return Date.parse(text);
  const spanMs = Number(count) * (UNIT_MS[unit] ?? 0);
  return sign === '-' ? nowMs - spanMs : nowMs + spanMs;
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}

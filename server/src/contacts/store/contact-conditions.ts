import { type RawBuilder, sql } from 'kysely';
import type { CompareMatch, Condition, Leaf, Test } from '#core/conditions/condition';
import { pointMs } from '#core/conditions/time-point';
import type { TenantId } from '#core/ids';

type Sql = RawBuilder<boolean>;

/** Columns of `contacts as c` that hold a field as it is. */
const COLUMNS: Readonly<Record<string, RawBuilder<unknown>>> = {
  'contact.country': sql.ref('c.country'),
  'contact.language': sql.ref('c.language'),
  'contact.status': sql.ref('c.status'),
  'contact.consent.marketing': sql.ref('c.marketing'),
  'contact.created_at': sql.ref('c.created_ms'),
  'contact.last_inbound_at': sql.ref('c.last_inbound_ms'),
};
const PREFIX = 'contact.';
const ATTRIBUTES = 'contact.attributes.';

/** Whose contacts a condition is about, and the moment that its times count from. */
export interface ConditionScope {
  readonly tenantId: TenantId;
  readonly nowMs: number;
}

/**
 * A checked condition about contacts as SQL over `contacts as c`: the verdict of core/conditions/evaluate.ts for each row.
 * Values are parameters without exception. It is never null, so that a negation is the opposite.
 */
export function contactConditionSql(condition: Condition, scope: ConditionScope): Sql {
  switch (condition.op) {
    case 'all':
    case 'any': {
      const parts = condition.conditions.map((one) => contactConditionSql(one, scope));
      return sql`(${sql.join(parts, condition.op === 'all' ? sql` and ` : sql` or `)})`;
    }
    case 'not':
      return sql`not (${contactConditionSql(condition.condition, scope)})`;
    case 'leaf':
      return sql`coalesce(${leafSql(condition, scope)}, false)`;
    default:
      return condition satisfies never;
  }
}

function leafSql(leaf: Leaf, { tenantId, nowMs }: ConditionScope): Sql {
  const { test } = leaf;
  if (leaf.fieldKind === 'tags') return tagsSql(leaf, tenantId);
  if (test.kind === 'text') return textSql(leaf.field, test);
  const column = columnOf(leaf);
  if (test.kind === 'presence') return test.present ? sql`${column} is not null` : sql`${column} is null`;
  if (leaf.fieldKind === 'time' && leaf.field.startsWith(ATTRIBUTES)) return dateSql(column, test, nowMs);
  switch (test.kind) {
    case 'one_of': {
      const among = sql<boolean>`${column} = any(${[...test.values]}::text[])`;
      return test.negated ? sql`(${column} is null or not (${among}))` : among;
    }
    case 'number':
      return compareSql(column, test.match, sql`${test.wanted}::float8`);
    case 'number_between':
      return sql`${column} between ${test.low}::float8 and ${test.high}::float8`;
    case 'time':
      return compareSql(column, test.match, sql`${pointMs(test.wanted, nowMs)}::bigint`);
    case 'time_between':
      return sql`${column} between ${pointMs(test.low, nowMs)}::bigint and ${pointMs(test.high, nowMs)}::bigint`;
    case 'boolean':
      return sql`${column} = ${test.wanted}`;
    default:
      throw new Error(`A contact cannot be judged by ${test.kind} in SQL.`);
  }
}

/** What a leaf compares, of the type that its kind compares with. */
function columnOf({ field, fieldKind }: Leaf): RawBuilder<unknown> {
  const column = COLUMNS[field];
  if (column !== undefined) return column;
  if (!field.startsWith(ATTRIBUTES)) return sql`nullif(c.folded -> ${field.slice(PREFIX.length)} ->> 'whole', '')`;
  const key = field.slice(ATTRIBUTES.length);
  const value = sql`c.attributes ->> ${key}`;
  // One row with a value of another type, from before its attribute was defined anew, must not fail a whole list.
  const typed = (type: 'number' | 'boolean', whole: RawBuilder<unknown>) =>
    sql`case when jsonb_typeof(c.attributes -> ${key}) = ${type} then ${whole} end`;
  switch (fieldKind) {
    case 'number':
      return typed('number', sql`(${value})::float8`);
    case 'boolean':
      return typed('boolean', sql`(${value})::boolean`);
    default:
      return sql`nullif(${value}, '')`;
  }
}

/** Dates are compared as the texts that they are: ISO dates stand in order, and no text fails as a cast does. */
function dateSql(column: RawBuilder<unknown>, test: Test, nowMs: number): Sql {
  if (test.kind === 'time') return compareDate(column, test.match, pointMs(test.wanted, nowMs));
  if (test.kind !== 'time_between') throw new Error(`A date cannot be judged by ${test.kind}.`);
  const [low, high] = [pointMs(test.low, nowMs), pointMs(test.high, nowMs)];
  return sql`${compareDate(column, 'gte', low)} and ${compareDate(column, 'lte', high)}`;
}

const DAY_MS = 86_400_000;

/** A date is the midnight that it begins with: later than a moment of a day means later than that day. */
function compareDate(column: RawBuilder<unknown>, match: CompareMatch, wantedMs: number): Sql {
  const date = sql`${column} collate "C"`;
  const day = dayText(wantedMs);
  if (wantedMs % DAY_MS === 0) return compareSql(date, match, sql`${day}::text`);
  if (match === 'is') return sql<boolean>`false`;
  return match === 'gt' || match === 'gte' ? sql`${date} > ${day}::text` : sql`${date} <= ${day}::text`;
}

/** The day as ISO 8601 has it. Those before year 0 begin with a hyphen, which stands before digits. */
function dayText(ms: number): string {
  const [day = ''] = new Date(ms).toISOString().split('T');
  // Those after 9999 begin with a plus sign: so does no date that is stored, and they stand behind all of them.
  return day.startsWith('+') ? `9999-12-31${day}` : day;
}

function textSql(field: string, test: Extract<Test, { readonly kind: 'text' }>): Sql {
  const texts = sql`c.folded -> ${field.slice(PREFIX.length)}`;
  const { wanted } = test;
  switch (test.match) {
    case 'is':
      return sql`${texts} ->> 'whole' = ${wanted}`;
    case 'starts':
      return sql`starts_with(${texts} ->> 'whole', ${wanted})`;
    case 'contains':
      return sql`strpos(${texts} ->> 'whole', ${wanted}) > 0`;
    case 'word':
      return sql`strpos(${texts} ->> 'words', ${` ${wanted} `}) > 0`;
    default:
      return test.match satisfies never;
  }
}

function compareSql(column: RawBuilder<unknown>, match: CompareMatch, wanted: RawBuilder<unknown>): Sql {
  switch (match) {
    case 'is':
      return sql`${column} = ${wanted}`;
    case 'gt':
      return sql`${column} > ${wanted}`;
    case 'gte':
      return sql`${column} >= ${wanted}`;
    case 'lt':
      return sql`${column} < ${wanted}`;
    case 'lte':
      return sql`${column} <= ${wanted}`;
    default:
      return match satisfies never;
  }
}

/** Tags are terms, folded; a list attribute is one of its folded items. */
function tagsSql({ field, test }: Leaf, tenantId: TenantId): Sql {
  const attribute = field.startsWith(ATTRIBUTES) ? field.slice(PREFIX.length) : null;
  if (test.kind === 'presence') {
    const some =
      attribute === null
        ? sql<boolean>`cardinality(c.tags) > 0`
        : sql<boolean>`jsonb_array_length(coalesce(c.folded -> ${attribute} -> 'items', '[]')) > 0`;
    return test.present ? some : sql`not (${some})`;
  }
  if (test.kind !== 'tag') throw new Error(`Tags cannot be judged by ${test.kind}.`);
  const has =
    attribute === null
      ? sql<boolean>`c.contact_id in (select t.contact_id from contact_terms t where t.tenant_id = ${tenantId} and t.term = ${`t:${test.wanted}`})`
      : sql<boolean>`coalesce(c.folded -> ${attribute} -> 'items', '[]') @> ${JSON.stringify([test.wanted])}::jsonb`;
  return test.negated ? sql`not (${has})` : has;
}

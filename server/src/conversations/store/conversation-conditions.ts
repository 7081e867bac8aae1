import { type RawBuilder, sql } from 'kysely';
import { contactConditionSql } from '#contacts/store/contact-conditions';
import { ME } from '#conversations/domain/conversation-fields';
import type { CompareMatch, Condition, Leaf } from '#core/conditions/condition';
import { pointMs } from '#core/conditions/time-point';
import type { AgentId, TenantId } from '#core/ids';

type Sql = RawBuilder<boolean>;

/** Whose conversations a condition is about, who asks, and the moment that its times count from. */
export interface SearchScope {
  readonly tenantId: TenantId;
  /** Who `me` is; null: nobody. */
  readonly agentId: AgentId | null;
  readonly nowMs: number;
}

interface Column {
  readonly type: 'text' | 'uuid' | 'bigint' | 'float8';
  readonly value: (nowMs: number) => RawBuilder<unknown>;
}

const column = (name: string, type: Column['type']): Column => ({ type, value: () => sql.ref(`v.${name}`) });

/** What fields compare in `conversations as v`. */
const COLUMNS: Readonly<Record<string, Column>> = {
  'conversation.status': column('status', 'text'),
  'conversation.assignee_id': column('assignee_id', 'uuid'),
  'conversation.team_id': column('team_id', 'uuid'),
  'conversation.phone_number_id': column('phone_number_id', 'text'),
  'conversation.priority': column('priority', 'text'),
  'conversation.handled_by': column('handled_by', 'text'),
  'conversation.unread_count': column('unread_count', 'float8'),
  'conversation.window': {
    type: 'text',
    value: (nowMs) => sql`case when v.window_expires_ms > ${nowMs}::bigint then 'open' else 'closed' end`,
  },
  'conversation.window_expires_at': column('window_expires_ms', 'bigint'),
  'conversation.waiting_since': column('waiting_since_ms', 'bigint'),
  'conversation.last_message_at': column('last_message_ms', 'bigint'),
  'conversation.last_message_by': {
    type: 'text',
    value: () => sql`case v.last_message_inbound when true then 'customer' when false then 'business' end`,
  },
  'conversation.last_inbound_at': column('last_inbound_ms', 'bigint'),
  'conversation.snoozed_until': column('snoozed_until_ms', 'bigint'),
  'conversation.resolved_at': column('resolved_ms', 'bigint'),
  'conversation.created_at': column('created_ms', 'bigint'),
};

/**
 * A checked condition about conversations as SQL over `conversations as v`. Values are parameters without exception. Under a negation
 * nothing is null; elsewhere null is as good as false, and plain comparisons let the planner use its indexes.
 */
export function conversationConditionSql(condition: Condition, scope: SearchScope, isNegated = false): Sql {
  switch (condition.op) {
    case 'all':
    case 'any': {
      const parts = condition.conditions.map((one) => conversationConditionSql(one, scope, isNegated));
      return sql`(${sql.join(parts, condition.op === 'all' ? sql` and ` : sql` or `)})`;
    }
    case 'not':
      return sql`not (${conversationConditionSql(condition.condition, scope, true)})`;
    case 'leaf': {
      const leaf = leafSql(condition, scope);
      return isNegated ? sql`coalesce(${leaf}, false)` : leaf;
    }
    default:
      return condition satisfies never;
  }
}

function leafSql(leaf: Leaf, scope: SearchScope): Sql {
  if (leaf.field.startsWith('contact.')) {
    return sql`exists (select 1 from contacts as c
      where c.tenant_id = ${scope.tenantId}::uuid and c.contact_id = v.contact_id and ${contactConditionSql(leaf, scope)})`;
  }
  const { test } = leaf;
  if (leaf.fieldKind === 'tags') return tagsSql(leaf);
  const found = COLUMNS[leaf.field];
  if (found === undefined) throw new Error(`A conversation has no field ${leaf.field}.`);
  const value = found.value(scope.nowMs);
  const time = (point: Parameters<typeof pointMs>[0]) => sql`${pointMs(point, scope.nowMs)}::bigint`;
  switch (test.kind) {
    case 'presence':
      return test.present ? sql`${value} is not null` : sql`${value} is null`;
    case 'one_of': {
      const among = amongSql(value, found.type, idsOf(leaf, test.values, scope));
      return test.negated ? sql`(${value} is null or not (${among}))` : among;
    }
    case 'number':
      return compareSql(value, test.match, sql`${test.wanted}::float8`);
    case 'number_between':
      return sql`${value} between ${test.low}::float8 and ${test.high}::float8`;
    case 'time':
      return compareSql(value, test.match, time(test.wanted));
    case 'time_between':
      return sql`${value} between ${time(test.low)} and ${time(test.high)}`;
    default:
      throw new Error(`A conversation cannot be compared by ${test.kind}.`);
  }
}

const UUID = /^[0-9a-f]{8}-/;

/** The values of an `id` as they are stored; those that cannot be one of the column are left out. */
function idsOf({ field, fieldKind }: Leaf, values: readonly string[], scope: SearchScope): readonly string[] {
  if (fieldKind !== 'id') return values;
  const named = values.flatMap((value) => {
    if (value !== ME) return [value];
    return scope.agentId === null ? [] : [scope.agentId];
  });
  return COLUMNS[field]?.type === 'uuid' ? named.filter((value) => UUID.test(value)) : named;
}

function amongSql(value: RawBuilder<unknown>, type: Column['type'], wanted: readonly string[]): Sql {
  const cast = sql.raw(type);
  const [one] = wanted;
  if (one !== undefined && wanted.length === 1) return sql`${value} = ${one}::${cast}`;
  return sql`${value} = any(${[...wanted]}::${cast}[])`;
}

function tagsSql({ test }: Leaf): Sql {
  if (test.kind === 'presence') return test.present ? sql`v.tags <> '{}'` : sql`v.tags = '{}'`;
  if (test.kind !== 'tag') throw new Error(`Tags cannot be compared by ${test.kind}.`);
  // The second half makes the partial index of tags usable.
  const has = sql<boolean>`(v.tags @> array[${test.wanted}::text] and v.tags <> '{}')`;
  return test.negated ? sql`not ${has}` : has;
}

const OPERATORS: Readonly<Record<CompareMatch, RawBuilder<unknown>>> = {
  is: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

function compareSql(value: RawBuilder<unknown>, match: CompareMatch, wanted: RawBuilder<unknown>): Sql {
  return sql`${value} ${OPERATORS[match]} ${wanted}`;
}

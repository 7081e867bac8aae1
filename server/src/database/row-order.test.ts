import { parse } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { declaredStatements } from '#testing/database/declared-statements';
import type { Statement } from './database.ts';

/*
 * The order of an inner query is lost when the planner joins its rows to others: a statement that wants an order has to say so in its
 * outermost query. Found when messages to one recipient left in the wrong order, with some statistics of the tables and not with others.
 */

/** Statements with an ordered query inside whose own rows need no order, by the reason. */
const WITHOUT_ORDER: Readonly<Record<string, readonly string[]>> = {
  'It returns one row at most.': [
    ...['agent_find', 'agent_lock', 'assignment_last_agent', 'audit_claim_unforwarded', 'campaign_claim'],
    ...[
      'campaign_results_put_back',
      'dead_letter_requeue',
      'diagnosis_callbacks',
      'events_bounds',
      'health_read',
      'state_callbacks',
    ],
    ...['bulk_change_claim', 'conversation_count_unanswered'],
    ...['import_claim', 'rule_timer_last_words', 'take_statuses', 'take_ordinary_statuses', 'team_find'],
    ...['team_find_default', 'team_lock'],
    ...['team_lock_free', 'search_cursor_read', 'search_message_portions', 'search_note_portions'],
    ...['search_contact_portions', 'search_conversation_portions', 'search_messages_of_conversations'],
    ...['search_notes_of_conversations', 'search_conversations_among'],
    ...['search_message_newest', 'search_note_newest', 'search_contact_newest', 'search_conversation_newest'],
    ...['tenant_retention_outbound', 'tenant_retention_inbound'],
  ],
  'Its rows are found by their keys.': [
    'account_notice_note',
    ...['accept_batch', 'accept_paid_batch', 'settle_sent', 'apply_statuses', 'conversation_open_batch'],
    ...['conversation_take_numbers', 'settle_queue', 'lane_facts'],
  ],
  'Its caller sorts them.': [
    ...['campaign_recipients_take', 'contact_attribute_strip', 'rule_queue_claim', 'rule_reply_claim'],
  ],
  'Each of its rows is treated for itself.': [
    ...['analytics_compare', 'analytics_mark_replied', 'blob_condemn', 'conversation_find_idle'],
    ...[
      'conversation_take_counts',
      'contact_claim_keys',
      'inbound_media_claim',
      'network_blocks_claim',
      'queue_due_lanes',
      'queue_lanes',
      'queue_unknown_due',
    ],
    ...[
      'state_webhooks',
      'resumable_claim',
      'rule_timer_claim',
      'template_account_claim_stale',
      'webhook_lane_read_behind',
    ],
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: the parser gives a tree of some three hundred kinds of nodes
type Tree = any;

/** Whether rows come out of a query that has an ordered one inside, and is not ordered itself. */
async function losesOrder(text: string): Promise<boolean> {
  const { stmts }: Tree = await parse(text);
  const [kind = '', query] = Object.entries<Tree>(stmts[0].stmt)[0] ?? [];
  const returnsRows = kind === 'SelectStmt' || (query.returningClause ?? query.returningList) !== undefined;
  return returnsRows && query.sortClause === undefined && selectsIn(query).some((inner) => inner.sortClause);
}

function selectsIn(tree: Tree): readonly Tree[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const here = tree.SelectStmt === undefined ? [] : [tree.SelectStmt];
  return [...here, ...Object.values(tree).flatMap(selectsIn)];
}

describe('a statement with an ordered query inside', () => {
  let statements: readonly Statement[];
  beforeAll(async () => {
    statements = (await declaredStatements()).filter(({ text }) =>
      /^\s*(with|select|insert|update|delete)\b/.test(text),
    );
  });

  test('orders its own rows, unless they need none', async () => {
    const found = await Promise.all(statements.map(async ({ name, text }) => ((await losesOrder(text)) ? name : [])));
    expect(statements.length).toBeGreaterThan(400);
    expect([...new Set(found.flat())].toSorted()).toEqual(Object.values(WITHOUT_ORDER).flat().toSorted());
  });

  test.each([
    ['select q.* from t cross join lateral (select * from s where s.t = t.id order by s.due limit 5) q', true],
    [
      'select q.* from t cross join lateral (select * from s where s.t = t.id order by s.due limit 5) q order by q.due',
      false,
    ],
    [
      'with due as (select * from s order by due limit 5) update s set x = 1 from due where s.id = due.id returning s.*',
      true,
    ],
    ['select * from s where t = $1', false],
    ['select * from s where t = $1 order by due', false],
  ])('is found out: %s', async (text, expected) => {
    expect(await losesOrder(text)).toBe(expected);
  });
});

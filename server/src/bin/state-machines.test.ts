import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accountStatuses, accountTransitions } from '#accounts/domain/linking';
import { availabilities } from '#agents/domain/agent';
import { subscriptionStatuses, subscriptionTransitions } from '#billing/domain/subscription';
import { topUpStatuses, topUpTransitions } from '#billing/domain/top-up';
import { CAMPAIGN_MOVES, CAMPAIGN_STATUSES, RECIPIENT_MOVES, RECIPIENT_STATUSES } from '#campaigns/domain/campaign';
import { BULK_CHANGE_MOVES } from '#conversations/domain/bulk-change';
import { conversationStatuses, conversationTransitions } from '#conversations/domain/conversation';
import { SUGGESTION_MOVES } from '#conversations/domain/suggestion';
import { IMPORT_MOVES } from '#imports/domain/import';
import { deliveryTransitions, messageStatusTransitions } from '#messages/domain/delivery';
import { templateStatuses, templateTransitions } from '#templates/domain/status';
import { webhookStates, webhookTransitions } from '#webhooks/domain/webhook';

/** docs/state-machines.md is held to the code here: every arrow stands for a transition, and every transition has one. */
const page = readFileSync(new URL('../../../docs/state-machines.md', import.meta.url), 'utf8');
const migration = [
  '0001-core.sql',
  '0005-money.sql',
  '0008-topups.sql',
  '0010-webhooks.sql',
  '0011-contacts.sql',
  '0013-agents.sql',
  '0015-templates.sql',
  '0022-campaign-audience.sql',
  '0059-bulk-changes.sql',
  '0064-suggested-drafts.sql',
]
  .map((file) => readFileSync(new URL(`../../migrations/${file}`, import.meta.url), 'utf8'))
  .join('\n');

const BORDER = '[*]';

/** The text between one `## ` heading and the next. */
function sectionOf(heading: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`The page has no section "${heading}".`);
  return section;
}

/** `from > to` of each arrow in the diagram of a section. */
function arrowsOf(heading: string): readonly string[] {
  const diagram = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(sectionOf(heading))?.[1] ?? '';
  return [...diagram.matchAll(/^ +(\S+) --> (\S+)$/gm)].map(([, from, to]) => `${from} > ${to}`).toSorted();
}

/** `from > to` of each row of the table of a section; a cell may name several states. */
function rowsOf(heading: string): readonly string[] {
  const rows = [...sectionOf(heading).matchAll(/^\| (`.*?) \| (`.*?) \| .+ \|$/gm)];
  return rows
    .flatMap(([, from, to]) => statesIn(from).flatMap((a) => statesIn(to).map((b) => `${a} > ${b}`)))
    .toSorted();
}

function statesIn(cell: string | undefined): readonly string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, state]) => state ?? '');
}

function namesOf(arrows: readonly string[]): readonly string[] {
  return [...new Set(arrows.flatMap((arrow) => arrow.split(' > ')))].filter((name) => name !== BORDER).toSorted();
}

function transitionsOf(table: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(table)
    .flatMap(([from, tos]) => tos.map((to) => `${from} > ${to}`))
    .toSorted();
}

function withoutBorder(arrows: readonly string[]): readonly string[] {
  return arrows.filter((arrow) => !arrow.includes(BORDER));
}

/** The values that the check of a column allows, in the order of the alphabet. */
function checkedValues(table: string, column: string): readonly string[] {
  const body = migration.split(`create table ${table} (`)[1]?.split(/^\)/m)[0] ?? '';
  const list = new RegExp(`check \\(${column} in \\(([^)]*)\\)`).exec(body)?.[1] ?? '';
  return [...list.matchAll(/'(\w+)'/g)].map(([, value]) => value ?? '').toSorted();
}

test.each([
  'Message status',
  'Delivery state',
  'Queue row',
  'Lane lease',
  'Number',
  'Conversation',
  'Agent',
  'Subscription',
  'Top-up',
  'Linked account',
  'Campaign',
  'Campaign recipient',
  'Import',
  'Webhook delivery',
  'Template',
])('%s: the table gives a cause for exactly the arrows of the diagram', (heading) => {
  const explained = rowsOf(heading);
  expect(new Set(explained).size).toBe(explained.length);
  // The first arrow of the first two diagrams is the creation of the message, which needs no cause.
  const started = explained.some((row) => row.startsWith(BORDER));
  const arrows = started ? arrowsOf(heading) : withoutBorder(arrowsOf(heading));
  expect(arrows.length).toBeGreaterThan(0);
  expect(explained).toEqual(arrows);
});

describe('the diagrams show what the code allows, no more and no less', () => {
  test('message status', () => {
    expect(withoutBorder(arrowsOf('Message status'))).toEqual(transitionsOf(messageStatusTransitions));
  });

  test('delivery state', () => {
    expect(withoutBorder(arrowsOf('Delivery state'))).toEqual(transitionsOf(deliveryTransitions));
  });

  test('a message begins queued and pending', () => {
    expect(arrowsOf('Message status')).toContain(`${BORDER} > queued`);
    expect(arrowsOf('Delivery state')).toContain(`${BORDER} > pending`);
  });

  test('the queue row has the states of its column, by name and number', () => {
    const [, least, most] = /check \(state between (\d) and (\d)\)/.exec(migration) ?? [];
    const named = [...sectionOf('Queue row').matchAll(/(\d) `(\w+)`/g)].map(([, number, name]) => ({ number, name }));
    expect(named.map(({ number }) => number)).toEqual(['0', '1', '2']);
    expect([least, most]).toEqual(['0', '2']);
    for (const { number, name } of named) expect(migration).toMatch(new RegExp(`--.*\\b${number} ${name}\\b`));
    expect(namesOf(arrowsOf('Queue row'))).toEqual(named.map(({ name }) => name).toSorted());
  });

  test('a number has the states of its column', () => {
    expect(namesOf(arrowsOf('Number'))).toEqual(checkedValues('phone_numbers', 'status'));
  });

  test('a campaign', () => {
    const moves = Object.values(CAMPAIGN_MOVES).flatMap(({ from, to }) => from.map((one) => `${one} > ${to}`));
    expect(withoutBorder(arrowsOf('Campaign'))).toEqual(moves.toSorted());
    expect(namesOf(arrowsOf('Campaign'))).toEqual([...CAMPAIGN_STATUSES].toSorted());
  });

  test('a recipient of a campaign', () => {
    expect(withoutBorder(arrowsOf('Campaign recipient'))).toEqual(transitionsOf(RECIPIENT_MOVES));
    expect(namesOf(arrowsOf('Campaign recipient'))).toEqual([...RECIPIENT_STATUSES].toSorted());
  });

  test('an import', () => {
    expect(withoutBorder(arrowsOf('Import'))).toEqual(transitionsOf(IMPORT_MOVES));
    expect(checkedValues('imports', 'status')).toEqual(namesOf(arrowsOf('Import')));
  });

  test('a bulk change', () => {
    expect(withoutBorder(arrowsOf('Bulk change'))).toEqual(transitionsOf(BULK_CHANGE_MOVES));
    expect(checkedValues('bulk_changes', 'status')).toEqual(namesOf(arrowsOf('Bulk change')));
  });

  test('a suggestion', () => {
    expect(withoutBorder(arrowsOf('Suggestion'))).toEqual(transitionsOf(SUGGESTION_MOVES));
    expect(checkedValues('conversation_suggestions', 'status')).toEqual(namesOf(arrowsOf('Suggestion')));
  });

  test('a delivery to a webhook endpoint', () => {
    expect(withoutBorder(arrowsOf('Webhook delivery'))).toEqual(transitionsOf(webhookTransitions));
    expect(checkedValues('webhook_deliveries', 'state')).toEqual(webhookStates.toSorted());
  });

  test('an agent, whose availability may be said anew at any time', () => {
    const all = availabilities.flatMap((from) => availabilities.map((to) => `${from} > ${to}`));
    const moves = all.filter((move) => new Set(move.split(' > ')).size === 2);
    expect(withoutBorder(arrowsOf('Agent'))).toEqual(moves.toSorted());
    expect(checkedValues('agents', 'availability')).toEqual(availabilities.toSorted());
  });

  test('a subscription', () => {
    expect(withoutBorder(arrowsOf('Subscription'))).toEqual(transitionsOf(subscriptionTransitions));
    expect(checkedValues('subscriptions', 'status')).toEqual(subscriptionStatuses.toSorted());
  });

  test('a top-up', () => {
    expect(withoutBorder(arrowsOf('Top-up'))).toEqual(transitionsOf(topUpTransitions));
    expect(checkedValues('wallet_topups', 'status')).toEqual(topUpStatuses.toSorted());
  });

  test('a linked account', () => {
    expect(withoutBorder(arrowsOf('Linked account'))).toEqual(transitionsOf(accountTransitions));
    expect(namesOf(arrowsOf('Linked account'))).toEqual(accountStatuses.toSorted());
  });

  test('a template', () => {
    expect(withoutBorder(arrowsOf('Template'))).toEqual(transitionsOf(templateTransitions));
    expect(checkedValues('templates', 'status')).toEqual(templateStatuses.toSorted());
  });

  test('a conversation', () => {
    expect(withoutBorder(arrowsOf('Conversation'))).toEqual(transitionsOf(conversationTransitions));
    expect(checkedValues('conversations', 'status')).toEqual(conversationStatuses.toSorted());
  });

  test('the status that is stored never says sending', () => {
    expect(checkedValues('outbound_messages', 'status')).toEqual(['failed', 'queued', 'sent']);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparePositions, positionOf } from './activity.ts';
import type { Intent } from './commands.ts';
import type { Conversation } from './model.ts';
import { ModelServer } from './testing/model-server.ts';
import { type ModelList, ModelTab } from './testing/model-tab.ts';
import { shownItem, shownOf } from './testing/shown.ts';
import { viewConversation, viewList, viewThread } from './view.ts';

const CUSTOMERS = 6;
const ME = 'agent-1';
const LISTS: readonly ModelList[] = [
  { name: 'open', sort: 'last_activity', holds: (one) => one.status === 'open' },
  { name: 'mine', sort: 'last_activity', holds: (one) => one.status === 'open' && one.assignee_id === ME },
  { name: 'waiting', sort: 'waiting_since', holds: (one) => one.status === 'open' && one.waiting_since !== null },
];

function expectSameAsServer(tab: ModelTab, server: ModelServer): void {
  for (const list of tab.lists) {
    const compare = comparePositions(list.sort);
    const horizon = tab.client.state.lists.get(list.name)?.horizon ?? null;
    const wanted = [...server.conversations.values()]
      .filter((one) => list.holds(one) && (horizon === null || compare(positionOf(one, list.sort), horizon) <= 0))
      .toSorted((left, right) => compare(positionOf(left, list.sort), positionOf(right, list.sort)));
    expect((viewList(tab.client, list) ?? []).map(shownOf)).toEqual(wanted.map(shownOf));
  }
  for (const id of tab.client.state.threads.keys()) {
    const view = viewThread(tab.client, id);
    const oldest = view?.items[0]?.id ?? '';
    const wanted = (server.threads.get(id) ?? []).filter((one) => !view?.hasOlder || one.id >= oldest);
    expect(view?.items.map(shownItem)).toEqual(wanted.map(shownItem));
    expect(view?.pending).toEqual([]);
    expect(shownOf(viewConversation(tab.client, id) as Conversation)).toEqual(
      shownOf(server.conversations.get(id) as Conversation),
    );
  }
}

const number = fc.nat({ max: 1_000 });
const STEPS = ['write', 'reply', 'campaign', 'report', 'note', 'change', 'rename', 'edit', 'delete'] as const;
const TAB_STEPS = [
  'deliver',
  'cut',
  'refresh',
  'serve',
  'finish',
  'lose',
  'open',
  'older',
  'page',
  'issue',
  'try',
  'drop',
] as const;
// A tab must live long enough to get into trouble: late ones are rare.
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ of: fc.constant('server' as const), kind: fc.constantFrom(...STEPS), a: number, b: number }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      of: fc.constant('tab' as const),
      kind: fc.constantFrom(...TAB_STEPS),
      a: number,
      b: number,
      tab: number,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ of: fc.constant('late' as const), kind: fc.constant('tab' as const), a: number, b: number }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type ServerStep = Extract<Step, { of: 'server' }>;
type TabStep = Extract<Step, { of: 'tab' }>;

const pick = <T>(values: readonly T[], place: number): T => values[place % values.length] as T;
const CHANGES = [
  { status: 'resolved', snoozed_until: null },
  { status: 'open', snoozed_until: null },
  { status: 'snoozed', snoozed_until: '2030-02-01T00:00:00.000Z' },
  { assignee_id: ME },
  { assignee_id: null },
  { assignee_id: 'agent-2' },
  { priority: 'high' },
] as const;
const REPORTS = ['sent', 'delivered', 'read', 'failed'] as const;

function serverStep(server: ModelServer, { kind, a, b }: ServerStep): void {
  const id = server.ids[a % Math.max(1, server.ids.length)];
  if (kind === 'write') server.customerWrites(a % CUSTOMERS, 1 + (b % 2));
  else if (kind === 'rename') server.rename(a % CUSTOMERS, `Name ${b}`);
  else if (id === undefined) return;
  else if (kind === 'reply') server.reply(id, `reply ${b}`, { isAgent: true, reference: null });
  else if (kind === 'campaign') server.reply(id, `offer ${b}`, { isAgent: false, reference: null });
  else if (kind === 'report') server.report(id, b, pick(REPORTS, b));
  else if (kind === 'edit' || kind === 'delete') server.customerChanges(id, b, kind === 'delete');
  else if (kind === 'note') server.note(id, `note ${b}`);
  else server.change(id, pick(CHANGES, b));
}

function intentOf(tab: ModelTab, id: string, b: number): Intent {
  const newest = tab.client.state.conversations.get(id)?.value?.last_message?.id ?? null;
  const reply = { kind: 'reply', content: { type: 'text', body: `mine ${b}` }, force: false } as const;
  const intents: readonly Intent[] = [
    { ...reply, after: null },
    { ...reply, after: newest },
    { kind: 'note', body: `my note ${b}` },
    { kind: 'assign', assigneeId: ME },
    { kind: 'resolve' },
    { kind: 'reopen' },
    { kind: 'read' },
    { kind: 'snooze', until: null },
    { kind: 'prioritize', priority: 'urgent' },
  ];
  return pick(intents, b);
}

function tabStep(tab: ModelTab, server: ModelServer, { kind, a, b }: TabStep): void {
  const id = server.ids[a % Math.max(1, server.ids.length)];
  if (kind === 'deliver') tab.deliver(1 + (a % 4));
  else if (kind === 'cut') tab.cut(b % 6);
  else if (kind === 'refresh') tab.refresh();
  else if (kind === 'serve') tab.serve(a);
  else if (kind === 'finish' || kind === 'lose') tab.finish(a, kind === 'lose');
  else if (kind === 'try') tab.try();
  else if (kind === 'drop') tab.dropRefused();
  else if (kind === 'page') tab.readPage(pick(tab.lists, a));
  else if (id === undefined) return;
  else if (kind === 'open') tab.open(id);
  else if (kind === 'older') tab.readOlder(id);
  else tab.issue(id, intentOf(tab, id, b));
}

describe('the live store', () => {
  test('shows what the server holds, whatever was cut, doubled, overtaken or lost, and however late a tab came', () => {
    let cuts = 0;
    const property = fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
      const server = new ModelServer();
      const tabs = [new ModelTab('first', server, LISTS)];
      for (const [place, one] of steps.entries()) {
        if (one.of === 'server') serverStep(server, one);
        else if (one.of === 'late') tabs.push(new ModelTab(`late${place}`, server, LISTS));
        else {
          if (one.kind === 'cut' || one.kind === 'lose') cuts += 1;
          tabStep(pick(tabs, one.tab), server, one);
        }
        if (tabs.length > 3) tabs.shift();
      }
      // What one tab still has to say is an event for the others.
      while (tabs.some((tab) => !tab.isIdle)) for (const tab of tabs) tab.settle();
      for (const tab of tabs) expectSameAsServer(tab, server);
    });
    fc.assert(property, { numRuns: 1_000 });
    expect(cuts).toBeGreaterThan(1_000);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InboundItem } from '#core/callback';
import type { AgentId, PhoneNumberId, RuleId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { BUDGET_REPLIES } from '#core/rules/decide';
import type { RuleAction, RuleDraft } from '#core/rules/rule';
import { addPhoneNumber, createTenant } from '#operations/manage-tenants';
import { makeMediaBook } from '#operations/media-book';
import { makeNumberBook } from '#operations/number-book';
import { makeRuleBook } from '#operations/rule-book';
import { insertAgent } from '#storage/agents';
import { readEvents } from '#storage/events';
import { listOutbound } from '#storage/message-reads';
import { listDecisions } from '#storage/rule-decisions';
import { draftOf, dying } from '#testing/rule-kit';
import { openTestDatabase, type TestDatabase } from '#testing/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { freshPhone } from '#testing/test-tenant';
import { makeRuleRunner, type RuleRunner, type RunnerParts } from '../ingester/rule-runner.ts';
import { type MessageAcceptor, makeAcceptor } from './accept-message.ts';
import { backtestRule } from './backtest-rule.ts';
import { makeBillingGate } from './billing-gate.ts';
import { REPLY_LEASE_MS } from './do-rule-actions.ts';
import type { DryRunParts } from './dry-run.ts';
import { hoursOfNumberAt } from './hours-at.ts';
import { JUDGE_LEASE_MS } from './judge-message.ts';
import { createRule } from './manage-rules.ts';
import { storeInbound } from './store-inbound.ts';
import { makeSuppressionBook } from './suppression-book.ts';
import { makeTemplateBook } from './template-book.ts';
import { removeOldRows } from './tidy-database.ts';
import { withEvents } from './with-events.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const WINDOW = { limit: 50, offset: 0, beforeId: null };

let made: TestDatabase;
let acceptor: MessageAcceptor;
let checks: DryRunParts;
let parts: RunnerParts;
let runner: RuleRunner;

beforeAll(async () => {
  made = await openTestDatabase(rt);
  const { db } = made;
  checks = {
    rt,
    db,
    numbers: makeNumberBook(rt, db),
    media: makeMediaBook(rt, db),
    gate: makeBillingGate(rt, db),
    templates: makeTemplateBook(rt, db),
    suppressions: makeSuppressionBook(rt, db),
  };
  acceptor = makeAcceptor({ ...checks, ring: () => undefined });
  parts = { rt, db, acceptor, book: makeRuleBook(), hoursAt: hoursOfNumberAt };
  runner = makeRuleRunner(parts);
});
afterAll(async () => {
  await acceptor.close();
  await made.drop();
});

interface World {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
}

async function makeWorld(): Promise<World> {
  const tenantId = await createTenant(rt, made.db, { name: 'Rules', onUnknown: 'fail', windowPolicy: 'network' });
  const phoneNumberId = freshPhone() as PhoneNumberId;
  const number = { tenantId, phoneNumberId, displayPhone: freshPhone(), name: null, ratePerSecond: null };
  await addPhoneNumber(rt, made.db, number);
  return { tenantId, phoneNumberId };
}

async function makeAgent({ tenantId }: World): Promise<AgentId> {
  const agentId = rt.newId<AgentId>();
  const nobody = { email: null, presenceUntilMs: null, externalId: null, skills: [], teamIds: [] };
  const fresh = {
    role: 'agent',
    availability: 'online',
    maxOpen: 5,
    openCount: 0,
    version: 1,
    createdMs: 0,
    updatedMs: 0,
  } as const;
  await insertAgent(made.db, { tenantId, agentId, name: 'Ada', ...nobody, ...fresh });
  return agentId;
}

async function rule(world: World, actions: readonly RuleAction[], fields: Partial<RuleDraft> = {}): Promise<RuleId> {
  const draft = draftOf(actions, fields);
  const keep = () => ({ statusCode: 201, body: {} });
  const once = await createRule(
    { rt, db: made.db, checks },
    { tenantId: world.tenantId, draft, position: null, claim: null, keep },
  );
  if (once.replayed) throw new Error('There was no key.');
  return once.result.rule.ruleId;
}

const reply = (body: string): RuleAction => ({ action: 'reply', type: 'text', body });

let received = 0;

async function receive(world: World, from: string, text: string, fields: Partial<InboundItem> = {}): Promise<void> {
  received += 1;
  clock.advance(1);
  const item = {
    kind: 'inbound',
    phoneNumberId: world.phoneNumberId,
    networkMessageId: `wamid.rules.${received}`,
    from,
    userId: null,
    username: null,
    profileName: 'Ada',
    at: clock.now(),
    type: 'text',
    body: text,
    content: { body: text },
    replyToNetworkId: null,
    ...fields,
  } as InboundItem;
  const inbound = [{ tenantId: world.tenantId, item }];
  await withEvents(rt, made.db, (tx, events) => storeInbound(rt, tx, { inbound, events, nowMs: clock.now() }));
}

async function sentTo(world: World, to: string): Promise<readonly string[]> {
  const { items } = await listOutbound(made.db, world.tenantId, { to }, WINDOW);
  return items.map(({ content }) => ('body' in content ? content.body : content.type)).reverse();
}

async function decisions(world: World) {
  return (await listDecisions(made.db, world.tenantId, {}, WINDOW)).items.toReversed();
}

async function conversations(world: World): Promise<readonly JsonObject[]> {
  const text = 'select status, tags, priority, handled_by, assignee_id from conversations where tenant_id = $1';
  return (await made.db.run<JsonObject>({ name: 'test_rule_conversations', text }, [world.tenantId])).rows;
}

async function events(world: World, family: string): Promise<readonly string[]> {
  const found = await readEvents(made.db, { tenantId: world.tenantId, after: 0, types: null, limit: 500 });
  return found.map(({ type }) => type).filter((type) => type.startsWith(family));
}

describe('a message of a customer', () => {
  test('is judged once, and everything that its rules say happens once', async () => {
    const world = await makeWorld();
    const agentId = await makeAgent(world);
    const ruleId = await rule(
      world,
      [
        reply('Welcome!'),
        {
          action: 'reply',
          type: 'interactive',
          interactive: { type: 'button', body: { text: 'Yes?' }, action: { buttons: [] } },
        },
        { action: 'tag', add: ['new'] },
        { action: 'assign', agent_id: agentId },
        { action: 'state', status: 'pending', priority: 'high' },
        { action: 'note', body: 'Says hello.' },
      ],
      { when: { field: 'text', match: 'word', value: 'HELLO' } },
    );
    const from = freshPhone();
    await receive(world, from, 'Héllo there');
    expect(await runner.judgeOnce()).toBe(1);
    expect(await runner.judgeOnce()).toBe(0);
    expect(await sentTo(world, from)).toEqual(['Welcome!', 'interactive']);
    const [conversation] = await conversations(world);
    expect(conversation).toEqual({
      status: 'pending',
      tags: ['new'],
      priority: 'high',
      handled_by: 'bot',
      assignee_id: agentId,
    });
    const [decision] = await decisions(world);
    expect(decision?.record).toMatchObject({ matchedRules: [ruleId], opened: true, ignored: null });
    expect(decision?.record.actions.map(({ outcome }) => outcome)).toEqual([
      'queued',
      'queued',
      'done',
      'done',
      'done',
      'done',
    ]);
    expect(decision?.replies.map(({ state }) => state)).toEqual(['sent', 'sent']);
  });

  test('is not queued where no rule is on', async () => {
    const world = await makeWorld();
    await rule(world, [reply('no')], { enabled: false });
    await receive(world, freshPhone(), 'hi');
    expect(await runner.judgeOnce()).toBe(0);
  });

  test('of the network itself, or of a number of the tenant, is judged by no rule', async () => {
    const world = await makeWorld();
    await rule(world, [reply('no')]);
    const from = freshPhone();
    await receive(world, from, 'changed number', { type: 'system' });
    await runner.judgeOnce();
    expect(await sentTo(world, from)).toEqual([]);
    expect((await decisions(world))[0]?.record.ignored).toContain('not written by a customer');
  });

  test('beyond the budget of its contact is not answered, and that is told once', async () => {
    const world = await makeWorld();
    await rule(world, [reply('again')]);
    const from = freshPhone();
    for (let index = 0; index < BUDGET_REPLIES + 2; index += 1) {
      await receive(world, from, `hi ${index}`);
      await runner.judgeOnce();
    }
    expect(await sentTo(world, from)).toHaveLength(BUDGET_REPLIES);
    expect(await events(world, 'rule.paused')).toEqual(['rule.paused']);
    expect((await decisions(world)).at(-1)?.record.actions[0]).toMatchObject({ outcome: 'withheld', why: 'paused' });
  });

  test('matches a rule with max_runs so often and no more, also when many are judged at once', async () => {
    const world = await makeWorld();
    await rule(world, [reply('first come')], { maxRuns: 3 });
    const phones = Array.from({ length: 8 }, freshPhone);
    for (const phone of phones) await receive(world, phone, 'me');
    await Promise.all([runner.judgeOnce(), runner.judgeOnce()]);
    const answers = await Promise.all(phones.map((phone) => sentTo(world, phone)));
    expect(answers.flat()).toHaveLength(3);
  });

  test('is handed over for good: the machine keeps silent afterwards', async () => {
    const world = await makeWorld();
    await rule(world, [reply('An agent comes.'), { action: 'handoff' }]);
    const from = freshPhone();
    await receive(world, from, 'help');
    await runner.judgeOnce();
    await receive(world, from, 'hello?');
    await runner.judgeOnce();
    expect(await sentTo(world, from)).toEqual(['An agent comes.']);
    expect((await conversations(world))[0]).toMatchObject({ status: 'open', handled_by: 'agent' });
  });
});

test('a process that is killed at any step answers once all the same', { timeout: 120_000 }, async () => {
  const world = await makeWorld();
  await rule(world, [reply('one'), { action: 'tag', add: ['seen'] }, reply('two')], { cooldownS: 3_600 });
  let at = 0;
  let died = true;
  while (died) {
    at += 1;
    const from = freshPhone();
    await receive(world, from, `hello ${at}`);
    const victim = dying(parts, at);
    const other = makeRuleRunner(victim.parts);
    await other.judgeOnce().catch(() => undefined);
    died = victim.died();
    clock.advance(Math.max(JUDGE_LEASE_MS, REPLY_LEASE_MS) + 1);
    await runner.judgeOnce();
    await runner.sendOnce();
    await runner.sendOnce();
    expect([at, await sentTo(world, from)]).toEqual([at, ['one', 'two']]);
  }
  // Claim, take, set, history, message, decision, changes, replies, accepts, settles: each of them before and after.
  expect(at).toBeGreaterThan(30);
  expect((await decisions(world)).every(({ record }) => record.matchedRules.length === 1)).toBe(true);
});

describe('a silence', () => {
  const minute = 60_000;

  test('of the agent comes true once, and counts from the first message that waits', async () => {
    const world = await makeWorld();
    await rule(world, [reply('Sorry for the wait.')], { trigger: { on: 'no_reply', for_s: 300, who: 'agent' } });
    const from = freshPhone();
    await receive(world, from, 'anybody?');
    await runner.judgeOnce();
    clock.advance(4 * minute);
    await receive(world, from, 'hello??');
    await runner.judgeOnce();
    expect(await runner.fireOnce()).toBe(0);
    clock.advance(minute);
    expect(await runner.fireOnce()).toBe(1);
    clock.advance(60 * minute);
    expect(await runner.fireOnce()).toBe(0);
    expect(await sentTo(world, from)).toEqual(['Sorry for the wait.']);
    const silent = (await decisions(world)).filter(({ record }) => record.silenceOf !== null);
    expect(silent).toHaveLength(1);
  });

  test('of the agent ends with an answer, and begins again with the next message', async () => {
    const world = await makeWorld();
    await rule(world, [reply('Sorry for the wait.')], { trigger: { on: 'no_reply', for_s: 300, who: 'agent' } });
    const from = freshPhone();
    await receive(world, from, 'anybody?');
    await runner.judgeOnce();
    clock.advance(minute);
    await answer(world, from);
    clock.advance(3 * minute);
    await receive(world, from, 'thanks, and one more thing');
    await runner.judgeOnce();
    clock.advance(minute + 1);
    expect(await runner.fireOnce()).toBe(1);
    expect(await sentTo(world, from)).toEqual(['an answer']);
    clock.advance(4 * minute);
    await runner.fireOnce();
    expect(await sentTo(world, from)).toEqual(['an answer', 'Sorry for the wait.']);
  });

  test('of the customer counts from our latest message, and ends when the customer writes', async () => {
    const world = await makeWorld();
    await rule(world, [reply('Are you still there?')], { trigger: { on: 'no_reply', for_s: 300, who: 'customer' } });
    const [silent, writing] = [freshPhone(), freshPhone()];
    for (const from of [silent, writing]) await receive(world, from, 'hi');
    await runner.judgeOnce();
    clock.advance(2 * minute);
    for (const from of [silent, writing]) await answer(world, from);
    clock.advance(3 * minute);
    await runner.fireOnce();
    await receive(world, writing, 'yes');
    await runner.judgeOnce();
    expect(await sentTo(world, silent)).toEqual(['an answer']);
    clock.advance(2 * minute + 5);
    await runner.fireOnce();
    expect(await sentTo(world, silent)).toEqual(['an answer', 'Are you still there?']);
    expect(await sentTo(world, writing)).toEqual(['an answer']);
  });

  async function answer(world: World, to: string): Promise<void> {
    const empty = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, priority: null };
    const times = { sendAtMs: null, expiresMs: null, ttlS: null };
    const content = { type: 'text', body: 'an answer', previewUrl: false } as const;
    const request = { to, content, phoneNumberId: world.phoneNumberId, ...empty, ...times };
    await acceptor.accept(world.tenantId, request, null);
  }
});

describe('a backtest', () => {
  const keyword = { field: 'text', match: 'word', value: 'price' };

  test('of an unchanged rule says what was decided live, with cooldowns and rules that stop', async () => {
    const world = await makeWorld();
    await rule(world, [{ action: 'stop' }], { when: { field: 'text', match: 'starts', value: 'stop' } });
    const limits = { when: keyword, cooldownS: 600 };
    const ruleId = await rule(world, [reply('Ten euros.')], limits);
    const [first, second] = [freshPhone(), freshPhone()];
    const texts = ['price?', 'the price', 'stop the price', 'hello', 'PRICE'];
    for (const text of texts) {
      for (const from of [first, second]) await receive(world, from, text);
      await runner.judgeOnce();
      clock.advance(250_000);
    }
    const live = (await decisions(world)).filter(({ record }) => record.matchedRules.includes(ruleId)).length;
    const asked = { tenantId: world.tenantId, replaces: ruleId, days: 1 };
    const unchanged = await backtestRule(rt, made.db, { ...asked, draft: draftOf([reply('Ten euros.')], limits) });
    expect(unchanged).toMatchObject({ messages: 10, exact: 10, matched: live, gained: 0, lost: 0, complete: true });
    expect(live).toBe(4);
    const wider = await backtestRule(rt, made.db, {
      ...asked,
      draft: draftOf([reply('Ten euros.')], { when: null }),
    });
    // Every message but the one at which the first rule stops.
    expect(wider).toMatchObject({ matched: 8, gained: 4, lost: 0 });
    expect(await sentTo(world, first)).toHaveLength(live / 2);
  });
});

test('actions name agents, teams and media of the tenant alone', async () => {
  const [world, other] = [await makeWorld(), await makeWorld()];
  const foreign = await makeAgent(other);
  await expect(rule(world, [{ action: 'assign', agent_id: foreign }])).rejects.toMatchObject({
    code: 'validation_failed',
  });
  const media = { media_id: rt.newId<string>() };
  await expect(rule(world, [{ action: 'reply', type: 'image', media }])).rejects.toMatchObject({
    code: 'unknown_media',
    details: [{ path: 'body.then[0].media.media_id' }],
  });
});

test('decisions are kept for 90 days, with their replies', async () => {
  const world = await makeWorld();
  await rule(world, [reply('hi')]);
  await receive(world, freshPhone(), 'hello');
  await runner.judgeOnce();
  const day = 24 * 60 * 60 * 1000;
  clock.advance(90 * day - 1);
  await removeOldRows(rt, made.db);
  expect((await decisions(world))[0]?.replies).toHaveLength(1);
  clock.advance(2);
  expect((await removeOldRows(rt, made.db)).ruleDecisions).toBeGreaterThan(0);
  expect(await decisions(world)).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { createHours, type HoursFields } from '#agents/actions/manage-business-hours';
import { defineAttribute } from '#contacts/actions/define-attribute';
import type { HoursId } from '#core/ids';
import { removeOldRows } from '#maintenance/actions/clean-up-database';
import { BUDGET_REPLIES } from '#rules/domain/decide';
import type { RuleAction } from '#rules/domain/rule';
import { makeRuleRunner } from '#rules/workers/rule-runner';
import { draftOf, dying } from '#testing/rule-kit';
import { RuleStage, type World } from '#testing/rule-world';
import { freshPhone } from '#testing/test-tenant';
import { backtestRule } from './backtest-rule.ts';
import { EVALUATION_LEASE_MS } from './evaluate-message.ts';
import { REPLY_LEASE_MS } from './execute-rule-actions.ts';

let stage: RuleStage;
beforeAll(async () => {
  stage = await RuleStage.open();
});
afterAll(() => stage.close());

const reply = (body: string): RuleAction => ({ action: 'reply', type: 'text', body });

describe('a message of a customer', () => {
  test('is evaluated once, and everything that its rules say happens once', async () => {
    const world = await stage.makeWorld();
    const agentId = await stage.makeAgent(world);
    const ruleId = await stage.rule(
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
    await stage.receive(world, from, 'Héllo there');
    expect(await stage.runner.evaluateOnce()).toBe(1);
    expect(await stage.runner.evaluateOnce()).toBe(0);
    expect(await stage.sentTo(world, from)).toEqual(['Welcome!', 'interactive']);
    const [conversation] = await stage.conversations(world);
    expect(conversation).toEqual({
      status: 'pending',
      tags: ['new'],
      priority: 'high',
      handled_by: 'bot',
      assignee_id: agentId,
    });
    const [decision] = await stage.decisions(world);
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

  test('is answered with a template, a file and a location, in the order of the actions', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [
      { action: 'reply', type: 'template', template: { name: 'order_ready', language: 'en' } },
      { action: 'reply', type: 'image', media: { link: 'https://shop.example/map.jpg', caption: 'Here' } },
      { action: 'reply', type: 'location', location: { latitude: 1.5, longitude: 2 } },
    ] as RuleAction[]);
    const from = freshPhone();
    await stage.receive(world, from, 'Where are you?');
    await stage.runner.evaluateOnce();
    expect(await stage.sentTo(world, from)).toEqual(['template', 'image', 'location']);
    const [decision] = await stage.decisions(world);
    expect(decision?.replies.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  });

  test('is not queued where no rule is on', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('no')], { enabled: false });
    await stage.receive(world, freshPhone(), 'hi');
    expect(await stage.runner.evaluateOnce()).toBe(0);
  });

  test('of the network itself, or of a number of the tenant, is evaluated by no rule', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('no')]);
    const from = freshPhone();
    await stage.receive(world, from, 'changed number', { type: 'system' });
    await stage.runner.evaluateOnce();
    expect(await stage.sentTo(world, from)).toEqual([]);
    expect((await stage.decisions(world))[0]?.record.ignored).toContain('Customers do not write messages');
  });

  test('beyond the budget of its contact is not answered, with one event', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('again')]);
    const from = freshPhone();
    for (let index = 0; index < BUDGET_REPLIES + 2; index += 1) {
      await stage.receive(world, from, `hi ${index}`);
      await stage.runner.evaluateOnce();
    }
    expect(await stage.sentTo(world, from)).toHaveLength(BUDGET_REPLIES);
    expect(await stage.events(world, 'rule.paused')).toHaveLength(1);
    expect((await stage.decisions(world)).at(-1)?.record.actions[0]).toMatchObject({
      outcome: 'withheld',
      why: 'paused',
    });
  });

  test('matches a rule with max_runs so often and no more, also when many are evaluated concurrently', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('first come')], { maxRuns: 3 });
    const phones = Array.from({ length: 8 }, freshPhone);
    for (const phone of phones) await stage.receive(world, phone, 'me');
    await Promise.all([stage.runner.evaluateOnce(), stage.runner.evaluateOnce()]);
    const answers = await Promise.all(phones.map((phone) => stage.sentTo(world, phone)));
    expect(answers.flat()).toHaveLength(3);
  });

  test('is handed over for good: the machine keeps silent afterwards', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('An agent comes.'), { action: 'handoff' }]);
    const from = freshPhone();
    await stage.receive(world, from, 'help');
    await stage.runner.evaluateOnce();
    await stage.receive(world, from, 'hello?');
    await stage.runner.evaluateOnce();
    expect(await stage.sentTo(world, from)).toEqual(['An agent comes.']);
    expect((await stage.conversations(world))[0]).toMatchObject({ status: 'open', handled_by: 'agent' });
  });
});

test('a process that is killed at any step answers once all the same', async () => {
  const world = await stage.makeWorld();
  await defineAttribute(
    stage.rt,
    stage.made.db,
    { tenantId: world.tenantId, origin: OPERATOR },
    { key: 'stage', type: 'text', label: 'Stage' },
  );
  const endpoint_id = await stage.makeEndpoint(world);
  const changes: readonly RuleAction[] = [
    { action: 'tag', add: ['seen'] },
    { action: 'webhook', endpoint_id, data: { flow: 'killed' } },
    { action: 'opt_out' },
    { action: 'set_attribute', key: 'stage', value: 'met' },
    { action: 'snooze', for_s: 600 },
  ];
  await stage.rule(world, [reply('one'), ...changes, reply('two')], { cooldownS: 3_600 });
  let at = 0;
  let died = true;
  while (died) {
    at += 1;
    const from = freshPhone();
    await stage.receive(world, from, `hello ${at}`);
    const victim = dying(stage.parts, at);
    const other = makeRuleRunner(victim.parts);
    await other.evaluateOnce().catch(() => undefined);
    died = victim.died();
    stage.clock.advance(Math.max(EVALUATION_LEASE_MS, REPLY_LEASE_MS) + 1);
    await stage.runner.evaluateOnce();
    await stage.runner.sendOnce();
    await stage.runner.sendOnce();
    expect([at, await stage.sentTo(world, from)]).toEqual([at, ['one', 'two']]);
  }
  // Claim, take, set, history, message, decision, changes, replies, accepts, settles: each of them before and after.
  expect(at).toBeGreaterThan(30);
  for (const once of ['rule.fired', 'contact.opted_out', 'contact.updated', 'conversation.snoozed']) {
    expect([once, (await stage.events(world, once)).length]).toEqual([once, at]);
  }
  expect((await stage.decisions(world)).every(({ record }) => record.matchedRules.length === 1)).toBe(true);
});

describe('a trigger', () => {
  test('of closed hours uses those of the tenant, and of the number where that has its own', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('We are closed.')], { trigger: { on: 'outside_hours' } });
    const from = freshPhone();
    const writes = async () => {
      await stage.receive(world, from, 'hi');
      await stage.runner.evaluateOnce();
      return stage.sentTo(world, from);
    };
    const week = 7 * 24 * 60 * minute;
    stage.clock.advance(week - ((stage.clock.now() - THURSDAY_MS) % week));
    // Without hours it is always open.
    expect(await writes()).toEqual([]);
    await addHours(world, { weekly: { ...NEVER, thu: [['09:00', '17:00']] }, isDefault: true });
    expect(await writes()).toEqual(['We are closed.']);
    stage.clock.advance(10 * 60 * minute);
    expect(await writes()).toEqual(['We are closed.']);
    const never = await addHours(world, { weekly: NEVER, isDefault: false });
    const attach = 'update phone_numbers set hours_id = $2 where tenant_id = $1';
    await stage.made.db.run({ name: 'test_attach_hours', text: attach }, [world.tenantId, never]);
    expect(await writes()).toEqual(['We are closed.', 'We are closed.']);
  });

  test('of a button, of a new conversation and of any message each come true once, with the message that they wait for', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('pressed')], {
      trigger: { on: 'button.clicked' },
      when: { field: 'button_payload', match: 'is', value: 'track' },
    });
    await stage.rule(world, [reply('opened')], { trigger: { on: 'conversation.opened' } });
    await stage.rule(world, [reply('any')]);
    const from = freshPhone();
    const button = { button_reply: { id: 'track', title: 'Where is it?' } };
    const pressed = { type: 'interactive', content: { ...button, type: 'button_reply' } };
    await stage.receive(world, from, 'hi');
    await stage.receive(world, from, 'Where is it?', pressed as never);
    await stage.receive(world, from, 'Where is it?', { type: 'button', content: { payload: 'track' } } as never);
    while ((await stage.runner.evaluateOnce()) > 0);
    expect(await stage.sentTo(world, from)).toEqual(['opened', 'any', 'pressed', 'any', 'pressed', 'any']);
  });
});

const minute = 60_000;
/** The beginning of one. */
const THURSDAY_MS = Date.UTC(2026, 0, 1);
const NEVER = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

async function addHours({ tenantId }: World, wish: Pick<HoursFields, 'weekly' | 'isDefault'>): Promise<HoursId> {
  const fields = { name: `Hours ${wish.isDefault}`, timezone: 'UTC', holidays: [], ...wish };
  return (await createHours(stage.rt, stage.made.db, { tenantId, origin: OPERATOR, fields })).hoursId;
}

describe('a silence', () => {
  test('of the agent comes true once, and counts from the first message that waits', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('Sorry for the wait.')], { trigger: { on: 'no_reply', for_s: 300, who: 'agent' } });
    const from = freshPhone();
    await stage.receive(world, from, 'anybody?');
    await stage.runner.evaluateOnce();
    stage.clock.advance(4 * minute);
    await stage.receive(world, from, 'hello??');
    await stage.runner.evaluateOnce();
    expect(await stage.runner.fireOnce()).toBe(0);
    stage.clock.advance(minute);
    expect(await stage.runner.fireOnce()).toBe(1);
    stage.clock.advance(60 * minute);
    expect(await stage.runner.fireOnce()).toBe(0);
    expect(await stage.sentTo(world, from)).toEqual(['Sorry for the wait.']);
    const silent = (await stage.decisions(world)).filter(({ record }) => record.silenceOf !== null);
    expect(silent).toHaveLength(1);
  });

  test('of the agent ends with an answer, and begins again with the next message', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('Sorry for the wait.')], { trigger: { on: 'no_reply', for_s: 300, who: 'agent' } });
    const from = freshPhone();
    await stage.receive(world, from, 'anybody?');
    await stage.runner.evaluateOnce();
    stage.clock.advance(minute);
    await answer(world, from);
    stage.clock.advance(3 * minute);
    await stage.receive(world, from, 'thanks, and one more thing');
    await stage.runner.evaluateOnce();
    stage.clock.advance(minute + 1);
    expect(await stage.runner.fireOnce()).toBe(1);
    expect(await stage.sentTo(world, from)).toEqual(['an answer']);
    stage.clock.advance(4 * minute);
    await stage.runner.fireOnce();
    expect(await stage.sentTo(world, from)).toEqual(['an answer', 'Sorry for the wait.']);
  });

  test('of the customer counts from our latest message, and ends when the customer writes', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [reply('Are you still there?')], {
      trigger: { on: 'no_reply', for_s: 300, who: 'customer' },
    });
    const [silent, writing] = [freshPhone(), freshPhone()];
    for (const from of [silent, writing]) await stage.receive(world, from, 'hi');
    await stage.runner.evaluateOnce();
    stage.clock.advance(2 * minute);
    for (const from of [silent, writing]) await answer(world, from);
    stage.clock.advance(3 * minute);
    await stage.runner.fireOnce();
    await stage.receive(world, writing, 'yes');
    await stage.runner.evaluateOnce();
    expect(await stage.sentTo(world, silent)).toEqual(['an answer']);
    stage.clock.advance(2 * minute + 5);
    await stage.runner.fireOnce();
    expect(await stage.sentTo(world, silent)).toEqual(['an answer', 'Are you still there?']);
    expect(await stage.sentTo(world, writing)).toEqual(['an answer']);
  });

  async function answer(world: World, to: string): Promise<void> {
    const empty = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, priority: null };
    const times = { sendAtMs: null, expiresMs: null, ttlS: null };
    const content = { type: 'text', body: 'an answer', previewUrl: false } as const;
    const request = { to, content, phoneNumberId: world.phoneNumberId, ...empty, ...times };
    await stage.acceptor.accept(world.tenantId, request, null);
  }
});

describe('a backtest', () => {
  const keyword = { field: 'text', match: 'word', value: 'price' };

  test('of an unchanged rule says what was decided live, with cooldowns and rules that stop', async () => {
    const world = await stage.makeWorld();
    await stage.rule(world, [{ action: 'stop' }], { when: { field: 'text', match: 'starts', value: 'stop' } });
    const limits = { when: keyword, cooldownS: 600 };
    const ruleId = await stage.rule(world, [reply('Ten euros.')], limits);
    const [first, second] = [freshPhone(), freshPhone()];
    const texts = ['price?', 'the price', 'stop the price', 'hello', 'PRICE'];
    for (const text of texts) {
      for (const from of [first, second]) await stage.receive(world, from, text);
      await stage.runner.evaluateOnce();
      stage.clock.advance(250_000);
    }
    const live = (await stage.decisions(world)).filter(({ record }) => record.matchedRules.includes(ruleId)).length;
    const asked = { tenantId: world.tenantId, replaces: ruleId, days: 1 };
    const unchanged = await backtestRule(stage.rt, stage.made.db, {
      ...asked,
      draft: draftOf([reply('Ten euros.')], limits),
    });
    expect(unchanged).toMatchObject({ messages: 10, exact: 10, matched: live, gained: 0, lost: 0, complete: true });
    expect(live).toBe(4);
    const wider = await backtestRule(stage.rt, stage.made.db, {
      ...asked,
      draft: draftOf([reply('Ten euros.')], { when: null }),
    });
    // Every message but the one at which the first rule stops.
    expect(wider).toMatchObject({ matched: 8, gained: 4, lost: 0 });
    expect(await stage.sentTo(world, first)).toHaveLength(live / 2);
  });
});

test('actions name agents, teams and media of the tenant alone', async () => {
  const [world, other] = [await stage.makeWorld(), await stage.makeWorld()];
  const foreign = await stage.makeAgent(other);
  await expect(stage.rule(world, [{ action: 'assign', agent_id: foreign }])).rejects.toMatchObject({
    code: 'validation_failed',
  });
  const media = { media_id: stage.rt.newId<string>() };
  await expect(stage.rule(world, [{ action: 'reply', type: 'image', media }])).rejects.toMatchObject({
    code: 'unknown_media',
    details: [{ path: 'body.then[0].media.media_id' }],
  });
});

test('decisions are kept for 90 days, with their replies', async () => {
  const world = await stage.makeWorld();
  await stage.rule(world, [reply('hi')]);
  await stage.receive(world, freshPhone(), 'hello');
  await stage.runner.evaluateOnce();
  const day = 24 * 60 * 60 * 1000;
  stage.clock.advance(90 * day - 1);
  await removeOldRows(stage.rt, stage.made.db);
  expect((await stage.decisions(world))[0]?.replies).toHaveLength(1);
  stage.clock.advance(2);
  expect((await removeOldRows(stage.rt, stage.made.db)).ruleDecisions).toBeGreaterThan(0);
  expect(await stage.decisions(world)).toEqual([]);
});

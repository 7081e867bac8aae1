import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { defineAttribute } from '#contacts/actions/define-attribute';
import { BUDGET_REPLIES } from '#rules/domain/decide';
import type { RuleAction, RuleDraft } from '#rules/domain/rule';
import { draftOf } from '#testing/rule-kit';
import { RuleStage, type World } from '#testing/rule-world';
import { freshPhone } from '#testing/test-tenant';
import { backtestRule } from './backtest-rule.ts';

let stage: RuleStage;
beforeAll(async () => {
  stage = await RuleStage.open();
});
afterAll(() => stage.close());

const WORDS = ['price', 'open', 'hello', 'agent', 'stop', 'thanks'];
const SEEDS = [1, 2, 3];
const RULES = 6;
const MESSAGES = 40;

/** The mulberry32 generator. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * A rule that uses everything that a decision depends on: words, the contact, its earlier tags, cooldowns, counts,
 * stops.
 */
function randomRule(pick: (below: number) => number): [readonly RuleAction[], Partial<RuleDraft>] {
  const word = () => ({ field: 'text', match: 'word', value: WORDS[pick(WORDS.length)] ?? '' });
  const conditions = [
    null,
    word(),
    { any: [word(), word()] },
    { not: word() },
    { all: [word(), { field: 'first_message', value: pick(2) === 0 }] },
    { any: [{ field: 'contact.attributes.tier', value: 'gold' }, word()] },
    { any: [{ field: 'conversation.tags', match: 'has', value: 'seen' }, word()] },
    { field: 'contact.consent.marketing', match: 'is_not', value: 'denied' },
  ] as const;
  const actions: readonly RuleAction[] = [
    { action: 'reply', type: 'text', body: 'An answer.' },
    { action: 'tag', add: ['seen'] },
    { action: 'set_attribute', key: 'tier', value: 'gold' },
    { action: 'opt_out' },
    { action: 'note', body: 'A note.' },
  ];
  const fields = {
    when: conditions[pick(conditions.length)] as RuleDraft['when'],
    stop: pick(5) === 0,
    cooldownS: pick(3) === 0 ? 1 + pick(600) : null,
    maxRuns: pick(4) === 0 ? 1 + pick(8) : null,
  };
  return [[actions[pick(actions.length)] ?? { action: 'opt_out' }], fields];
}

test.each(SEEDS)('a backtest of an unchanged rule says message by message what was decided (seed %i)', async (seed) => {
  const pick = randomOf(seed);
  const world = await stage.makeWorld();
  await defineAttribute(
    stage.rt,
    stage.made.db,
    { tenantId: world.tenantId, origin: OPERATOR },
    { key: 'tier', type: 'text', label: 'Tier' },
  );
  const drafts = Array.from({ length: RULES }, () => randomRule(pick));
  const ids = [];
  for (const [actions, fields] of drafts) ids.push(await stage.rule(world, actions, fields));
  const phones = Array.from({ length: 4 }, freshPhone);
  for (let index = 0; index < MESSAGES; index += 1) {
    const words = Array.from({ length: 1 + pick(3) }, () => WORDS[pick(WORDS.length)]);
    await stage.receive(world, phones[pick(phones.length)] ?? '', words.join(' '));
    await stage.runner.evaluateOnce();
    stage.clock.advance(1_000 * pick(120));
  }
  const live = await stage.decisions(world);
  expect(live).toHaveLength(MESSAGES);
  for (const [index, [actions, fields]] of drafts.entries()) {
    const ruleId = ids[index] ?? '';
    const asked = { tenantId: world.tenantId, draft: draftOf(actions, fields), replaces: ruleId, days: 2 };
    const report = await backtestRule(stage.rt, stage.made.db, asked);
    const matched = live.filter(({ record }) => record.matchedRules.some((id) => id === ruleId)).length;
    const expected = { messages: MESSAGES, exact: MESSAGES, matched, gained: 0, lost: 0, complete: true };
    expect([ruleId, fields, report]).toEqual([ruleId, fields, expect.objectContaining(expected)]);
  }
});

test('two machines that answer each other come to rest', async () => {
  const [left, right] = [await stage.makeWorld(), await stage.makeWorld()];
  for (const world of [left, right]) await stage.rule(world, [{ action: 'reply', type: 'text', body: 'And you?' }]);
  const phones = new Map<World, string>([
    [left, freshPhone()],
    [right, freshPhone()],
  ]);
  const phoneOf = (world: World) => phones.get(world) ?? '';
  const heard = new Map<World, number>();
  /** What one sent since it was last listened to comes to the other. */
  const carry = async (from: World, to: World): Promise<number> => {
    const said = await stage.sentTo(from, phoneOf(to));
    const fresh = said.slice(heard.get(from) ?? 0);
    heard.set(from, said.length);
    for (const text of fresh) await stage.receive(to, phoneOf(from), text);
    await stage.runner.evaluateOnce();
    return fresh.length;
  };
  await stage.receive(left, phoneOf(right), 'Hello');
  await stage.runner.evaluateOnce();
  let rounds = 0;
  while ((await carry(left, right)) + (await carry(right, left)) > 0) {
    rounds += 1;
    if (rounds > 5 * BUDGET_REPLIES) break;
  }
  expect(rounds).toBeLessThanOrEqual(BUDGET_REPLIES + 1);
  for (const world of [left, right]) {
    const other = world === left ? right : left;
    expect((await stage.sentTo(world, phoneOf(other))).length).toBeLessThanOrEqual(BUDGET_REPLIES);
  }
  expect((await stage.events(left, 'rule.paused')).length + (await stage.events(right, 'rule.paused')).length).toBe(1);
});

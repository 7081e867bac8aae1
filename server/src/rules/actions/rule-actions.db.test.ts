import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { defineAttribute } from '#contacts/actions/define-attribute';
import type { RuleAction } from '#rules/domain/rule';
import { draftOf } from '#testing/rule-kit';
import { RuleStage, type World } from '#testing/rule-world';
import { freshPhone } from '#testing/test-tenant';
import { backtestRule } from './backtest-rule.ts';

let stage: RuleStage;
beforeAll(async () => {
  stage = await RuleStage.open();
});
afterAll(() => stage.close());

const reply = (body: string): RuleAction => ({ action: 'reply', type: 'text', body });

async function makeWorld(): Promise<World> {
  const world = await stage.makeWorld();
  for (const [key, type] of [
    ['tier', 'text'],
    ['points', 'number'],
    ['born', 'date'],
    ['likes', 'list'],
    ['member', 'boolean'],
  ] as const) {
    await defineAttribute(
      stage.rt,
      stage.made.db,
      { tenantId: world.tenantId, origin: OPERATOR },
      { key, type, label: key },
    );
  }
  return world;
}

async function contactOf(world: World, phone: string) {
  const text = `select c.marketing, c.attributes, v.status, v.snoozed_until_ms,
    (select count(*)::int from contact_consents e where e.tenant_id = c.tenant_id and e.contact_id = c.contact_id
      and e.source = 'rule' and e.wording is not null) as proofs
    from contacts c join conversations v on v.tenant_id = c.tenant_id and v.contact_id = c.contact_id
    where c.tenant_id = $1 and c.phone = $2`;
  const { rows } = await stage.made.db.run({ name: 'test_rule_contact', text }, [world.tenantId, phone]);
  return rows[0];
}

const outcomes = async (world: World) =>
  (await stage.decisions(world)).at(-1)?.record.actions.map(({ action, outcome, why }) => [action, outcome, why]);

describe('an action of a rule', () => {
  test('refuses marketing with the message as proof, writes attributes, and puts the conversation off', async () => {
    const world = await makeWorld();
    await stage.rule(world, [
      { action: 'opt_out' },
      { action: 'set_attribute', key: 'tier', value: 'gold' },
      { action: 'set_attribute', key: 'points', value: 7 },
      { action: 'snooze', for_s: 600 },
      reply('Done.'),
    ]);
    const from = freshPhone();
    await stage.receive(world, from, 'leave me alone');
    await stage.runner.evaluateOnce();
    expect(await contactOf(world, from)).toEqual({
      marketing: 'denied',
      attributes: { points: 7, tier: 'gold' },
      status: 'snoozed',
      snoozed_until_ms: stage.clock.now() + 600_000,
      proofs: 1,
    });
    expect(await stage.sentTo(world, from)).toEqual(['Done.']);
    // The same again changes nothing: no second proof.
    await stage.receive(world, from, 'leave me alone');
    await stage.runner.evaluateOnce();
    expect(await contactOf(world, from)).toMatchObject({ marketing: 'denied', proofs: 1 });
  });

  test('calls the webhook endpoint that it names with one event, and says why when it cannot', async () => {
    const world = await makeWorld();
    const endpoint_id = await stage.makeEndpoint(world);
    const off = await stage.makeEndpoint(world, false);
    const ruleId = await stage.rule(world, [
      { action: 'webhook', endpoint_id, data: { flow: 'order' } },
      { action: 'webhook', endpoint_id: off },
    ]);
    const from = freshPhone();
    await stage.receive(world, from, 'Where is it?');
    await stage.runner.evaluateOnce();
    const [fired, ...more] = await stage.events(world, 'rule.fired');
    expect([fired?.data, more]).toEqual([
      expect.objectContaining({ endpoint_id, rule_id: ruleId, from, text: 'Where is it?', data: { flow: 'order' } }),
      [],
    ]);
    expect(await outcomes(world)).toEqual([
      ['webhook', 'done', null],
      ['webhook', 'failed', 'The webhook endpoint is disabled.'],
    ]);
  });

  test.each<[string, RuleAction, string]>([
    ['an attribute that is not defined', { action: 'set_attribute', key: 'size', value: 'L' }, 'body.then[0]'],
    ['a value of another type', { action: 'set_attribute', key: 'points', value: 'many' }, 'body.then[0]'],
    [
      'an endpoint that is not there',
      { action: 'webhook', endpoint_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f07' },
      'body.then[0].endpoint_id',
    ],
    [
      'more to tell than a call may',
      { action: 'webhook', endpoint_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f07', data: { x: 'x'.repeat(4_000) } },
      'body.then[0].data',
    ],
  ])('names %s before it is saved', async (_what, action, path) => {
    const world = await makeWorld();
    await expect(stage.rule(world, [action])).rejects.toMatchObject({ code: 'validation_failed', details: [{ path }] });
  });
});

describe('a condition', () => {
  test('asks for everything that is known of the contact and of the advertisement it came from', async () => {
    const world = await makeWorld();
    // Of other beginnings some are numbers of Jersey, Guernsey or the Isle of Man.
    const from = `44740${freshPhone().slice(5)}`;
    await stage.rule(world, [
      { action: 'opt_out' },
      { action: 'set_attribute', key: 'likes', value: ['tea'] },
      { action: 'set_attribute', key: 'born', value: '1990-05-06' },
      { action: 'set_attribute', key: 'member', value: true },
    ]);
    await stage.receive(world, from, 'hi');
    await stage.runner.evaluateOnce();
    const fields = [
      { field: 'contact.phone', match: 'is', value: from },
      { field: 'contact.name', value: 'ADA' },
      { field: 'contact.country', value: 'GB' },
      { field: 'contact.status', value: 'active' },
      { field: 'contact.consent.marketing', value: 'denied' },
      { field: 'contact.language', match: 'missing' },
      { field: 'contact.tags', match: 'has_not', value: 'vip' },
      { field: 'contact.attributes.likes', match: 'has', value: 'Tea' },
      { field: 'contact.attributes.born', match: 'lt', value: '2000-01-01T00:00:00Z' },
      { field: 'contact.attributes.member', value: true },
      { field: 'contact.last_inbound_at', match: 'gt', value: '2000-01-01T00:00:00Z' },
      { field: 'referral.source_type', value: 'ad' },
      { field: 'referral.source_id', match: 'in', value: ['1201', '1202'] },
      { field: 'referral.headline', match: 'contains', value: 'sale' },
      { field: 'first_message', value: false },
    ];
    await stage.rule(world, [reply('all')], { when: { all: fields } });
    await stage.receive(world, from, 'hello', {
      referral: { source_type: 'ad', source_id: '1202', headline: 'Summer Sale' },
    });
    await stage.runner.evaluateOnce();
    const verdict = (await stage.decisions(world)).at(-1)?.record.verdicts.at(-1);
    expect(verdict?.predicates.filter(({ matched }) => !matched)).toEqual([]);
    expect(await stage.sentTo(world, from)).toEqual(['all']);
  });

  test("about an attribute is evaluated in a backtest by what the decision stored, otherwise by today's value, and counted as such", async () => {
    const world = await makeWorld();
    const from = freshPhone();
    await stage.rule(world, [{ action: 'set_attribute', key: 'tier', value: 'gold' }], {
      when: { field: 'contact.attributes.tier', match: 'missing' },
    });
    await stage.receive(world, from, 'one');
    await stage.runner.evaluateOnce();
    const asked = { tenantId: world.tenantId, replaces: null, days: 1 };
    const isGold = (field: string, value: unknown) => ({ when: { field, value } as never });
    const tier = await backtestRule(stage.rt, stage.made.db, {
      ...asked,
      draft: draftOf([reply('x')], isGold('contact.attributes.tier', 'gold')),
    });
    // It had none when the message was evaluated.
    expect(tier).toMatchObject({ messages: 1, exact: 1, matched: 0 });
    const points = await backtestRule(stage.rt, stage.made.db, {
      ...asked,
      draft: draftOf([reply('x')], { when: { field: 'contact.attributes.points', match: 'missing' } }),
    });
    // No rule asked for points then.
    expect(points).toMatchObject({ messages: 1, exact: 0, matched: 1 });
  });
});

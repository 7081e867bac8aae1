import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation } from '#conversations/domain/conversation';
import { conversationFields, conversationValue } from '#conversations/domain/conversation-fields';
import { evaluate, makeOutcomeDecider } from '#core/conditions/evaluate';
import { parseCondition } from '#core/conditions/parse-condition';
import type { AgentId } from '#core/ids';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { listConversations } from './conversation-lists.ts';
import { searchConversations } from './conversation-search.ts';

const AGENT = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f' as AgentId;
const TEAM = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60';
const COUNT = 24;
let kit: TestService;
let tenant: TestTenant;
let all: readonly Conversation[];

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  const message = { phone_number_id: tenant.phoneNumberId, text: 'Hi' };
  for (let index = 0; index < COUNT; index += 1) {
    await kit.simulate('POST', '/_sim/inbound', { ...message, from: freshPhone() });
  }
  const read = async () => {
    const list = { filter: {}, sort: 'last_activity', window: { limit: 100, offset: 0, beforeId: null } } as const;
    return (await listConversations(kit.service.db, tenant.tenantId, list)).items;
  };
  await kit.until(read, (items) => items.length === COUNT, 'all conversations are there');
  // Whatever a row may hold, in every mixture: states that only time would bring about.
  const text = `with n as (select conversation_id, row_number() over (order by conversation_id) as n from conversations where tenant_id = $1)
    update conversations c set
      status = case when n.n % 5 = 0 then 'resolved' when n.n % 5 = 1 then 'snoozed' else 'open' end,
      resolved_ms = case when n.n % 5 = 0 then $2::bigint - n.n * 3600000 end,
      assignee_id = case when n.n % 3 = 0 then $3::uuid end, team_id = case when n.n % 4 = 0 then $4::uuid end,
      tags = case when n.n % 3 = 0 then array['Refund'] when n.n % 3 = 1 then array['refund', 'x'] else '{}' end,
      priority = case when n.n % 4 = 1 then 'urgent' else 'normal' end, unread_count = n.n % 3,
      waiting_since_ms = case when n.n % 2 = 0 then $2::bigint - n.n * 60000 end,
      window_expires_ms = case when n.n % 6 > 0 then $2::bigint + (n.n - 12) * 3600000 end,
      last_message_id = case when n.n % 7 > 0 then c.last_message_id end,
      last_message_inbound = case when n.n % 7 > 0 then n.n % 2 = 0 end
    from n where c.tenant_id = $1 and c.conversation_id = n.conversation_id`;
  const values = [tenant.tenantId, kit.rt.clock.now(), AGENT, TEAM];
  await kit.service.db.run({ name: 'test_mix_conversations', text }, values);
  all = await read();
});
afterAll(() => kit.close());

const times = fc.constantFrom('-1h', '-10m', '+3h', '+1d', '2026-07-01T00:00:00Z');
const timed = fc.constantFrom(
  ...['window_expires_at', 'waiting_since', 'last_message_at', 'resolved_at', 'snoozed_until', 'created_at'].map(
    (name) => `conversation.${name}`,
  ),
);
const choice = (field: string, ...values: string[]) =>
  fc.oneof(
    fc.record({
      field: fc.constant(`conversation.${field}`),
      match: fc.constantFrom('is', 'is_not'),
      value: fc.constantFrom(...values),
    }),
    fc.record({
      field: fc.constant(`conversation.${field}`),
      match: fc.constantFrom('in', 'not_in'),
      value: fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
    }),
  );
const leaf = fc.oneof(
  choice('status', 'open', 'snoozed', 'resolved'),
  choice('assignee_id', AGENT, TEAM, 'me', '12345'),
  choice('team_id', TEAM, AGENT),
  choice('priority', 'urgent', 'normal'),
  choice('window', 'open', 'closed'),
  choice('last_message_by', 'customer', 'business'),
  fc.record({
    field: fc.constant('conversation.tags'),
    match: fc.constantFrom('has', 'has_not'),
    value: fc.constantFrom('Refund', 'refund', 'x', 'REFUND'),
  }),
  fc.record({
    field: fc.constant('conversation.unread_count'),
    match: fc.constantFrom('is', 'gt', 'gte', 'lt', 'lte'),
    value: fc.constantFrom(0, 1, 1.5),
  }),
  fc.record({ field: timed, match: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value: times }),
  fc.record({ field: timed, match: fc.constant('between'), value: fc.tuple(times, times) }),
  fc.record({
    field: fc.oneof(timed, fc.constantFrom('conversation.tags', 'conversation.team_id', 'conversation.unread_count')),
    match: fc.constantFrom('exists', 'missing'),
  }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ all: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}));

test('the database and the evaluation in memory agree on every condition about conversations', async () => {
  const nowMs = kit.rt.clock.now();
  const oneCondition = async (input: unknown) => {
    const parsed = parseCondition(input, { path: 'when', fields: conversationFields(new Map()) });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const { condition } = parsed;
    const expected = all.filter((one) => {
      // In memory, what stands for the agent who asks is that agent.
      const asked = JSON.parse(JSON.stringify(condition).replaceAll('"me"', `"${AGENT}"`));
      const read = (field: string) => conversationValue(one, field, nowMs);
      return evaluate(asked, makeOutcomeDecider({ nowMs, valueOf: read, matchRegex: () => false }));
    });
    const search = { tenantId: tenant.tenantId, agentId: AGENT, condition, sort: 'last_activity', nowMs } as const;
    const page = await searchConversations(kit.service.db, search, { limit: 100, offset: 0, beforeId: null });
    expect(page.items.map(({ conversationId }) => conversationId)).toEqual(
      expected.map(({ conversationId }) => conversationId),
    );
  };
  await fc.assert(fc.asyncProperty(tree, oneCondition), { numRuns: 250 });
});

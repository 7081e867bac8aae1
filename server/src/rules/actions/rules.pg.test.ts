import { expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { makeNumberCache } from '#accounts/actions/number-cache';
import { hoursOfNumberAt } from '#agents/actions/business-hours-status';
import { makeBillingGate } from '#billing/actions/billing-gate';
import { makeSuppressionCache } from '#contacts/actions/suppression-cache';
import type { PhoneNumberId } from '#core/ids';
import type { Database } from '#database/database';
import { openPostgres } from '#database/postgres';
import { withEvents } from '#events/actions/with-events';
import { storeInbound } from '#inbound/actions/store-inbound';
import type { InboundItem } from '#inbound/domain/callback-items';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { makeMediaCache } from '#media/actions/media-cache';
import { makeAcceptor } from '#messages/actions/accept-message';
import { listOutbound } from '#messages/store/message-reads';
import { makeRuleRunner } from '#rules/workers/rule-runner';
import { makeTemplateCache } from '#templates/actions/template-cache';
import { openTestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { freshPhone } from '#testing/test-tenant';
import { createRule } from './manage-rules.ts';
import { makeRuleCache } from './rule-cache.ts';

const CONTACTS = 10;
const MESSAGES = 4;

test('two processes that evaluate the same messages answer each once, and keep the limits of a rule', async () => {
  const rt = testRuntime();
  const made = await openTestDatabase(rt);
  const second = openPostgres({ url: made.url ?? '', poolSize: 6, log: rt.log });
  const acceptors: { close(): Promise<void> }[] = [];
  const processOn = (db: Database) => {
    const checks = {
      rt,
      db,
      numbers: makeNumberCache(rt, db),
      media: makeMediaCache(rt, db),
      gate: makeBillingGate(rt, db),
      templates: makeTemplateCache(rt, db),
      suppressions: makeSuppressionCache(rt, db),
    };
    const acceptor = makeAcceptor({ ...checks, notifyLane: () => undefined });
    acceptors.push(acceptor);
    const due = new DueWorkMonitor(rt, db);
    const parts = { rt, db, due, acceptor, ruleCache: makeRuleCache(), hoursAt: hoursOfNumberAt };
    return { checks, runner: makeRuleRunner(parts) };
  };
  try {
    const [one, two] = [processOn(made.db), processOn(second)];
    const tenantId = await createTenant(rt, made.db, { name: 'Two', unknownResends: 0, windowPolicy: 'network' });
    const phoneNumberId = freshPhone() as PhoneNumberId;
    await addPhoneNumber(rt, made.db, {
      tenantId,
      phoneNumberId,
      displayPhone: freshPhone(),
      name: null,
      ratePerSecond: null,
    });
    const always = {
      trigger: { on: 'message.received' },
      when: null,
      stop: false,
      activeFromMs: null,
      activeUntilMs: null,
    } as const;
    const open = { ...always, enabled: true, cases: [], cooldownS: null, maxRuns: null } as const;
    const request = {
      tenantId,
      origin: OPERATOR,
      granted: [],
      position: null,
    };
    const parts = { rt, db: made.db, checks: one.checks };
    const answer = { action: 'reply', body: 'each' } as const;
    await createRule(parts, { ...request, draft: { ...open, name: 'each', actions: [answer] } });
    const limited = [{ action: 'reply', body: 'limited' } as const];
    await createRule(parts, { ...request, draft: { ...open, name: 'limited', actions: limited, maxRuns: 7 } });
    await createRule(parts, {
      ...request,
      draft: { ...open, name: 'once', actions: [{ action: 'reply', body: 'once' }], cooldownS: 600 },
    });
    const phones = Array.from({ length: CONTACTS }, freshPhone);
    for (let index = 0; index < MESSAGES; index += 1) {
      const inbound = phones.map((from) => ({ tenantId, item: itemOf(phoneNumberId, from, index) }));
      await withEvents(rt, made.db, (tx, events) => storeInbound(rt, tx, { inbound, events, nowMs: rt.clock.now() }));
      await Promise.all([one, two, one, two].map(({ runner }) => runner.evaluateOnce()));
    }
    const { items } = await listOutbound(made.db, tenantId, {}, { limit: 500, offset: 0, beforeId: null });
    const sent = (body: string) => items.filter(({ content }) => 'body' in content && content.body === body).length;
    expect([sent('each'), sent('limited'), sent('once')]).toEqual([CONTACTS * MESSAGES, 7, CONTACTS]);
  } finally {
    for (const acceptor of acceptors) await acceptor.close();
    await second.close();
    await made.drop();
  }
});

function itemOf(phoneNumberId: string, from: string, index: number): InboundItem {
  const who = { from, userId: null, username: null, profileName: null };
  const what = {
    ...{ type: 'text', body: 'hi', content: { body: 'hi' }, referral: null },
    ...{ context: null, groupId: null, opensWindow: true },
  };
  return {
    kind: 'inbound',
    phoneNumberId,
    networkMessageId: `wamid.${from}.${index}`,
    at: Date.UTC(2026, 0, 1),
    ...who,
    ...what,
  };
}

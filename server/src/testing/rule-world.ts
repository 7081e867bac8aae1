import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { makeNumberCache } from '#accounts/actions/number-cache';
import { hoursOfNumberAt } from '#agents/actions/business-hours-status';
import { insertAgent } from '#agents/store/agents';
import { makeBillingGate } from '#billing/actions/billing-gate';
import { makeSuppressionCache } from '#contacts/actions/suppression-cache';
import type { AgentId, EndpointId, PhoneNumberId, RuleId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { withEvents } from '#events/actions/with-events';
import type { StoredEvent } from '#events/domain/event';
import { readEvents } from '#events/store/events';
import { storeInbound } from '#inbound/actions/store-inbound';
import type { InboundItem } from '#inbound/domain/callback-items';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { makeMediaCache } from '#media/actions/media-cache';
import { type MessageAcceptor, makeAcceptor } from '#messages/actions/accept-message';
import type { DryRunDeps } from '#messages/actions/dry-run';
import { listOutbound } from '#messages/store/message-reads';
import { createRule } from '#rules/actions/manage-rules';
import { makeRuleCache } from '#rules/actions/rule-cache';
import type { RuleAction, RuleDraft } from '#rules/domain/rule';
import { type DecisionWithReplies, listDecisions } from '#rules/store/rule-decisions';
import { makeRuleRunner, type RuleRunner, type RunnerDeps } from '#rules/workers/rule-runner';
import type { Runtime } from '#runtime/runtime';
import { makeTemplateCache } from '#templates/actions/template-cache';
import { createEndpoint } from '#webhooks/actions/manage-endpoints';
import { openTestDatabase, type TestDatabase } from './database/test-database.ts';
import { draftOf } from './rule-kit.ts';
import { TestClock, testRuntime } from './test-runtime.ts';
import { freshPhone } from './test-tenant.ts';

const WINDOW = { limit: 50, offset: 0, beforeId: null };

/** A tenant with a sending number. */
export interface World {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
}

/** What judges the messages of a test file, on one database and one clock. */
export class RuleStage {
  readonly clock: TestClock;
  readonly rt: Runtime;
  readonly made: TestDatabase;
  readonly checks: DryRunDeps;
  readonly acceptor: MessageAcceptor;
  readonly parts: RunnerDeps;
  readonly runner: RuleRunner;
  #received = 0;

  private constructor(rt: Runtime, clock: TestClock, made: TestDatabase) {
    this.rt = rt;
    this.clock = clock;
    this.made = made;
    const { db } = made;
    this.checks = {
      rt,
      db,
      numbers: makeNumberCache(rt, db),
      media: makeMediaCache(rt, db),
      gate: makeBillingGate(rt, db),
      templates: makeTemplateCache(rt, db),
      suppressions: makeSuppressionCache(rt, db),
    };
    this.acceptor = makeAcceptor({ ...this.checks, notifyLane: () => undefined });
    const due = new DueWorkMonitor(rt, db);
    this.parts = { rt, db, due, acceptor: this.acceptor, ruleCache: makeRuleCache(), hoursAt: hoursOfNumberAt };
    this.runner = makeRuleRunner(this.parts);
  }

  static async open(): Promise<RuleStage> {
    const clock = new TestClock();
    const rt = testRuntime({ webhookAllow: '127.0.0.1' }, clock);
    return new RuleStage(rt, clock, await openTestDatabase(rt));
  }

  async close(): Promise<void> {
    await this.acceptor.close();
    await this.made.drop();
  }

  async makeWorld(): Promise<World> {
    const { rt, made } = this;
    const tenantId = await createTenant(rt, made.db, { name: 'Rules', unknownResends: 0, windowPolicy: 'network' });
    const phoneNumberId = freshPhone() as PhoneNumberId;
    const number = { tenantId, phoneNumberId, displayPhone: freshPhone(), name: null, ratePerSecond: null };
    await addPhoneNumber(rt, made.db, number);
    return { tenantId, phoneNumberId };
  }

  async makeAgent({ tenantId }: World): Promise<AgentId> {
    const agentId = this.rt.newId<AgentId>();
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
    await insertAgent(this.made.db, { tenantId, agentId, name: 'Ada', ...nobody, ...fresh });
    return agentId;
  }

  async makeEndpoint({ tenantId }: World, enabled = true): Promise<EndpointId> {
    const { rt, made } = this;
    const url = `http://127.0.0.1:9/${rt.newId<EndpointId>()}`;
    const fields = { url, description: null, format: 'postrider', types: null, ordering: 'none', enabled } as const;
    const asked = {
      tenantId,
      origin: OPERATOR,
      granted: [],
      fields,
    };
    const key = { id: 'k', bytes: Buffer.alloc(32, 1) };
    const keyring = { current: () => key, find: () => key, renew: () => false };
    return (await createEndpoint({ rt, db: made.db, keyring }, asked)).endpoint.endpointId;
  }

  async rule(world: World, actions: readonly RuleAction[], fields: Partial<RuleDraft> = {}): Promise<RuleId> {
    const { rt, made, checks } = this;
    const asked = {
      tenantId: world.tenantId,
      origin: OPERATOR,
      granted: [],
      draft: draftOf(actions, fields),
      position: null,
    };
    return (await createRule({ rt, db: made.db, checks }, asked)).rule.ruleId;
  }

  async receive(world: World, from: string, text: string, fields: Partial<InboundItem> = {}): Promise<void> {
    this.#received += 1;
    this.clock.advance(1);
    const nowMs = this.clock.now();
    const item = {
      kind: 'inbound',
      phoneNumberId: world.phoneNumberId,
      networkMessageId: `wamid.rules.${this.#received}`,
      from,
      userId: null,
      username: null,
      profileName: 'Ada',
      at: nowMs,
      type: 'text',
      body: text,
      content: { body: text },
      referral: null,
      context: null,
      groupId: null,
      opensWindow: true,
      ...fields,
    } as InboundItem;
    const inbound = [{ tenantId: world.tenantId, item }];
    await withEvents(this.rt, this.made.db, (tx, events) => storeInbound(this.rt, tx, { inbound, events, nowMs }));
  }

  /** The words of what was sent to someone, in order. */
  async sentTo(world: World, to: string): Promise<readonly string[]> {
    const { items } = await listOutbound(this.made.db, world.tenantId, { to }, WINDOW);
    return items.map(({ content }) => ('body' in content ? content.body : content.type)).reverse();
  }

  /** Oldest first. */
  async decisions(world: World): Promise<readonly DecisionWithReplies[]> {
    return (await listDecisions(this.made.db, world.tenantId, {}, WINDOW)).items.toReversed();
  }

  async conversations(world: World): Promise<readonly JsonObject[]> {
    const text = 'select status, tags, priority, handled_by, assignee_id from conversations where tenant_id = $1';
    return (await this.made.db.run<JsonObject>({ name: 'test_rule_conversations', text }, [world.tenantId])).rows;
  }

  /** Events of a family, in order. */
  async events(world: World, family: string): Promise<readonly StoredEvent[]> {
    const found = await readEvents(this.made.db, { tenantId: world.tenantId, after: 0, types: null, limit: 5_000 });
    return found.filter(({ type }) => type.startsWith(family));
  }
}

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { findConversation } from '#conversations/store/conversations';
import { ApiProblem } from '#core/errors';
import type { AgentId, PhoneNumberId, TenantId } from '#core/ids';
import { type ConversationKit, conversationKit, type Written } from '#testing/conversation-kit';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { cases } from '#testing/depth';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { CONVERSATION_LEASE_MS, releaseLease, takeLease } from './lease-conversation.ts';

/*
 * Two agents at one conversation, and a customer who keeps writing: for any sequence of actions, the database allows
 * what a model of a few lines allows.
 */

const INTERLEAVINGS = cases(1_000);
const SEED = 20_261_122;
/** Of this many steps at most: two agents with five things each to do need no more to meet. */
const MAX_STEPS = 7;

const clock = new TestClock();
const rt = testRuntime({}, clock);
const phoneNumberId = '106540352242922' as PhoneNumberId;
const agents = [rt.newId<AgentId>(), rt.newId<AgentId>()] as const;
let database: TestDatabase;
let tenantId: TenantId;
let kit: ConversationKit;
let stages: readonly Written[];

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  kit = conversationKit({ rt, db: database.db, tenantId, phoneNumberId });
  stages = await kit.customersWrite(await kit.contacts(INTERLEAVINGS));
});
afterAll(() => database.drop());

/** The id of the answer, or null when it was refused as a conflict. */
function answer({ conversationId }: Written, agentId: AgentId, how: { force?: boolean; seen?: string | null }) {
  return allowed(() => kit.answer(conversationId, { kind: 'agent', id: agentId }, how));
}

/** What a conflict refuses is null; every other fault is one. */
async function allowed<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'conversation_conflict') return null;
    throw error;
  }
}

/** What is known of the conversation without asking the database. */
interface Model {
  newest: string;
  /** The newest message that each agent has seen. */
  readonly seen: [string, string];
  holder: number | null;
  untilMs: number;
  /** What answers without force answered to, by the message that the agent had seen last. */
  readonly answered: string[];
}

function isHeldByOther({ holder, untilMs }: Model, who: number): boolean {
  return holder !== null && holder !== who && clock.now() < untilMs;
}

type Step = fc.AsyncCommand<Model, Written>;
const always = () => true;

class Look implements Step {
  readonly who: 0 | 1;
  constructor(who: 0 | 1) {
    this.who = who;
  }
  check = always;
  async run(model: Model, { conversationId }: Written) {
    const found = await findConversation(database.db, tenantId, conversationId);
    expect(found?.lastMessage?.messageId).toBe(model.newest);
    model.seen[this.who] = model.newest;
  }
  toString = () => `agent ${this.who} looks`;
}

class Lease implements Step {
  readonly who: 0 | 1;
  constructor(who: 0 | 1) {
    this.who = who;
  }
  check = always;
  async run(model: Model, { conversationId }: Written) {
    const wish = { tenantId, conversationId, agentId: agents[this.who] };
    const taken = await allowed(() => takeLease(rt, database.db, wish));
    expect(taken === null).toBe(isHeldByOther(model, this.who));
    if (taken === null) return;
    expect([taken.leaseAgentId, taken.leaseUntilMs]).toEqual([agents[this.who], clock.now() + CONVERSATION_LEASE_MS]);
    Object.assign(model, { holder: this.who, untilMs: clock.now() + CONVERSATION_LEASE_MS });
  }
  toString = () => `agent ${this.who} takes the lease`;
}

class Release implements Step {
  readonly who: 0 | 1;
  constructor(who: 0 | 1) {
    this.who = who;
  }
  check = always;
  async run(model: Model, { conversationId }: Written) {
    await releaseLease(rt, database.db, { tenantId, conversationId, agentId: agents[this.who] });
    if (model.holder === this.who) model.holder = null;
  }
  toString = () => `agent ${this.who} lets go`;
}

class Answer implements Step {
  readonly who: 0 | 1;
  readonly force: boolean;
  constructor(who: 0 | 1, force: boolean) {
    this.who = who;
    this.force = force;
  }
  check = always;
  async run(model: Model, stage: Written) {
    const seen = model.seen[this.who];
    const mayAnswer = this.force || (!isHeldByOther(model, this.who) && seen === model.newest);
    const given = await answer(stage, agents[this.who], this.force ? { force: true } : { seen });
    expect(given !== null).toBe(mayAnswer);
    if (given === null) return;
    if (!this.force) model.answered.push(seen);
    model.newest = given;
    model.seen[this.who] = given;
  }
  toString = () => `agent ${this.who} answers${this.force ? ' by force' : ''}`;
}

class BothAnswer implements Step {
  check = always;
  async run(model: Model, stage: Written) {
    const before = model.newest;
    const may = [0, 1].filter((who) => !isHeldByOther(model, who) && model.seen[who] === before);
    const given = await Promise.all(
      agents.map((agentId, who) => answer(stage, agentId, { seen: model.seen[who] ?? '' })),
    );
    const winners = given.flatMap((id, who) => (id === null ? [] : [{ id, who }]));
    // Of two that are allowed, one succeeds: the lock decides which.
    expect(winners.length).toBe(Math.min(may.length, 1));
    for (const { id, who } of winners) {
      expect(may).toContain(who);
      model.answered.push(before);
      model.newest = id;
      model.seen[who] = id;
    }
  }
  toString = () => 'both answer at once';
}

class CustomerWrites implements Step {
  check = always;
  async run(model: Model, { contactId }: Written) {
    const [written] = await kit.customersWrite([contactId]);
    model.newest = String(written?.messageId);
  }
  toString = () => 'the customer writes';
}

class Wait implements Step {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = always;
  run(): Promise<void> {
    clock.advance(this.ms);
    return Promise.resolve();
  }
  toString = () => `${this.ms} ms pass`;
}

const who = fc.constantFrom(0, 1);
const steps = [
  who.map((one) => new Look(one)),
  who.map((one) => new Lease(one)),
  who.map((one) => new Release(one)),
  fc.tuple(who, fc.boolean()).map(([one, force]) => new Answer(one, force)),
  fc.constant(new BothAnswer()),
  fc.constant(new CustomerWrites()),
  fc.constantFrom(1, CONVERSATION_LEASE_MS - 1, CONVERSATION_LEASE_MS).map((ms) => new Wait(ms)),
];

describe('two agents and a customer', () => {
  let next = 0;

  test(`in ${INTERLEAVINGS} orders: nobody answers twice without force, over an unseen message, or against a lease that lasts`, async () => {
    const orders = fc.commands(steps, { maxCommands: MAX_STEPS });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const stage = stages[next++];
        if (stage === undefined) throw new Error('Each order has a conversation of its own.');
        const newest = stage.messageId;
        const model: Model = { newest, seen: [newest, newest], holder: null, untilMs: 0, answered: [] };
        await fc.asyncModelRun(() => ({ model, real: stage }), order);
        expect(new Set(model.answered).size).toBe(model.answered.length);
      }),
      { numRuns: INTERLEAVINGS, seed: SEED, endOnFailure: true },
    );
  });
});

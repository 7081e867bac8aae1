import fc from 'fast-check';
import { createTenant } from '#access/actions/manage-tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { rollUpTenant } from '#analytics/actions/roll-up';
import { updateConversation } from '#conversations/actions/change-conversation';
import { replyInConversation } from '#conversations/actions/reply-in-conversation';
import type { ConversationChange } from '#conversations/domain/conversation';
import type { Actor } from '#core/caller/actor';
import { ApiProblem } from '#core/errors';
import type { AgentId, ConversationId, MessageId, PhoneNumberId, TeamId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { storeInbound } from '#inbound/actions/store-inbound';
import type { Runtime } from '#runtime/runtime';
import { addAgent, addTeam } from './test-agents.ts';
import type { TestClock } from './test-runtime.ts';

const MINUTE_MS = 60_000;
const CUSTOMERS = ['15550002221', '15550002222', '15550002223'];
const TAGS = ['vip', 'delivery'];

/** What may happen in a history of conversations; `after` is in minutes. */
const what = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), customer: fc.nat(2), number: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reply' as const), which: fc.nat(4), by: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resolve' as const), which: fc.nat(4), by: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('assign' as const), which: fc.nat(4), to: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('team' as const), which: fc.nat(4), to: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tag' as const), which: fc.nat(4), tag: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hand' as const), which: fc.nat(4), bot: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hours' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('roll_up' as const) }) },
);
/** Short times and long ones, so that histories have waits of minutes and of days. */
const after = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 4_000 }));
export const conversationHistory = fc.array(fc.record({ what, after }), { minLength: 8, maxLength: 40 });
type What = typeof what extends fc.Arbitrary<infer W> ? W : never;

/** Hours that the default ones change between: by weekday from Monday, from hour to hour, UTC. */
export const TIMETABLES = [
  { days: [0, 1, 2, 3, 4], from: 9, to: 17 },
  { days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 12 },
] as const;

const INSERT_HOURS = {
  name: 'test_insert_hours',
  text: `insert into business_hours (tenant_id, hours_id, name, timezone, weekly, holidays, is_default, created_ms, updated_ms)
    values ($1, $2, 'Office', 'UTC', $3::jsonb, '[]', true, 1, 1)
    on conflict (tenant_id) where is_default do update set weekly = excluded.weekly`,
};

function weeklyOf({ days, from, to }: (typeof TIMETABLES)[number]): string {
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const open = (day: number) => ((days as readonly number[]).includes(day) ? [[clock(from), clock(to)]] : []);
  return JSON.stringify(Object.fromEntries(names.map((name, day) => [name, open(day)])));
}

/** Plays a history through the operations that the service uses. What it alone knows is noted for whoever recounts. */
export class ConversationHistory {
  readonly tenantId: TenantId;
  /** Who wrote each answer. */
  readonly authors = new Map<MessageId, Actor>();
  /** Which of TIMETABLES held from when on. */
  readonly hours: { readonly fromMs: number; readonly timetable: number }[] = [];
  readonly #rt: Runtime;
  readonly #clock: TestClock;
  readonly #db: Database;
  readonly #agents: readonly AgentId[];
  readonly #teams: readonly TeamId[];
  #written = 0;

  private constructor(
    parts: { readonly rt: Runtime; readonly clock: TestClock; readonly db: Database },
    ids: { readonly tenantId: TenantId; readonly agents: readonly AgentId[]; readonly teams: readonly TeamId[] },
  ) {
    this.#rt = parts.rt;
    this.#clock = parts.clock;
    this.#db = parts.db;
    this.tenantId = ids.tenantId;
    this.#agents = ids.agents;
    this.#teams = ids.teams;
  }

  static async begin(rt: Runtime, clock: TestClock, db: Database): Promise<ConversationHistory> {
    const tenantId = await createTenant(rt, db, { name: 'Test', unknownResends: 1 });
    const agents = [await addAgent(rt, db, tenantId), await addAgent(rt, db, tenantId, { name: 'Bo' })];
    const teams = [
      await addTeam(rt, db, tenantId),
      await addTeam(rt, db, tenantId, { name: 'Sales', isDefault: false }),
    ];
    const ids = { tenantId, agents: agents.map((one) => one.agentId), teams: teams.map((one) => one.teamId) };
    const history = new ConversationHistory({ rt, clock, db }, ids);
    for (const number of [0, 1]) await history.#addNumber(number);
    await history.#changeHours();
    return history;
  }

  async play({ what: step, after: minutes }: { readonly what: What; readonly after: number }): Promise<void> {
    this.#clock.advance(minutes * MINUTE_MS);
    if (step.do === 'roll_up') return void (await rollUpTenant(this.#db, this.tenantId));
    if (step.do === 'hours') return this.#changeHours();
    if (step.do === 'write') return this.#write(step.customer, step.number);
    const conversationId = await this.#pick(step.which);
    if (conversationId === null) return;
    if (step.do === 'reply') return this.#reply(conversationId, this.#actor(step.by));
    return this.#change(conversationId, this.#actor('by' in step ? step.by : 2), this.#changeOf(step));
  }

  #changeOf(step: What): ConversationChange {
    if (step.do === 'resolve') return { status: 'resolved' };
    if (step.do === 'assign') return { assigneeId: this.#agents[step.to] ?? null };
    if (step.do === 'team') return { teamId: this.#teams[step.to] ?? null };
    if (step.do === 'tag') return { addTags: [TAGS[step.tag] ?? 'vip'] };
    if (step.do === 'hand') return { handledBy: step.bot ? 'bot' : 'agent' };
    return {};
  }

  /** Two agents and a key. */
  #actor(by: number): Actor {
    const agentId = this.#agents[by];
    return agentId === undefined ? { kind: 'key', id: 'key' } : { kind: 'agent', id: agentId };
  }

  async #addNumber(number: number): Promise<void> {
    const phoneNumberId = this.#number(number);
    const fields = { displayPhone: phoneNumberId, name: null, ratePerSecond: 0 };
    await addPhoneNumber(this.#rt, this.#db, { tenantId: this.tenantId, phoneNumberId, ...fields });
  }

  #number(number: number): PhoneNumberId {
    return `${Number.parseInt(this.tenantId.slice(-11), 16)}${number}` as PhoneNumberId;
  }

  async #changeHours(): Promise<void> {
    const timetable = this.hours.length % TIMETABLES.length;
    const weekly = weeklyOf(TIMETABLES[timetable] ?? TIMETABLES[0]);
    await this.#db.run(INSERT_HOURS, [this.tenantId, this.#rt.newId(), weekly]);
    this.hours.push({ fromMs: this.#clock.now(), timetable });
  }

  async #write(customer: number, number: number): Promise<void> {
    const nowMs = this.#clock.now();
    this.#written += 1;
    const item = {
      ...{
        kind: 'inbound',
        phoneNumberId: this.#number(number),
        networkMessageId: `${this.tenantId}.${this.#written}`,
      },
      ...{ from: CUSTOMERS[customer] ?? '', userId: null, profileName: null, username: null, type: 'text', body: 'hi' },
      ...{ content: {}, at: nowMs },
      ...{ context: null, groupId: null, opensWindow: true, referral: null },
    };
    const inbound = [{ tenantId: this.tenantId, item: item as never }];
    await withEvents(this.#rt, this.#db, (tx, events) => storeInbound(this.#rt, tx, { inbound, events, nowMs }));
  }

  async #reply(conversationId: ConversationId, actor: Actor): Promise<void> {
    const messageId = this.#rt.newId<MessageId>();
    const acceptor = {
      acceptWith: async ({ tenantId, request }: never, store: never) => {
        const nowMs = this.#clock.now();
        const { to, phoneNumberId } = request as { readonly to: string; readonly phoneNumberId: PhoneNumberId };
        const message = {
          ...{ messageId, tenantId, to, phoneNumberId, content: { type: 'text', body: 'x', previewUrl: false } },
          ...{ campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null },
          ...{ priority: 'normal', expiresMs: 9e12, createdMs: nowMs },
        };
        await (store as (row: unknown) => Promise<unknown>)({ idempotency: null, message });
        return {};
      },
    } as never;
    const request = { content: { type: 'template' } } as never;
    const wish = { tenantId: this.tenantId, conversationId, actor, request, force: true };
    await replyInConversation(
      { rt: this.#rt, db: this.#db, acceptor },
      { ...wish, ifLastMessageId: null, claim: null },
    );
    this.authors.set(messageId, actor);
  }

  /** What its state does not allow is left undone, as the service refuses it. */
  async #change(conversationId: ConversationId, actor: Actor, change: ConversationChange): Promise<void> {
    const request = { tenantId: this.tenantId, conversationId, actor, cause: 'api', change };
    await withEvents(this.#rt, this.#db, (tx, events) => updateConversation(this.#rt, tx, events, request)).catch(
      (error: unknown) => {
        if (!(error instanceof ApiProblem)) throw error;
      },
    );
  }

  async #pick(which: number): Promise<ConversationId | null> {
    const text = 'select conversation_id from conversations where tenant_id = $1 order by number';
    const { rows } = await this.#db.run<{ conversation_id: ConversationId }>({ name: 'test_pick', text }, [
      this.tenantId,
    ]);
    return rows[which]?.conversation_id ?? null;
  }
}

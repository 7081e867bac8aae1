import type { Campaign } from '#campaigns/domain/campaign';
import type { MessageOutcome } from '#campaigns/store/campaign-results';
import type { MessageId, TenantId } from '#core/ids';
import { isJsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { StoredEvent } from '#events/domain/event';
import { lastSequence, readEvents } from '#events/store/events';
import type { Runtime } from '#runtime/runtime';

/** Events of one round; the rest has its turn in the next. */
const EVENTS_AT_ONCE = 2_000;
/** Outcomes that are kept of a tenant, for campaigns that have not read them yet: some hundred kB. */
const KEPT = 4_000;
/** Tenants whose campaigns run concurrently in one process; of others the events are read again. */
const MAX_TENANTS = 50;
/** A tenant is dropped when none of its campaigns has asked for so many rounds: its events are no longer needed. */
const FORGET_AFTER = 100;

/** The outcome of a message of a campaign, as an event reports it. */
interface ReportedOutcome {
  readonly sequence: number;
  readonly campaignName: string;
  readonly outcome: MessageOutcome;
}

/** What is known of the events of a tenant between two numbers. */
interface Window {
  /** Outcomes of events behind this number are there. */
  readonly from: number;
  /** Up to this event they are. */
  readonly upTo: number;
  readonly reported: readonly ReportedOutcome[];
}

/** What a campaign has not recorded yet. */
export interface CampaignOutcomes {
  /** The last word on each of its messages. */
  readonly outcomes: readonly MessageOutcome[];
  /** The event up to which that is so. */
  readonly upTo: number;
}

type Place = Pick<Campaign, 'tenantId' | 'name' | 'eventSeq'>;

/** What is kept between rounds. */
interface Kept {
  /** By tenant; the one that was read longest ago comes first. */
  readonly windows: Map<TenantId, Window>;
  /** The event up to which campaigns were notified. */
  readonly heard: Map<TenantId, number>;
  /** The round in which a campaign last asked. */
  readonly asked: Map<TenantId, number>;
}

/** The outcomes of messages of campaigns in the events of tenants: read once for all campaigns of a tenant. */
export class CampaignOutcomeFeed {
  readonly #kept: Kept = { windows: new Map(), heard: new Map(), asked: new Map() };
  #rounds = 0;
  #signaled = new Set<TenantId>();

  /** Listens for events of tenants. @returns stops listening */
  listen({ eventSignal }: Pick<Runtime, 'eventSignal'>): () => void {
    return eventSignal.listen((tenantIds) => {
      for (const tenantId of tenantIds) if (this.#kept.windows.has(tenantId)) this.#signaled.add(tenantId);
    });
  }

  /** Something happened that no round has read yet. */
  get isSignaled(): boolean {
    return this.#signaled.size > 0;
  }

  /** Begins a round: in one, the events of a tenant are read at most once. */
  round(db: Database): OutcomeRound {
    const signaled = this.#signaled;
    this.#signaled = new Set();
    this.#rounds += 1;
    return new OutcomeRound(db, { kept: this.#kept, signaled, number: this.#rounds });
  }
}

export class OutcomeRound {
  readonly #db: Database;
  readonly #kept: Kept;
  readonly #signaled: ReadonlySet<TenantId>;
  readonly #number: number;
  readonly #read = new Map<TenantId, Promise<Window>>();

  constructor(db: Database, round: Readonly<{ kept: Kept; signaled: ReadonlySet<TenantId>; number: number }>) {
    this.#db = db;
    this.#kept = round.kept;
    this.#signaled = round.signaled;
    this.#number = round.number;
  }

  /** Names of campaigns with new outcomes, in tenants where something happened. */
  async newlyReported(): Promise<readonly { readonly tenantId: TenantId; readonly names: readonly string[] }[]> {
    const { windows, asked } = this.#kept;
    for (const [tenantId, round] of asked) if (this.#number - round > FORGET_AFTER) this.#forget(tenantId);
    const tenantIds = [...this.#signaled].filter((tenantId) => windows.has(tenantId));
    return Promise.all(
      tenantIds.map(async (tenantId) => {
        const { upTo, reported } = await this.#windowOf(tenantId, 0);
        const heard = this.#kept.heard.get(tenantId) ?? 0;
        this.#kept.heard.set(tenantId, upTo);
        const fresh = reported.filter(({ sequence }) => sequence > heard);
        return { tenantId, names: [...new Set(fresh.map(({ campaignName }) => campaignName))] };
      }),
    );
  }

  /** @param together campaigns of this round; what the furthest behind of them needs is read for all */
  async outcomesFor(campaign: Place, together: readonly Place[]): Promise<CampaignOutcomes> {
    const { tenantId, name, eventSeq } = campaign;
    this.#kept.asked.set(tenantId, this.#number);
    const ofTenant = together.filter((one) => one.tenantId === tenantId);
    const first = Math.min(eventSeq, ...ofTenant.map((one) => one.eventSeq));
    const shared = await this.#windowOf(tenantId, first);
    // Far behind the others: it reads separately until it has caught up.
    const window = eventSeq >= shared.from ? shared : await readOn(this.#db, tenantId, emptyAt(eventSeq));
    const reported = window.reported.filter((one) => one.sequence > eventSeq && one.campaignName === name);
    const last = new Map(reported.map(({ outcome }) => [outcome.messageId, outcome]));
    return { outcomes: [...last.values()], upTo: Math.max(window.upTo, eventSeq) };
  }

  #windowOf(tenantId: TenantId, first: number): Promise<Window> {
    const reading = this.#read.get(tenantId) ?? this.#readWindow(tenantId, first);
    this.#read.set(tenantId, reading);
    return reading;
  }

  async #readWindow(tenantId: TenantId, first: number): Promise<Window> {
    const { windows } = this.#kept;
    const known = windows.get(tenantId);
    // Nobody needs what is between: the events continued while no campaign ran here.
    const start = known === undefined || known.upTo < first ? emptyAt(first) : known;
    const window = await readOn(this.#db, tenantId, start);
    windows.delete(tenantId);
    windows.set(tenantId, window);
    if (windows.size > MAX_TENANTS) this.#forget(windows.keys().next().value as TenantId);
    return window;
  }

  #forget(tenantId: TenantId): void {
    for (const known of Object.values(this.#kept)) known.delete(tenantId);
  }
}

function emptyAt(sequence: number): Window {
  return { from: sequence, upTo: sequence, reported: [] };
}

/** The window with what was recorded since; the oldest of it may be dropped. */
async function readOn(db: Database, tenantId: TenantId, { from, upTo, reported }: Window): Promise<Window> {
  const head = await lastSequence(db, tenantId);
  if (head <= upTo) return { from, upTo, reported };
  const types = ['message.sent', 'message.failed'] as const;
  const events = await readEvents(db, { tenantId, after: upTo, types, limit: EVENTS_AT_ONCE });
  const last = events.at(-1)?.sequence ?? 0;
  const all = [...reported, ...events.flatMap(reportedBy)];
  return {
    from: all.at(-KEPT - 1)?.sequence ?? from,
    upTo: events.length < EVENTS_AT_ONCE ? Math.max(head, last) : last,
    reported: all.slice(-KEPT),
  };
}

function reportedBy({ sequence, type, data }: StoredEvent): readonly ReportedOutcome[] {
  const { campaign_name: campaignName, id, to, error } = data;
  if (typeof campaignName !== 'string') return [];
  const { code = null, message = null } = isJsonObject(error) ? error : {};
  const reason = type === 'message.failed' ? JSON.stringify({ code, message }) : null;
  return [{ sequence, campaignName, outcome: { messageId: id as MessageId, phone: String(to), reason } }];
}

/** How a customer's phone treats what the business sends, as a person at the simulator has set it. */
import { failedPlan, type StatusPlan } from './callbacks/plan.ts';
import type { SentMessage } from './callbacks/updates.ts';
import type { Settings } from './settings.ts';

export type Behavior = {
  /** Messages are accepted and cannot be delivered (131026). */
  readonly refuses: boolean;
  /** Messages are delivered and read ten seconds later than usual. */
  readonly late: boolean;
  /** Statuses arrive in the opposite order. */
  readonly outOfOrder: boolean;
  /** Messages stay unread until somebody reads them. */
  readonly readsByHand: boolean;
};

export const ORDINARY_BEHAVIOR: Behavior = { refuses: false, late: false, outOfOrder: false, readsByHand: false };

const UNDELIVERABLE = 131026;
const LATE_MS = 10_000;
/** Of one customer; beyond it the oldest stay unread for ever. */
const MAX_UNREAD = 1_000;
const MAX_CUSTOMERS = 10_000;

/** The statuses of a message to a customer with this behavior. @param plan those that it would have otherwise */
export function behaviorPlan(behavior: Behavior, plan: StatusPlan, settings: Settings): StatusPlan {
  if (behavior.refuses) return failedPlan(settings, UNDELIVERABLE);
  const wanted = behavior.readsByHand ? plan.filter(({ status }) => status !== 'read') : plan;
  const late = behavior.late
    ? wanted.map((step) => (step.status === 'sent' ? step : { ...step, afterMs: step.afterMs + LATE_MS }))
    : wanted;
  return behavior.outOfOrder ? turnedRound(late) : late;
}

/** The last status comes first, at the times that there are. */
function turnedRound(plan: StatusPlan): StatusPlan {
  const times = plan.map(({ afterMs }) => afterMs).toSorted((a, b) => a - b);
  return plan.toReversed().map((step, i) => ({ ...step, afterMs: times[i] ?? step.afterMs }));
}

/** What was set for single customers, and what they have not read yet. */
export class CustomerBehaviors {
  readonly #behaviors = new Map<string, Behavior>();
  readonly #unread = new Map<string, SentMessage[]>();

  /** Null: as everybody else. */
  of(peer: string): Behavior | null {
    return this.#behaviors.size === 0 ? null : (this.#behaviors.get(peer) ?? null);
  }

  /** False when there are too many already. */
  set(peer: string, behavior: Behavior): boolean {
    if (!this.#behaviors.has(peer) && this.#behaviors.size >= MAX_CUSTOMERS) return false;
    this.#behaviors.set(peer, behavior);
    return true;
  }

  leaveUnread(message: SentMessage): void {
    const waiting = this.#unread.get(message.to) ?? [];
    waiting.push(message);
    if (waiting.length > MAX_UNREAD) waiting.shift();
    this.#unread.set(message.to, waiting);
  }

  isUnread(peer: string, id: string): boolean {
    return this.#unread.get(peer)?.some((message) => message.id === id) ?? false;
  }

  /** The messages that this customer reads now, oldest first: all that wait, or those up to one of them. */
  read(peer: string, upTo: string | null): readonly SentMessage[] {
    const waiting = this.#unread.get(peer) ?? [];
    const last = upTo === null ? waiting.length - 1 : waiting.findIndex(({ id }) => id === upTo);
    this.#unread.set(peer, waiting.slice(last + 1));
    return waiting.slice(0, last + 1);
  }

  /** What is kept for the next run. */
  dump(): {
    readonly behaviors: readonly (readonly [peer: string, behavior: Behavior])[];
    readonly unread: readonly SentMessage[];
  } {
    return { behaviors: [...this.#behaviors], unread: [...this.#unread.values()].flat() };
  }

  load(behaviors: readonly (readonly [peer: string, behavior: Behavior])[]): void {
    for (const [peer, behavior] of behaviors) this.#behaviors.set(peer, behavior);
  }

  reset(): void {
    this.#behaviors.clear();
    this.#unread.clear();
  }
}

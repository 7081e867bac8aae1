import type { Timers } from './clock.ts';
import { type Rng, seededRng } from './rng.ts';
import { type Garbage, garbageAnswer } from './send/garbage.ts';

export const SEND_FAULTS = [
  'error',
  'status5xx',
  'non_json',
  'delay',
  'drop_before_accept',
  'accept_then_drop',
  'rate_limit',
  'garbage',
  'accept_then_garbage',
  'hang',
  'drip',
] as const;
export const STATUS_FAULTS = ['duplicate', 'lost', 'reorder', 'delay', 'before_response', 'batch'] as const;
export const CALLBACK_FAULTS = ['duplicate', 'delay', 'cut'] as const;

export type SendFault = (typeof SEND_FAULTS)[number];
export type StatusFault = (typeof STATUS_FAULTS)[number];
export type CallbackFault = (typeof CALLBACK_FAULTS)[number];

/** A fault and how often it happens. */
export type ChaosRule<F extends string> = {
  /** 0 to 1. */
  readonly probability: number;
  readonly fault: F;
  /** Network error code (`error` only). */
  readonly code?: number;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Milliseconds; the README says what it delays. */
  readonly delayMs?: number;
  /** The one sending number that it happens to; absent: all (`send` only). */
  readonly phoneNumberId?: string;
};

export type ChaosPlan = {
  readonly seed: number;
  /** Enforce the 24-hour window: a free-form message to a silent customer fails later with 131047. */
  readonly window: boolean;
  readonly send: readonly ChaosRule<SendFault>[];
  readonly status: readonly ChaosRule<StatusFault>[];
  readonly callback: readonly ChaosRule<CallbackFault>[];
};

export const NO_CHAOS: ChaosPlan = { seed: 1, window: false, send: [], status: [], callback: [] };

const DEFAULT_DELAY_MS = 500;

/** Draws faults from the current plan. Rules are asked in order; each rule takes one number of the seeded sequence. */
export class ChaosEngine {
  readonly #timers: Timers;
  #plan = NO_CHAOS;
  #rng: Rng = seededRng(NO_CHAOS.seed);

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get plan(): ChaosPlan {
    return this.#plan;
  }

  /** Takes a new plan and starts its random sequence from the seed. */
  use(plan: ChaosPlan): void {
    this.#plan = plan;
    this.#rng = seededRng(plan.seed);
  }

  /** What happens to a send of this number: all delays that were drawn, and the first other fault. */
  drawSend(phoneNumberId: string): { readonly delayMs: number; readonly rule: ChaosRule<SendFault> | null } {
    let delayMs = 0;
    for (const rule of this.#plan.send) {
      if (rule.phoneNumberId !== undefined && rule.phoneNumberId !== phoneNumberId) continue;
      if (!this.#hits(rule.probability)) continue;
      if (rule.fault !== 'delay') return { delayMs, rule };
      delayMs += rule.delayMs ?? DEFAULT_DELAY_MS;
    }
    return { delayMs, rule: null };
  }

  /** Whether statuses of a message shall overtake its answer. */
  drawBeforeResponse(): boolean {
    return this.#plan.status.some((rule) => rule.fault === 'before_response' && this.#hits(rule.probability));
  }

  /** All faults that happen to one status, `before_response` excepted. */
  drawStatus(): readonly ChaosRule<StatusFault>[] {
    if (this.#plan.status.length === 0) return [];
    return this.#plan.status.filter((rule) => rule.fault !== 'before_response' && this.#hits(rule.probability));
  }

  /** The fault of one callback post, or null. */
  drawCallback(): ChaosRule<CallbackFault> | null {
    return this.#plan.callback.find((rule) => this.#hits(rule.probability)) ?? null;
  }

  /** An unreadable answer to a message that was taken or not. */
  drawGarbage(taken: boolean): Garbage {
    return garbageAnswer(this.#rng, taken);
  }

  /** Resolves after the rule's delay, in real time. */
  pause(rule: ChaosRule<CallbackFault>): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.after(rule.delayMs ?? DEFAULT_DELAY_MS, resolve);
    });
  }

  #hits(probability: number): boolean {
    return this.#rng() < probability;
  }
}

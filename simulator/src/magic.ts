/** Recipients that behave in a fixed way, by their last four digits; 999 is not assigned to any country. */
import { failedPlan, ordinaryPlan, type StatusPlan } from './callbacks/plan.ts';
import type { LimitCode } from './limits.ts';
import type { Settings } from './settings.ts';

const PREFIX = '9990000';
const PAIR_RATE_MS = 30_000;
const RATE_REFUSALS = 3;
const SERVER_FAULTS = 2;
const TEMPLATES_BEFORE_PAUSE = 3;
const SLOW_DELIVERY_MS = 60_000;
// The caller of an unanswered send should have noticed the broken connection before the statuses arrive.
const UNKNOWN_OUTCOME_MS = 500;

export type MagicReply = 'stop' | 'image' | 'first_button' | 'album' | 'hidden_phone';

/** What is special about an accepted message; null members are as usual. */
export type MagicTraits = {
  readonly plan: StatusPlan | null;
  readonly cutsAnswer: boolean;
  readonly statusesFirst: boolean;
  readonly hidesPhone: boolean;
  readonly reply: MagicReply | null;
};

export type MagicRefusal = LimitCode | 131016 | 132015;

const ORDINARY: MagicTraits = { plan: null, cutsAnswer: false, statusesFirst: false, hidesPhone: false, reply: null };

const REPLIES: ReadonlyMap<number, MagicReply> = new Map([
  [15, 'stop'],
  [16, 'image'],
  [17, 'first_button'],
  [18, 'album'],
  [19, 'hidden_phone'],
]);

/** The number of the magic recipient, 1 to 20, or null for everybody else. */
export function magicNumber(to: string): number | null {
  if (!to.startsWith(PREFIX) || to.length !== PREFIX.length + 4) return null;
  const number = Number(to.slice(PREFIX.length));
  return number >= 1 && number <= 20 ? number : null;
}

/** What follows an accepted message to magic recipient `number`. */
export function magicTraits(number: number, settings: Settings): MagicTraits {
  return {
    plan: magicPlan(number, settings),
    cutsAnswer: number === 10,
    statusesFirst: number === 9,
    hidesPhone: number === 19,
    reply: REPLIES.get(number) ?? null,
  };
}

/** The traits of everybody else. */
export function ordinaryTraits(): MagicTraits {
  return ORDINARY;
}

function magicPlan(number: number, settings: Settings): StatusPlan | null {
  const { sentMs, deliveredMs, readMs } = settings;
  switch (number) {
    case 2:
      return ordinaryPlan(settings).slice(0, 2);
    case 3:
      return failedPlan(settings, 131026);
    case 4:
      return failedPlan(settings, 131047);
    case 5:
      return failedPlan(settings, 131049);
    case 8:
      return disorderedPlan(sentMs, deliveredMs, readMs);
    case 10:
      return [
        { status: 'sent', afterMs: UNKNOWN_OUTCOME_MS, priced: true },
        { status: 'delivered', afterMs: UNKNOWN_OUTCOME_MS * 2, priced: true },
      ];
    case 14:
      return [
        { status: 'sent', afterMs: sentMs, priced: true },
        { status: 'delivered', afterMs: SLOW_DELIVERY_MS, priced: true },
      ];
    default:
      return null;
  }
}

function disorderedPlan(sentMs: number, deliveredMs: number, readMs: number): StatusPlan {
  return [
    { status: 'read', afterMs: sentMs, priced: false },
    { status: 'delivered', afterMs: deliveredMs, priced: true },
    { status: 'sent', afterMs: readMs, priced: true },
    { status: 'delivered', afterMs: readMs, priced: true },
    { status: 'sent', afterMs: readMs, priced: true },
    { status: 'read', afterMs: readMs, priced: false },
  ];
}

type Episode = { readonly startedMs: number; refused: number };

/** Counts per business number and magic recipient, for those that refuse at first. */
export class MagicCounters {
  readonly #episodes = new Map<string, Episode>();
  readonly #templates = new Map<string, number>();

  /** The code that this send is refused with, or null. After each accepted message the refusals start over. */
  refusal(phoneNumberId: string, number: number, type: string, nowMs: number): MagicRefusal | null {
    const key = `${phoneNumberId}:${number}`;
    if (number === 20) return type === 'template' ? this.#templateRefusal(key) : null;
    if (number !== 6 && number !== 7 && number !== 11) return null;
    const episode = this.#episodes.get(key) ?? { startedMs: nowMs, refused: 0 };
    this.#episodes.set(key, episode);
    const code = refusalIn(episode, number, nowMs);
    if (code === null) this.#episodes.delete(key);
    else episode.refused++;
    return code;
  }

  reset(): void {
    this.#episodes.clear();
    this.#templates.clear();
  }

  #templateRefusal(key: string): MagicRefusal | null {
    const sent = this.#templates.get(key) ?? 0;
    if (sent >= TEMPLATES_BEFORE_PAUSE) return 132015;
    this.#templates.set(key, sent + 1);
    return null;
  }
}

function refusalIn(episode: Episode, number: 6 | 7 | 11, nowMs: number): MagicRefusal | null {
  if (number === 6) return nowMs - episode.startedMs < PAIR_RATE_MS ? 131056 : null;
  if (number === 7) return episode.refused < RATE_REFUSALS ? 130429 : null;
  return episode.refused < SERVER_FAULTS ? 131016 : null;
}

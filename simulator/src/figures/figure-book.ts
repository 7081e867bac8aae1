import type { StatusName } from '../callbacks/plan.ts';
import type { SentMessage } from '../callbacks/updates.ts';
import { countryOf } from './prices.ts';

/** What figures are told apart by. */
export type FigurePlace = {
  /** Days of UTC since 1970. */
  readonly day: number;
  readonly wabaId: string;
  readonly phoneNumberId: string;
  /** What a message is paid as, in the network's spelling. */
  readonly category: string;
  /** Of the customer. */
  readonly country: string;
  /** Null: no template, or one that nobody created here. */
  readonly templateId: string | null;
};

export type Figures = FigurePlace & {
  sent: number;
  delivered: number;
  read: number;
  conversations: number;
  /** Taps on buttons, by label. */
  readonly clicks: Record<string, number>;
};

/** What is kept between two runs. */
export type KeptFigures = {
  readonly figures: readonly Figures[];
  readonly conversations: readonly (readonly [name: string, sinceMs: number])[];
};

export const DAY_MS = 24 * 3600 * 1000;
const SERVICE = 'SERVICE';
/** Years of a business with some numbers; beyond it the oldest are forgotten. */
const MAX_FIGURES = 50_000;
const MAX_CONVERSATIONS = 100_000;
const MAX_KEPT_CONVERSATIONS = 20_000;

/** Bits of `SentMessage.counted`: a status that is reported twice counts once. */
const BITS: Readonly<Partial<Record<StatusName, number>>> = { delivered: 1, read: 2 };
/** Of what is in no figures: the business wrote it on its own phone. */
export const NEVER_COUNTED = 3;

/** Counts what was sent, reported and tapped. */
export class FigureBook {
  readonly #figures = new Map<string, Figures>();
  /** Since when a conversation is open, by number, customer and category. */
  readonly #conversations = new Map<string, number>();

  sent(message: SentMessage, atMs: number): void {
    this.#at(placeOf(message, atMs)).sent++;
  }

  /** Counts the first report of a status. */
  reported(message: SentMessage, status: StatusName, atMs: number): void {
    const bit = BITS[status] ?? 0;
    if (bit === 0 || (message.counted & bit) !== 0) return;
    message.counted |= bit;
    const figures = this.#at(placeOf(message, atMs));
    if (status === 'read') {
      figures.read++;
      return;
    }
    figures.delivered++;
    if (this.#begins(message, figures.category, atMs)) figures.conversations++;
  }

  clicked(place: FigurePlace, label: string): void {
    const { clicks } = this.#at(place);
    clicks[label] = (clicks[label] ?? 0) + 1;
  }

  /** Those of an account on the days that the time touches. */
  list(wabaId: string, { startMs, endMs }: { readonly startMs: number; readonly endMs: number }): readonly Figures[] {
    const isIn = ({ day }: Figures) => (day + 1) * DAY_MS > startMs && day * DAY_MS < endMs;
    return [...this.#figures.values()].filter((figures) => figures.wabaId === wabaId && isIn(figures));
  }

  dump(): KeptFigures {
    return {
      figures: [...this.#figures.values()],
      conversations: [...this.#conversations].slice(-MAX_KEPT_CONVERSATIONS),
    };
  }

  /** @param kept undefined: an earlier program kept none */
  load(kept: KeptFigures | undefined): void {
    for (const figures of kept?.figures ?? []) this.#figures.set(nameOf(figures), figures);
    for (const [name, sinceMs] of kept?.conversations ?? []) this.#conversations.set(name, sinceMs);
  }

  reset(): void {
    this.#figures.clear();
    this.#conversations.clear();
  }

  #at(place: FigurePlace): Figures {
    const name = nameOf(place);
    const known = this.#figures.get(name);
    if (known !== undefined) return known;
    const figures = { ...place, sent: 0, delivered: 0, read: 0, conversations: 0, clicks: {} };
    this.#figures.set(name, figures);
    forgetOldest(this.#figures, MAX_FIGURES);
    return figures;
  }

  /** "Conversations are 24-hour message threads", each of one category. */
  #begins({ number, to }: SentMessage, category: string, atMs: number): boolean {
    const name = `${number.phoneNumberId}:${to}:${category}`;
    const sinceMs = this.#conversations.get(name);
    if (sinceMs !== undefined && atMs - sinceMs < DAY_MS) return false;
    this.#conversations.delete(name);
    this.#conversations.set(name, atMs);
    forgetOldest(this.#conversations, MAX_CONVERSATIONS);
    return true;
  }
}

function placeOf({ number, to, templateCategory, templateId }: SentMessage, atMs: number): FigurePlace {
  return {
    day: Math.floor(atMs / DAY_MS),
    wabaId: number.wabaId,
    phoneNumberId: number.phoneNumberId,
    category: templateCategory?.toUpperCase() ?? SERVICE,
    country: countryOf(to),
    templateId,
  };
}

function nameOf({ day, wabaId, phoneNumberId, category, country, templateId }: FigurePlace): string {
  return `${day}:${wabaId}:${phoneNumberId}:${category}:${country}:${templateId}`;
}

function forgetOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

import { stringifyAscii } from './json.ts';

/** A business number and what the network keeps about it. */
export type BusinessNumber = {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly wabaId: string;
  /** Everything of a callback's body before the payload arrays; the same for each callback of this number. */
  readonly callbackPrefix: string;
  /** A number that was linked or deregistered sends nothing before it is registered. */
  registered: boolean;
  /** Next free instant of the rate limit (see limits.ts), unix milliseconds. */
  rateFreeAtMs: number;
  /** The same per recipient. */
  readonly pairFreeAtMs: Map<string, number>;
  /** Size of `pairFreeAtMs` at which expired entries are removed. */
  pairSweepAt: number;
};

export type NumberRegistration = {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber?: string;
  readonly wabaId?: string;
};

/** The account of a number that nobody has put into another one. */
export const DEFAULT_WABA_ID = '300400500600';
const FIRST_SWEEP = 10_000;

/** A number as it is kept between two runs: its limits start over. */
export type KeptNumber = Required<NumberRegistration> & { readonly registered: boolean };

/** All business numbers; an unknown id is made up on first use unless the registry is strict. */
export class NumberRegistry {
  readonly #numbers = new Map<string, BusinessNumber>();
  #lastSender: BusinessNumber | null = null;

  register(registration: NumberRegistration): BusinessNumber {
    const number = newNumber(registration);
    this.#numbers.set(number.phoneNumberId, number);
    return number;
  }

  /** Makes a number known that is not yet. */
  ensure(phoneNumberId: string): void {
    if (!this.#numbers.has(phoneNumberId)) this.register({ phoneNumberId });
  }

  /** The number, or null when it is unknown and `strict`. */
  find(phoneNumberId: string, strict: boolean): BusinessNumber | null {
    const known = this.#numbers.get(phoneNumberId);
    if (known !== undefined) return known;
    return strict ? null : this.register({ phoneNumberId });
  }

  list(): readonly BusinessNumber[] {
    return [...this.#numbers.values()];
  }

  get lastSender(): BusinessNumber | null {
    return this.#lastSender;
  }

  noteSender(number: BusinessNumber): void {
    this.#lastSender = number;
  }

  /** What is kept for the next run. */
  dump(): readonly KeptNumber[] {
    return this.list().map(({ phoneNumberId, displayPhoneNumber, wabaId, registered }) => ({
      phoneNumberId,
      displayPhoneNumber,
      wabaId,
      registered,
    }));
  }

  load(numbers: readonly KeptNumber[]): void {
    for (const { registered, ...registration } of numbers) this.register(registration).registered = registered;
  }

  /** Empties all rate buckets; the numbers stay. */
  resetLimits(): void {
    for (const number of this.#numbers.values()) {
      number.rateFreeAtMs = 0;
      number.pairFreeAtMs.clear();
      number.pairSweepAt = FIRST_SWEEP;
    }
  }
}

function newNumber(registration: NumberRegistration): BusinessNumber {
  const { phoneNumberId } = registration;
  const displayPhoneNumber = registration.displayPhoneNumber ?? `1555${phoneNumberId.slice(-7).padStart(7, '0')}`;
  const wabaId = registration.wabaId ?? DEFAULT_WABA_ID;
  const metadata = stringifyAscii({ display_phone_number: displayPhoneNumber, phone_number_id: phoneNumberId });
  return {
    phoneNumberId,
    displayPhoneNumber,
    wabaId,
    callbackPrefix:
      `{"object":"whatsapp_business_account","entry":[{"id":"${wabaId}","changes":[{"value":` +
      `{"messaging_product":"whatsapp","metadata":${metadata},`,
    registered: true,
    rateFreeAtMs: 0,
    pairFreeAtMs: new Map(),
    pairSweepAt: FIRST_SWEEP,
  };
}

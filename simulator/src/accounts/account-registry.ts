import { randomBytes } from 'node:crypto';

/** What a number's node shows beside its address. */
export type NumberDetails = {
  readonly verifiedName: string;
  readonly qualityRating: string;
  readonly messagingLimit: string;
  /** Replaces the status that follows from the registration; null: it follows. */
  readonly status: string | null;
};

/** Permission that was given in the dialog, waiting to be exchanged. */
export type Grant = {
  readonly code: string;
  readonly appId: string;
  /** Null: the code came without a redirect. */
  readonly redirectUri: string | null;
  readonly wabaIds: readonly string[];
  readonly expiresAtMs: number;
  used: boolean;
};

export type Subscription = { readonly appId: string; readonly overrideUrl: string | null };

type Registration = { pin: string | null; readonly triesMs: number[] };

/** What is kept between two runs; a permission that waits to be exchanged lives too short for that. */
export type KeptAccounts = {
  readonly details: readonly (readonly [phoneNumberId: string, details: NumberDetails])[];
  readonly subscriptions: readonly (readonly [wabaId: string, subscriptions: readonly Subscription[]])[];
  readonly registrations: readonly (readonly [phoneNumberId: string, registration: Registration])[];
  readonly silent: readonly string[];
  /** Absent in what an earlier version kept. */
  readonly insights?: readonly string[];
};

const DEFAULT_DETAILS: NumberDetails = {
  verifiedName: 'Example Shop',
  qualityRating: 'GREEN',
  messagingLimit: 'TIER_250',
  status: null,
};
const CODE_BYTES = 90;

/** Grants, subscriptions, registrations and what else the network keeps about accounts and their numbers. */
export class AccountRegistry {
  readonly #details = new Map<string, NumberDetails>();
  readonly #grants = new Map<string, Grant>();
  readonly #subscriptions = new Map<string, readonly Subscription[]>();
  readonly #registrations = new Map<string, Registration>();
  /** Accounts without a subscription to their callbacks. */
  readonly #silent = new Set<string>();
  /** Accounts that show what became of their templates. */
  readonly #insights = new Set<string>();

  detailsOf(phoneNumberId: string): NumberDetails {
    return this.#details.get(phoneNumberId) ?? DEFAULT_DETAILS;
  }

  describe(phoneNumberId: string, change: Partial<NumberDetails>): void {
    this.#details.set(phoneNumberId, { ...this.detailsOf(phoneNumberId), ...change });
  }

  grant(wish: Omit<Grant, 'code' | 'used'>): Grant {
    const grant = { ...wish, code: `AQ${randomBytes(CODE_BYTES).toString('base64url')}`, used: false };
    this.#grants.set(grant.code, grant);
    return grant;
  }

  findGrant(code: string): Grant | null {
    return this.#grants.get(code) ?? null;
  }

  /** An account that was linked says nothing until an app subscribes to it; all others always speak. */
  silence(wabaId: string): void {
    this.#silent.add(wabaId);
  }

  isSilent(wabaId: string): boolean {
    return this.#silent.size > 0 && this.#silent.has(wabaId);
  }

  subscribe(wabaId: string, subscription: Subscription): void {
    const others = this.subscriptionsOf(wabaId).filter((one) => one.appId !== subscription.appId);
    this.#subscriptions.set(wabaId, [...others, subscription]);
    this.#silent.delete(wabaId);
  }

  unsubscribe(wabaId: string): void {
    this.#subscriptions.delete(wabaId);
    this.#silent.add(wabaId);
  }

  subscriptionsOf(wabaId: string): readonly Subscription[] {
    return this.#subscriptions.get(wabaId) ?? [];
  }

  /** Once they are shown, they stay so. */
  enableInsights(wabaId: string): void {
    this.#insights.add(wabaId);
  }

  hasInsights(wabaId: string): boolean {
    return this.#insights.has(wabaId);
  }

  registrationOf(phoneNumberId: string): Registration {
    const registration = this.#registrations.get(phoneNumberId) ?? { pin: null, triesMs: [] };
    this.#registrations.set(phoneNumberId, registration);
    return registration;
  }

  dump(): KeptAccounts {
    return {
      details: [...this.#details],
      subscriptions: [...this.#subscriptions],
      registrations: [...this.#registrations],
      silent: [...this.#silent],
      insights: [...this.#insights],
    };
  }

  load({ details, subscriptions, registrations, silent, insights = [] }: KeptAccounts): void {
    for (const [id, one] of details) this.#details.set(id, one);
    for (const [id, list] of subscriptions) this.#subscriptions.set(id, list);
    for (const [id, registration] of registrations) this.#registrations.set(id, registration);
    for (const id of silent) this.#silent.add(id);
    for (const id of insights) this.#insights.add(id);
  }

  /** Forgets grants, subscriptions and registrations; what numbers are called stays with the numbers. */
  reset(): void {
    this.#grants.clear();
    this.#subscriptions.clear();
    this.#registrations.clear();
    this.#silent.clear();
    this.#insights.clear();
  }
}

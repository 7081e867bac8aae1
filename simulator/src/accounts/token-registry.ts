import { randomBytes } from 'node:crypto';

/** A token that the dialog gave out, and what it may reach. */
export type IssuedToken = {
  readonly token: string;
  readonly appId: string;
  readonly userId: string;
  readonly businessId: string;
  readonly wabaIds: readonly string[];
  readonly scopes: readonly string[];
  readonly issuedAtMs: number;
  /** Null: it never expires. */
  readonly expiresAtMs: number | null;
};

export type TokenState = 'valid' | 'expired' | 'revoked' | 'unknown';

/** What is kept between two runs. */
export type KeptTokens = { readonly issued: readonly IssuedToken[]; readonly revoked: readonly string[] };

/** Tokens that were issued here, and every token that was revoked. */
export class TokenRegistry {
  readonly #issued = new Map<string, IssuedToken>();
  readonly #revoked = new Set<string>();

  /** Gives out a new token. */
  issue(grant: Omit<IssuedToken, 'token'>): IssuedToken {
    const issued = { ...grant, token: `EAAJ${randomBytes(48).toString('base64url').replace(/[-_]/g, 'Z')}` };
    this.#issued.set(issued.token, issued);
    return issued;
  }

  revoke(token: string): void {
    this.#revoked.add(token);
  }

  find(token: string): IssuedToken | null {
    return this.#issued.get(token) ?? null;
  }

  /** `allowed`: the configured tokens, null for any. */
  stateOf(token: string, allowed: readonly string[] | null, nowMs: number): TokenState {
    if (this.#revoked.has(token)) return 'revoked';
    const issued = this.#issued.get(token);
    if (issued === undefined) return allowed === null || allowed.includes(token) ? 'valid' : 'unknown';
    return issued.expiresAtMs !== null && nowMs >= issued.expiresAtMs ? 'expired' : 'valid';
  }

  /** A token that the dialog gave out reaches its own accounts; every other one reaches all. */
  reaches(token: string, wabaId: string): boolean {
    return this.#issued.get(token)?.wabaIds.includes(wabaId) ?? true;
  }

  list(): readonly IssuedToken[] {
    return [...this.#issued.values()];
  }

  isRevoked(token: string): boolean {
    return this.#revoked.has(token);
  }

  dump(): KeptTokens {
    return { issued: this.list(), revoked: [...this.#revoked] };
  }

  load({ issued, revoked }: KeptTokens): void {
    for (const token of issued) this.#issued.set(token.token, token);
    for (const token of revoked) this.#revoked.add(token);
  }

  reset(): void {
    this.#issued.clear();
    this.#revoked.clear();
  }
}

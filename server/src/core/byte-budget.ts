/** Which limit has no room. */
export type Shortage = 'all' | 'owner';

/**
 * Counts bytes that are held in memory, against a limit for all owners together and one for each of them. An owner that
 * holds nothing leaves no trace.
 */
export class ByteBudget {
  readonly #total: number;
  readonly #perOwner: number;
  readonly #owners = new Map<string, number>();
  #held = 0;

  constructor(limits: { readonly total: number; readonly perOwner: number }) {
    this.#total = limits.total;
    this.#perOwner = limits.perOwner;
  }

  /** Bytes held by all owners. */
  get held(): number {
    return this.#held;
  }

  /** @returns null when the bytes are counted, else the limit that they exceed; then nothing changes */
  take(owner: string, bytes: number): Shortage | null {
    const own = (this.#owners.get(owner) ?? 0) + bytes;
    if (this.#held + bytes > this.#total) return 'all';
    if (own > this.#perOwner) return 'owner';
    this.#owners.set(owner, own);
    this.#held += bytes;
    return null;
  }

  /** Gives back bytes that `take` counted for this owner. */
  give(owner: string, bytes: number): void {
    const left = (this.#owners.get(owner) ?? 0) - bytes;
    if (left > 0) this.#owners.set(owner, left);
    else this.#owners.delete(owner);
    this.#held -= bytes;
  }
}

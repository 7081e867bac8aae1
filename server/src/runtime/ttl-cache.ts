import type { Clock } from './clock.ts';

interface TtlCacheOptions<Value, Key extends string> {
  readonly clock: Clock;
  /** How old an answer may be when it is used, counted from the moment its question was asked. */
  readonly maxAgeMs: number;
  /** Answers kept; beyond it the oldest is forgotten. */
  readonly maxEntries: number;
  /** Whether an answer is kept in a memory of its own, of the same size, where it pushes out no others. */
  readonly isApart?: (value: Value) => boolean;
  /** @param known the answer of before, also when it is too old: for whoever reads only what changed since */
  readonly read: (key: Key, known: Value | undefined) => Promise<Value>;
}

interface Entry<Value> {
  readonly value: Value;
  readonly askedMs: number;
}

/** At this share of its age an answer in use is asked for anew, so that nobody has to wait when it becomes too old. */
const RENEW_AT = 0.5;

/**
 * Answers of the database that many requests need, a moment old at most. Whoever asks for the same thing at the same
 * time waits for one question, and what is in use is renewed before it is too old: the hot path never waits.
 */
export class TtlCache<Value, Key extends string = string> {
  readonly #options: TtlCacheOptions<Value, Key>;
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #apart = new Map<Key, Entry<Value>>();
  readonly #asking = new Map<Key, Promise<Value>>();

  constructor(options: TtlCacheOptions<Value, Key>) {
    this.#options = options;
  }

  /** Without a promise when the answer is remembered. Rejects when it is not, and the database cannot be asked. */
  of(key: Key): Value | Promise<Value> {
    const { clock, maxAgeMs } = this.#options;
    const entry = this.#known(key);
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - entry.askedMs;
    if (entry === undefined || ageMs >= maxAgeMs) return this.#ask(key);
    // A renewal that fails leaves the old answer to its age; then somebody waits, and is told.
    if (ageMs >= maxAgeMs * RENEW_AT) this.#ask(key).catch(() => undefined);
    return entry.value;
  }

  #known(key: Key): Entry<Value> | undefined {
    return this.#entries.get(key) ?? this.#apart.get(key);
  }

  #ask(key: Key): Promise<Value> {
    const running = this.#asking.get(key);
    if (running !== undefined) return running;
    const asked = this.#read(key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asked);
    return asked;
  }

  async #read(key: Key): Promise<Value> {
    const askedMs = this.#options.clock.monotonic();
    const value = await this.#options.read(key, this.#known(key)?.value);
    this.#entries.delete(key);
    this.#apart.delete(key);
    const entries = this.#options.isApart?.(value) ? this.#apart : this.#entries;
    entries.set(key, { value, askedMs });
    if (entries.size > this.#options.maxEntries) entries.delete(entries.keys().next().value as Key);
    return value;
  }
}

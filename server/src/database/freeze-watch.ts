import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import type { Clock } from '#runtime/clock';
import type { Log } from '#runtime/log';

/** How often the connections are looked at; a look reads counters and asks nothing. */
const LOOK_MS = 250;
/** Silence that is suspicious while somebody waits. A slow statement alone is silent as well: hence the probe. */
const SILENT_MS = 2_000;
/** A server that does not even greet a new connection within this is frozen. */
const PROBE_MS = 2_000;

/** The connections that are watched. */
export interface Watched {
  /** Connections in use or being opened. */
  readonly busy: number;
  /** Bytes received on all connections so far. */
  readonly bytesRead: number;
  /** Breaks every connection: whoever waits on one gets its error now. */
  breakAll(): void;
}

interface FreezeWatchParams {
  readonly clock: Clock;
  readonly log: Log;
  readonly watched: () => Watched;
  /** Whether the server answers a new connection, be it with a refusal. */
  readonly probe: () => Promise<boolean>;
}

/**
 * Notices a database server that takes connections and answers nothing (stopped, its disk hangs, packets are dropped).
 * When nothing comes back on any connection while somebody waits, and a new connection gets no answer either, every
 * connection is broken and no new one is tried until a probe is answered. So requests fail after some 4 s, and from then
 * on at once, while a statement that is merely slow has all the time it is entitled to.
 */
export class FreezeWatch {
  readonly #params: FreezeWatchParams;
  #isFrozen = false;
  #isClosed = false;
  #bytesRead = 0;
  #heardMs: number;
  #cancel: () => void = () => undefined;

  constructor(params: FreezeWatchParams) {
    this.#params = params;
    this.#heardMs = params.clock.monotonic();
    this.#later();
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #later(): void {
    if (!this.#isClosed) this.#cancel = this.#params.clock.after(LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#isFrozen || this.#isSilent()) await this.#ask();
    this.#later();
  }

  /** Whether somebody waits, and nothing has come for a suspicious time. */
  #isSilent(): boolean {
    const { clock, watched } = this.#params;
    const { busy, bytesRead } = watched();
    const nowMs = clock.monotonic();
    if (busy === 0 || bytesRead !== this.#bytesRead) this.#heardMs = nowMs;
    this.#bytesRead = bytesRead;
    return nowMs - this.#heardMs >= SILENT_MS;
  }

  async #ask(): Promise<void> {
    const { clock, log, probe, watched } = this.#params;
    if (await probe()) {
      if (this.#isFrozen) log.warn({}, 'storage.answers_again');
      this.#isFrozen = false;
      this.#heardMs = clock.monotonic();
      return;
    }
    if (this.#isFrozen || this.#isClosed || !this.#isSilent()) return;
    this.#isFrozen = true;
    log.error({}, 'storage.frozen: PostgreSQL takes connections but answers nothing; requests fail until it does.');
    watched().breakAll();
  }
}

/** Greets the server on a connection of its own. @returns false when nothing came back; a refusal is an answer too */
export async function serverAnswers(url: string, clock: Clock): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'postrider-probe' });
  client.on('error', () => undefined);
  let answered = false;
  const greeted = client.connect().then(
    () => client.end(),
    () => undefined,
  );
  const heard = greeted.then(() => {
    answered = true;
  });
  await Promise.race([heard, new Promise<void>((resolve) => clock.after(PROBE_MS, resolve))]);
  // A process that stood still itself runs its timers before it reads what has come meanwhile.
  await setImmediate();
  client.connection.stream.destroy();
  return answered;
}

/** The tab that has the stream: reads it, and passes on to the others what comes. */
import { SignedOut, StreamExpired, type StreamFrame } from './source.ts';
import { retryMs } from './store.ts';
import type { StreamHistory } from './stream-history.ts';
import type { EndReason, TabMessage } from './stream-messages.ts';
import type { TabChannel } from './tabs.ts';
import { pause } from './waits.ts';

export type OpenStream = (after: string | null, signal: AbortSignal) => AsyncIterable<StreamFrame>;

/** A tab may be ahead of a new leader: so long it takes at most until the leader is there too. */
const CATCH_UP_MS = 5_000;

interface Deps {
  readonly channel: TabChannel<TabMessage>;
  readonly history: StreamHistory;
  readonly open: OpenStream;
  /** What the leader's own page is given. */
  readonly deliver: (frame: StreamFrame) => void;
}

interface Waiting {
  readonly tab: string;
  readonly after: string | null;
  readonly sinceMs: number;
}

export class StreamLeader {
  readonly #deps: Deps;
  #term: number;
  #number = 0;
  #connectedMs: number | null = null;
  #waiting: Waiting[] = [];

  constructor(deps: Deps, term: number) {
    this.#deps = deps;
    this.#term = term;
    deps.channel.post({ kind: 'leader', term });
  }

  get term(): number {
    return this.#term;
  }

  /** Leads until the signal ends it. @throws StreamExpired, SignedOut, which the others are told too */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        for await (const frame of this.#deps.open(this.#deps.history.position, signal)) {
          if (signal.aborted) return;
          if (!frame.isCut) failures = 0;
          this.#pass(frame);
        }
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== null) {
          this.#deps.channel.post({ kind: 'ended', term: this.#term, reason });
          throw error;
        }
      }
      if (signal.aborted) return;
      this.#pass({ position: null, event: null, isCut: true });
      await pause(retryMs(failures), signal);
    }
  }

  hear(message: TabMessage): void {
    if (message.kind !== 'join' && message.kind !== 'ping') return;
    // A clock that was put back: what this leader says would be taken for old.
    if (message.term > this.#term) this.#rise(message.term + 1);
    if (message.kind === 'ping') this.#deps.channel.post({ kind: 'pong', term: this.#term });
    else this.#admit(message);
  }

  #admit({ tab, after }: Extract<TabMessage, { kind: 'join' }>): void {
    const known = this.#waiting.find((one) => one.tab === tab && one.after === after);
    const waiting = known ?? { tab, after, sinceMs: Date.now() };
    this.#waiting = [...this.#waiting.filter((one) => one.tab !== tab), waiting];
    this.#welcome();
    if (known === undefined) setTimeout(() => this.#welcome(), CATCH_UP_MS + 1);
  }

  #rise(term: number): void {
    this.#term = term;
    this.#number = 0;
    this.#deps.channel.post({ kind: 'leader', term });
  }

  #pass(frame: StreamFrame): void {
    const { channel, history, deliver } = this.#deps;
    // The line says where it stands after each event: nothing new to those who have had the event.
    const isKnown =
      !frame.isCut && this.#connectedMs !== null && frame.event === null && frame.position === history.position;
    this.#connectedMs = frame.isCut ? null : (this.#connectedMs ?? Date.now());
    history.add(frame);
    deliver(frame);
    if (!isKnown) {
      this.#number += 1;
      channel.post({ kind: 'frame', term: this.#term, number: this.#number, frame });
    }
    this.#welcome();
  }

  /** Answers the tabs that want to follow, as far as this one knows where they are. */
  #welcome(): void {
    const connectedMs = this.#connectedMs;
    if (connectedMs === null) return;
    this.#waiting = this.#waiting.filter(({ tab, after, sinceMs }) => {
      const frames = this.#missedSince(after);
      const isLate = Date.now() - Math.max(connectedMs, sinceMs) > CATCH_UP_MS;
      if (frames === null && !isLate) return true;
      this.#deps.channel.post({ kind: 'welcome', tab, term: this.#term, number: this.#number, frames });
      return false;
    });
  }

  #missedSince(after: string | null): readonly StreamFrame[] | null {
    const { history } = this.#deps;
    const here: StreamFrame = { position: history.position, event: null, isCut: false };
    if (after === null) return [here];
    const missed = history.since(after);
    return missed === null ? null : [...missed, here];
  }
}

function reasonOf(error: unknown): EndReason | null {
  if (error instanceof StreamExpired) return 'expired';
  return error instanceof SignedOut ? 'signed_out' : null;
}

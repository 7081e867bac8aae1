import type { Runtime } from '#runtime/runtime';
import { Circuit } from './circuit.ts';

/** What a send was, for the circuits. */
export interface Sent {
  readonly messageId: string;
  /** Key of its lane. */
  readonly lane: string;
}

/** So many numbers without any answer of the network itself in between: the route to it is broken, not one number. */
const MANY_LANES = 3;
/** So many consecutive sends of one number: it pauses, and the others continue. */
const MANY_SENDS = 3;

/**
 * The circuit breaker of a dispatcher. It opens for all numbers when the network cannot be reached, or when several numbers get
 * broken answers or pages of something in between; for one number when only that one does. A message that is held back loses no attempt.
 */
export class Outage {
  readonly #rt: Runtime;
  readonly #network: Circuit;
  /** Lanes whose last sends got no answer of the network, and how many. */
  readonly #lanes = new Map<string, { readonly circuit: Circuit; failures: number }>();
  /** Of them, those that failed since the network last answered any lane. */
  readonly #failing = new Set<string>();
  readonly #changed: (reason: string | null) => void;
  #beganMs = 0;

  /** @param changed called when an outage begins, with what came in place of an answer, and with null when it ends */
  constructor(rt: Runtime, changed: (reason: string | null) => void) {
    this.#rt = rt;
    this.#changed = changed;
    this.#network = new Circuit(rt.clock);
  }

  /** A connection could not be made, which no single number causes. */
  unreachable(sent: Sent, reason: string): void {
    this.#open(sent, reason);
  }

  /** An answer came from something in between, or the connection broke. */
  unanswered(sent: Sent, reason: string): void {
    if (!this.#count(sent)) return;
    this.#failing.add(sent.lane);
    if (this.#failing.size >= MANY_LANES) this.#open(sent, reason);
  }

  /**
   * Nothing came until the deadline: it says something of this number alone, since others may be answered while it
   * waits.
   */
  silent(sent: Sent): void {
    this.#count(sent);
  }

  /** @returns false during an outage, in which only the probe counts */
  #count({ messageId, lane: key }: Sent): boolean {
    if (!this.#network.isClosed) {
      this.#network.failed(messageId);
      return false;
    }
    const lane = this.#lanes.get(key) ?? { circuit: new Circuit(this.#rt.clock), failures: 0 };
    this.#lanes.set(key, lane);
    lane.failures += 1;
    if (lane.failures >= MANY_SENDS) lane.circuit.failed(messageId);
    return true;
  }

  /** The network itself answered, with any result. */
  answered(lane: string): void {
    if (this.#lanes.size > 0) this.#lanes.delete(lane);
    if (this.#failing.size > 0) this.#failing.clear();
    if (this.#network.isClosed) return;
    this.#network.close();
    // They failed because of the outage: every lane continues immediately.
    this.#lanes.clear();
    this.#changed(null);
    this.#rt.metrics.networkOutage.set(0);
    this.#rt.log.warn({ lasted_ms: Math.round(this.#rt.clock.monotonic() - this.#beganMs) }, 'network.outage_ended');
  }

  /** Whether no message of this lane may be claimed now. */
  isDown(lane: string): boolean {
    return this.#circuitOf(lane)?.isOpen() ?? false;
  }

  /** Whether this message may be claimed; when half open, only the first that asks. */
  admits({ messageId, lane }: Sent): boolean {
    return this.#circuitOf(lane)?.admits(messageId) ?? true;
  }

  /** Whether this claimed message may leave now. */
  mayLeave({ messageId, lane }: Sent): boolean {
    return this.#circuitOf(lane)?.mayLeave(messageId) ?? true;
  }

  /** Exactly one circuit decides: two that choose a probe each may never agree on one message. */
  #circuitOf(lane: string): Circuit | undefined {
    return this.#network.isClosed ? this.#lanes.get(lane)?.circuit : this.#network;
  }

  /** How long a message that could not leave waits. */
  waitMs(): number {
    return this.#network.waitMs();
  }

  #open({ messageId }: Sent, reason: string): void {
    const begins = this.#network.isClosed;
    this.#network.failed(messageId);
    if (!begins) return;
    this.#beganMs = this.#rt.clock.monotonic();
    this.#changed(reason);
    this.#rt.metrics.networkOutage.set(1);
    this.#rt.log.warn({ reason }, 'network.outage_began');
  }
}

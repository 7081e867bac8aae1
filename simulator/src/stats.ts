/** Counters since the start or the last reset. */
export class Stats {
  #accepted = 0;
  readonly #refused = new Map<string, number>();
  #connectionsCut = 0;
  #callbacksSent = 0;
  #callbacksFailed = 0;
  #callbacksDropped = 0;
  #statusesSent = 0;
  #inboundSent = 0;
  #accountUpdatesSent = 0;

  sendAccepted(): void {
    this.#accepted++;
  }

  /** `reason` is the network's code, or the name of a fault without one. */
  sendRefused(reason: number | string): void {
    const key = String(reason);
    this.#refused.set(key, (this.#refused.get(key) ?? 0) + 1);
  }

  connectionCut(): void {
    this.#connectionsCut++;
  }

  callbackTaken(kind: 'statuses' | 'messages' | 'calls' | 'account', updates: number): void {
    this.#callbacksSent++;
    if (kind === 'statuses') this.#statusesSent += updates;
    else if (kind === 'messages') this.#inboundSent += updates;
    else if (kind === 'account') this.#accountUpdatesSent += updates;
  }

  callbackFailed(): void {
    this.#callbacksFailed++;
  }

  callbackDropped(): void {
    this.#callbacksDropped++;
  }

  /** Field names as `GET /_sim/stats` shows them. */
  snapshot(): Readonly<Record<string, unknown>> {
    return {
      accepted: this.#accepted,
      refused: Object.fromEntries(this.#refused),
      connections_cut: this.#connectionsCut,
      callbacks_sent: this.#callbacksSent,
      callbacks_failed: this.#callbacksFailed,
      callbacks_dropped: this.#callbacksDropped,
      statuses_sent: this.#statusesSent,
      inbound_sent: this.#inboundSent,
      account_updates_sent: this.#accountUpdatesSent,
    };
  }

  reset(): void {
    this.#accepted = 0;
    this.#refused.clear();
    this.#connectionsCut = 0;
    this.#callbacksSent = 0;
    this.#callbacksFailed = 0;
    this.#callbacksDropped = 0;
    this.#statusesSent = 0;
    this.#inboundSent = 0;
    this.#accountUpdatesSent = 0;
  }
}

/** Sends what somebody does: in order within a conversation, again when no answer came, and never before its time. */
import { beginTry, commandsToTry, dropCommand, finishTry, holdEnds, releaseHeld, submit } from './client.ts';
import type { Command, Intent } from './commands.ts';
import type { LiveSource, Outbox } from './source.ts';
import { type LiveStore, retryMs } from './store.ts';
import { randomKey } from './waits.ts';

export class Sender {
  readonly #store: LiveStore;
  readonly #source: LiveSource;
  readonly #outbox: Outbox;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #hold: { readonly timer: ReturnType<typeof setTimeout>; readonly endsMs: number } | null = null;
  #tries = 0;

  constructor(store: LiveStore, source: LiveSource, outbox: Outbox) {
    this.#store = store;
    this.#source = source;
    this.#outbox = outbox;
    store.afterChange(() => this.#try());
    store.end.addEventListener('abort', () => {
      if (this.#retry !== null) clearTimeout(this.#retry);
      if (this.#hold !== null) clearTimeout(this.#hold.timer);
    });
  }

  /** Takes over what a page has left behind. It may have been done: it is sent with the keys that it has. */
  adopt(commands: readonly Command[]): void {
    for (const { holdUntil: _, ...command } of commands) {
      if (this.#store.client.commands.some(({ key }) => key === command.key)) continue;
      this.#store.change((client) => submit(client, { ...command, progress: { at: 'waiting' }, isRepeated: true }));
    }
  }

  submit(conversationId: string, intent: Intent, holdMs: number): Command {
    const nowMs = Date.now();
    const issuedAt = new Date(nowMs).toISOString();
    const hold = holdMs > 0 ? { holdUntil: new Date(nowMs + holdMs).toISOString() } : {};
    const command: Command = {
      key: randomKey(),
      conversationId,
      intent,
      issuedAt,
      progress: { at: 'waiting' },
      ...hold,
    };
    void this.#outbox.keep(command).catch(() => undefined);
    this.#store.change((client) => submit(client, command));
    return command;
  }

  drop(key: string): void {
    void this.#outbox.forget(key).catch(() => undefined);
    this.#store.change((client) => dropCommand(client, key));
  }

  /** Takes back a command that is still held. @returns whether it was in time */
  undo(key: string): boolean {
    const held = this.#store.client.commands.find((one) => one.key === key);
    if (held?.holdUntil === undefined || held.progress.at !== 'waiting') return false;
    this.drop(key);
    return true;
  }

  /** Tries now what waits for a line. */
  hurry(): void {
    this.#tries = 0;
    this.#try();
  }

  /** The page goes away: what is held is sent, and the browser finishes the requests without the page. */
  leave(): void {
    this.#store.set({ client: releaseHeld(this.#store.client) });
    // There is no time for one after the other: they leave in their order.
    for (const command of this.#store.client.commands) {
      if (command.progress.at === 'waiting') void this.#tryOne(command, true);
    }
  }

  #try(): void {
    if (this.#store.end.aborted) return;
    // One moment for both: a hold that ended between them would be neither sent nor waited for.
    const nowMs = Date.now();
    for (const command of commandsToTry(this.#store.client, nowMs)) void this.#tryOne(command, false);
    this.#waitForHolds(nowMs);
  }

  #waitForHolds(nowMs: number): void {
    const endsMs = holdEnds(this.#store.client, nowMs);
    if (endsMs === this.#hold?.endsMs) return;
    if (this.#hold !== null) clearTimeout(this.#hold.timer);
    const again = () => {
      this.#hold = null;
      this.#try();
    };
    this.#hold = endsMs === null ? null : { endsMs, timer: setTimeout(again, Math.max(0, endsMs - Date.now())) };
  }

  async #tryOne(command: Command, isLeaving: boolean): Promise<void> {
    const { key } = command;
    const startedAt = this.#store.client.state.head;
    this.#store.set({ client: beginTry(this.#store.client, key) });
    const tried = this.#store.client.commands.find((one) => one.key === key) ?? command;
    // Every try is the same request, also when another page makes it.
    if (tried.intent !== command.intent) void this.#outbox.keep(tried).catch(() => undefined);
    const outcome = await this.#source.execute(tried, isLeaving).catch(() => ({ kind: 'lost' }) as const);
    if (outcome.kind === 'lost') {
      if (!this.#store.end.aborted) this.#retry ??= setTimeout(this.#again, retryMs(this.#tries++));
      return this.#store.set({ client: finishTry(this.#store.client, key, outcome, startedAt) });
    }
    this.#tries = 0;
    void this.#outbox.forget(key).catch(() => undefined);
    this.#store.change((client) => finishTry(client, key, outcome, startedAt));
  }

  readonly #again = (): void => {
    this.#retry = null;
    this.#try();
  };
}

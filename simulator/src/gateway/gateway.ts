import { randomBytes } from 'node:crypto';

/** An object of the gateway, with the members that its clients see. */
export type GatewayObject = { readonly id: string; readonly object: string; [member: string]: unknown };

/** What a request with an idempotency key was answered. */
export type Replay = {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly atMs: number;
};

const REPLAY_MS = 24 * 3600 * 1000;
const ID_BYTES = 18;

/** Everything that the payment gateway keeps. */
export class Gateway {
  readonly #objects = new Map<string, GatewayObject>();
  readonly #replays = new Map<string, Replay>();

  newId(prefix: string): string {
    return `${prefix}_${randomBytes(ID_BYTES).toString('base64url').replace(/[-_]/g, 'x')}`;
  }

  keep<T extends GatewayObject>(object: T): T {
    this.#objects.set(object.id, object);
    return object;
  }

  /** The object of this id and kind. */
  find(kind: string, id: string): GatewayObject | null {
    const found = this.#objects.get(id);
    return found?.object === kind ? found : null;
  }

  /** The object of an id of any kind. */
  any(id: string): GatewayObject | null {
    return this.#objects.get(id) ?? null;
  }

  /** All of one kind, the newest first, as the gateway lists them. */
  list(kind: string): readonly GatewayObject[] {
    return [...this.#objects.values()].filter((object) => object.object === kind).reverse();
  }

  replayOf(key: string, nowMs: number): Replay | null {
    const replay = this.#replays.get(key);
    return replay === undefined || nowMs - replay.atMs >= REPLAY_MS ? null : replay;
  }

  remember(key: string, replay: Replay): void {
    this.#replays.set(key, replay);
  }

  reset(): void {
    this.#objects.clear();
    this.#replays.clear();
  }
}

/** The instant as the gateway writes it: unix seconds. */
export function seconds(nowMs: number): number {
  return Math.floor(nowMs / 1000);
}

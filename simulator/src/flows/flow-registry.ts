import type { JsonObject } from '../json.ts';

export const FLOW_STATUSES = ['DRAFT', 'PUBLISHED', 'DEPRECATED', 'BLOCKED', 'THROTTLED'] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

export const FLOW_CATEGORIES = [
  'SIGN_UP',
  'SIGN_IN',
  'APPOINTMENT_BOOKING',
  'LEAD_GENERATION',
  'CONTACT_US',
  'CUSTOMER_SUPPORT',
  'SURVEY',
  'OTHER',
] as const;

/** A form that customers fill in. */
export type Flow = {
  readonly id: string;
  readonly wabaId: string;
  name: string;
  categories: readonly string[];
  status: FlowStatus;
  /** Null until some arrives. */
  json: JsonObject | null;
  /** As the network words them. */
  problems: readonly JsonObject[];
};

export type KeptFlows = readonly Flow[];

/** They have as many digits as the network's. */
const IDS_PER_MS = 100;

/** The flows of all accounts. */
export class FlowRegistry {
  readonly #flows = new Map<string, Flow>();
  #lastId = 0;

  /** Ids grow, as those of the network mostly do. */
  newId(nowMs: number): string {
    this.#lastId = Math.max(this.#lastId + 1, nowMs * IDS_PER_MS);
    return String(this.#lastId);
  }

  add(flow: Flow): void {
    this.#flows.set(flow.id, flow);
  }

  find(id: string): Flow | null {
    return this.#flows.get(id) ?? null;
  }

  named(wabaId: string, name: string): Flow | null {
    return this.list().find((flow) => flow.wabaId === wabaId && flow.name === name) ?? null;
  }

  /** Newest first. */
  list(): readonly Flow[] {
    return [...this.#flows.values()].reverse();
  }

  remove({ id }: Flow): void {
    this.#flows.delete(id);
  }

  /** Oldest first, as they are put back. */
  dump(): KeptFlows {
    return [...this.#flows.values()];
  }

  /** @param kept undefined: an earlier program kept none */
  load(kept: KeptFlows | undefined): void {
    for (const flow of kept ?? []) this.add(flow);
  }

  reset(): void {
    this.#flows.clear();
  }
}

import type { AgentId, ViewId } from '#core/ids';
import type { JsonObject } from '#core/json';

export const viewSorts = ['last_activity', 'waiting_since'] as const;

/** A condition about conversations that has a name. */
export interface SavedView {
  readonly viewId: ViewId;
  readonly name: string;
  /** As it was written; checked when it was stored, and again when it is used. */
  readonly condition: JsonObject;
  readonly sort: (typeof viewSorts)[number];
  /** Whose it is; null: all agents see it. */
  readonly agentId: AgentId | null;
  /** Where it stands among the others, from the lowest. */
  readonly position: number;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Of one agent, and shared by all: an agent sees at most 100, which one request counts. */
export const MAX_VIEWS = 50;

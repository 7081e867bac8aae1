import type { Asked } from '#accounts/domain/account-network';
import type { JsonObject } from '#core/json';
import type { AccountAccess } from '#templates/domain/network';
import type { Flow, FlowDetails, FlowProblem, SavedFlowJson } from './flow.ts';

/** A flow to create, as a draft. */
export interface NewFlow extends FlowDetails {
  /** Null: it gets its JSON later. */
  readonly json: JsonObject | null;
  /** A flow whose JSON is copied; null: none. */
  readonly cloneFlowId: string | null;
}

/** The part of the network that keeps flows. Each call tries once and never rejects. */
export interface FlowNetwork {
  /** All flows of an account, without previews and health. */
  listFlows(at: AccountAccess): Promise<Asked<readonly Flow[]>>;
  /** Null: there is no such flow, or the token does not reach it. It may be in another account. */
  findFlow(at: AccountAccess, flowId: string): Promise<Asked<Flow | null>>;
  createFlow(at: AccountAccess, flow: NewFlow): Promise<Asked<CreatedFlow>>;
  changeFlow(at: AccountAccess, flowId: string, change: Partial<FlowDetails>): Promise<Asked<true>>;
  setFlowJson(at: AccountAccess, flowId: string, json: JsonObject): Promise<Asked<SavedFlowJson>>;
  publishFlow(at: AccountAccess, flowId: string): Promise<Asked<true>>;
  deprecateFlow(at: AccountAccess, flowId: string): Promise<Asked<true>>;
  deleteFlow(at: AccountAccess, flowId: string): Promise<Asked<true>>;
}

/** What the network answers about a flow that it has created. */
export interface CreatedFlow {
  readonly flowId: string;
  readonly problems: readonly FlowProblem[];
}

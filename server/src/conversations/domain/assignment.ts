import type { AssignmentPolicy, Availability } from '#agents/domain/agent';
import type { AgentId, TeamId } from '#core/ids';

/** An agent as assignment sees it. */
export interface AssignmentCandidate {
  readonly agentId: AgentId;
  readonly name: string;
  readonly availability: Availability;
  readonly openCount: number;
  readonly maxOpen: number;
  readonly skills: readonly string[];
  /** Whose is lowest is next. */
  readonly turn: number;
}

/** A team as assignment sees it. */
export interface Pool {
  readonly teamId: TeamId;
  readonly policy: AssignmentPolicy;
  /** Whether it is within its hours. */
  readonly isOpen: boolean;
  readonly candidates: readonly AssignmentCandidate[];
}

/** What a decision is about: one conversation and who could take it. */
export interface Question {
  readonly team: Pool;
  /** Asked when no agent of the team has room; null: there is none. */
  readonly overflow: Pool | null;
  /** Of the team; the members of the overflow need them too. */
  readonly requiredSkills: readonly string[];
  /** The agent of the customer's last conversation; null: none, or the team does not care. */
  readonly stickyAgentId: AgentId | null;
}

export const skipReasons = ['offline', 'away', 'at_capacity', 'lacks_skill', 'outside_hours', 'not_next'] as const;
export type AssignmentSkipReason = (typeof skipReasons)[number];

/** Who was not chosen, and why, in words that a person understands. */
export interface Skipped {
  readonly agentId: AgentId;
  readonly name: string;
  readonly reason: AssignmentSkipReason;
  /** `5/5` at capacity, the missing skill, or what another had that this one had not. */
  readonly detail: string | null;
}

export type AssignmentChoice =
  | {
      readonly outcome: 'assigned';
      readonly agentId: AgentId;
      /** The pool that the agent comes from. */
      readonly teamId: TeamId;
      readonly because: 'sticky' | 'round_robin' | 'least_loaded';
      readonly skipped: readonly Skipped[];
    }
  | {
      readonly outcome: 'waits';
      readonly because: 'outside_hours' | 'nobody_has_room' | 'by_hand';
      readonly skipped: readonly Skipped[];
    };

/** Who gets a conversation, with the reason for each who does not. A pure function of its input. */
export function chooseAgent(question: Question): AssignmentChoice {
  const { team, overflow } = question;
  if (team.policy === 'manual') return { outcome: 'waits', because: 'by_hand', skipped: [] };
  const found = pick(team, question);
  if (found.outcome === 'assigned' || overflow === null) return found;
  // The policy is the team's own: those who help follow it.
  const helped = pick({ ...overflow, policy: team.policy }, { ...question, stickyAgentId: null });
  const skipped = [...found.skipped, ...helped.skipped];
  return helped.outcome === 'assigned' ? { ...helped, skipped } : { ...found, skipped };
}

function pick(pool: Pool, { requiredSkills, stickyAgentId }: Question): AssignmentChoice {
  if (!pool.isOpen) {
    const skipped = pool.candidates.map((one) => skip(one, 'outside_hours', null));
    return { outcome: 'waits', because: 'outside_hours', skipped };
  }
  const refused = pool.candidates.flatMap((one) => refusalOf(one, requiredSkills) ?? []);
  const refusedIds = new Set(refused.map(({ agentId }) => agentId));
  const eligible = pool.candidates.filter(({ agentId }) => !refusedIds.has(agentId));
  const last = eligible.find(({ agentId }) => agentId === stickyAgentId);
  const [first] = eligible.toSorted(orderOf(pool.policy));
  const chosen = last ?? first;
  if (chosen === undefined) return { outcome: 'waits', because: 'nobody_has_room', skipped: refused };
  const because = last !== undefined ? 'sticky' : pool.policy === 'round_robin' ? 'round_robin' : 'least_loaded';
  const others = eligible.filter((one) => one !== chosen).map((one) => skip(one, 'not_next', loadOf(one)));
  return {
    outcome: 'assigned',
    agentId: chosen.agentId,
    teamId: pool.teamId,
    because,
    skipped: [...refused, ...others],
  };
}

function refusalOf(one: AssignmentCandidate, requiredSkills: readonly string[]): Skipped | null {
  if (one.availability !== 'online') return skip(one, one.availability, null);
  const missing = requiredSkills.find((skill) => !one.skills.includes(skill));
  if (missing !== undefined) return skip(one, 'lacks_skill', missing);
  return one.openCount >= one.maxOpen ? skip(one, 'at_capacity', loadOf(one)) : null;
}

function skip({ agentId, name }: AssignmentCandidate, reason: AssignmentSkipReason, detail: string | null): Skipped {
  return { agentId, name, reason, detail };
}

function loadOf({ openCount, maxOpen }: AssignmentCandidate): string {
  return `${openCount}/${maxOpen}`;
}

type Order = (a: AssignmentCandidate, b: AssignmentCandidate) => number;

const byTurn: Order = (a, b) => a.turn - b.turn || (a.agentId < b.agentId ? -1 : 1);
/**
 * By the share of the capacity that is in use: an agent with a capacity of ten gets two while another with five gets
 * one.
 */
const byLoad: Order = (a, b) => a.openCount * b.maxOpen - b.openCount * a.maxOpen || byTurn(a, b);

function orderOf(policy: AssignmentPolicy): Order {
  return policy === 'round_robin' ? byTurn : byLoad;
}

/** The pool after one of its members got a conversation: its turn is over. */
export function withAssigned(pool: Pool, agentId: AgentId): Pool {
  const turn = Math.max(0, ...pool.candidates.map((one) => one.turn)) + 1;
  const changed = (one: AssignmentCandidate) => ({ ...one, openCount: one.openCount + 1, turn });
  return { ...pool, candidates: pool.candidates.map((one) => (one.agentId === agentId ? changed(one) : one)) };
}

/** The pool after a member turned out to be full: others gave it a conversation in the meantime. */
export function withFull(pool: Pool, agentId: AgentId): Pool {
  const full = (one: AssignmentCandidate) => ({ ...one, openCount: Math.max(one.openCount, one.maxOpen) });
  return { ...pool, candidates: pool.candidates.map((one) => (one.agentId === agentId ? full(one) : one)) };
}

/** Whether a conversation takes a place in the capacity of its agent. */
export function countsTowardCapacity({ status }: { readonly status: string }): boolean {
  return status === 'open' || status === 'pending';
}

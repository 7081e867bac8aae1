import type { Agent, Team } from '#agents/domain/agent';
import { describeAgent, describeTeam } from '#agents/domain/agent-events';
import type { JsonObject } from '#core/json';

/** @param nowMs the moment that the availability is told for */
export function presentAgent(agent: Agent, nowMs: number): JsonObject {
  return describeAgent(agent, nowMs);
}

export function presentTeam(team: Team): JsonObject {
  return describeTeam(team);
}

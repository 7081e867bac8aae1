import { availabilityAt, type Team } from '#agents/domain/agent';
import { isOpenAt, openHours } from '#agents/domain/business-hours';
import { takeCapacity } from '#agents/store/agents';
import { findHoursOfTeam } from '#agents/store/business-hours';
import { findTeam, lockTeamIfFree } from '#agents/store/teams';
import {
  type AssignmentChoice,
  chooseAgent,
  type Pool,
  withAssigned,
  withFull,
} from '#conversations/domain/assignment';
import {
  type AssignmentEntry,
  appendAssignments,
  claimWaiting,
  findTeamsWithWork,
  listCandidates,
  setTurns,
  type Turn,
  type WaitingConversation,
} from '#conversations/store/assignment';
import type { AgentId, TeamId } from '#core/ids';
import type { Database, SqlRunner, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { updateConversation } from './change-conversation.ts';
import { ASSIGNMENT } from './update-agent-load.ts';

/** Teams that one round processes; further ones follow in the next. */
const MAX_TEAMS = 200;
/** Conversations that one transaction assigns: each is an event, and others wait for the team until it ends. */
const MAX_AT_ONCE = 50;

/**
 * Assigns every waiting conversation to an agent who is eligible and has room, until there is none of either.
 * @returns how many were assigned
 */
export async function assignWaiting(rt: Runtime, db: Database): Promise<number> {
  const teams = await findTeamsWithWork(db, { nowMs: rt.clock.now(), limit: MAX_TEAMS, seed: rt.newId() });
  let assigned = 0;
  for (const team of teams) {
    let round = MAX_AT_ONCE;
    while (round === MAX_AT_ONCE) {
      round = await withEvents(rt, db, (tx, events) => assignForTeam({ rt, tx, events }, team));
      assigned += round;
    }
  }
  return assigned;
}

/** Where a decision is written. */
interface Room {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly events: EventSink;
}

/** The pools that a team draws from, as they are after the decisions so far. */
interface Pools {
  readonly team: Pool;
  readonly overflow: Pool | null;
}

/** One process at a time assigns for a team: turns then have one order. @returns how many were assigned */
async function assignForTeam(room: Room, { tenantId, teamId }: Pick<Team, 'tenantId' | 'teamId'>): Promise<number> {
  const { rt, tx } = room;
  const team = await lockTeamIfFree(tx, tenantId, teamId);
  if (team === null) return 0;
  let pools = await readPools(rt, tx, team);
  const entries: AssignmentEntry[] = [];
  for (const waiting of await claimQueues(tx, team)) {
    const given = await give(room, team, pools, waiting);
    pools = given.pools;
    if (given.entry !== null) entries.push(given.entry);
  }
  await setTurns(tx, tenantId, turnsOf(pools, entries));
  await appendAssignments(tx, entries);
  return entries.length;
}

/** Conversations that wait for the team itself come before those that wait for any team. */
async function claimQueues(tx: Transaction, team: Team): Promise<readonly WaitingConversation[]> {
  const { tenantId, teamId } = team;
  const own = await claimWaiting(tx, { tenantId, teamId, limit: MAX_AT_ONCE });
  if (!team.isDefault || own.length === MAX_AT_ONCE) return own;
  const others = await claimWaiting(tx, { tenantId, teamId: null, limit: MAX_AT_ONCE - own.length });
  return [...own, ...others];
}

/** The team and its overflow with their members, as assignment sees them. */
export async function readPools(rt: Runtime, db: SqlRunner, team: Team): Promise<Pools> {
  const { tenantId, overflowTeamId } = team;
  const overflow = overflowTeamId === null ? null : await findTeam(db, tenantId, overflowTeamId);
  return {
    team: await readPool(rt, db, team),
    overflow: overflow === null ? null : await readPool(rt, db, overflow),
  };
}

async function readPool(rt: Runtime, db: SqlRunner, { tenantId, teamId, policy }: Team): Promise<Pool> {
  const nowMs = rt.clock.now();
  const hours = await findHoursOfTeam(db, tenantId, teamId);
  const stored = await listCandidates(db, tenantId, teamId);
  const candidates = stored.map(({ presenceUntilMs, ...one }) => {
    return { ...one, availability: availabilityAt({ availability: one.availability, presenceUntilMs }, nowMs) };
  });
  return { teamId, policy, isOpen: hours === null || isOpenAt(openHours(hours), nowMs), candidates };
}

interface Given {
  readonly pools: Pools;
  /** Null: it still waits. */
  readonly entry: AssignmentEntry | null;
}

/**
 * Assigns one conversation. An agent that turns out to be full, because another team assigned meanwhile, is passed
 * over.
 */
async function give(room: Room, team: Team, pools: Pools, waiting: WaitingConversation): Promise<Given> {
  const { rt, tx } = room;
  const choice = decideAssignment(team, pools, waiting.lastAgentId);
  if (choice.outcome === 'waits') return { pools, entry: null };
  const { agentId, because, skipped } = choice;
  if (!(await takeCapacity(tx, team.tenantId, agentId, rt.clock.now()))) {
    return give(
      room,
      team,
      eachPool(pools, (pool) => withFull(pool, agentId)),
      waiting,
    );
  }
  const { tenantId, teamId } = team;
  const { conversationId } = waiting;
  await updateConversation(rt, tx, room.events, {
    tenantId,
    conversationId,
    actor: { kind: 'system', id: null },
    cause: ASSIGNMENT,
    // Who took it from the queue of those without a team owns it from now on.
    change: { assigneeId: agentId, teamId, handledBy: 'agent' },
  });
  const entryId = rt.newId<string>();
  const known = { tenantId, conversationId, entryId, atMs: rt.clock.now(), teamId: choice.teamId };
  const entry: AssignmentEntry = { ...known, outcome: 'assigned', agentId, because, skipped: firstOf(skipped) };
  return { pools: eachPool(pools, (pool) => withAssigned(pool, agentId)), entry };
}

/** Who would get a conversation of the team now, and why. */
export function decideAssignment(team: Team, pools: Pools, lastAgentId: AgentId | null): AssignmentChoice {
  const { requiredSkills, sticky } = team;
  return chooseAgent({ ...pools, requiredSkills, stickyAgentId: sticky ? lastAgentId : null });
}

function eachPool({ team, overflow }: Pools, change: (pool: Pool) => Pool): Pools {
  return { team: change(team), overflow: overflow === null ? null : change(overflow) };
}

/** Skipped agents that one entry names; a person does not read more, and the log stays small. */
const MAX_SKIPPED = 50;

function firstOf<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, MAX_SKIPPED);
}

/** The latest turn of each who got something, in each pool that knows them. */
function turnsOf({ team, overflow }: Pools, entries: readonly AssignmentEntry[]): readonly Turn[] {
  const winners = new Set(entries.map(({ agentId }) => agentId));
  const of = ({ teamId, candidates }: { teamId: TeamId; candidates: Pool['candidates'] }): readonly Turn[] =>
    candidates.filter(({ agentId }) => winners.has(agentId)).map(({ agentId, turn }) => ({ teamId, agentId, turn }));
  return overflow === null ? of(team) : [...of(team), ...of(overflow)];
}

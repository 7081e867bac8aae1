import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import type { Team } from '#agents/domain/agent';
import { changesBetween, describeTeam } from '#agents/domain/agent-events';
import { findMissingAgents } from '#agents/store/agents';
import { findHours } from '#agents/store/business-hours';
import { deleteTeam, findTeam, findTeamUse, lockTeam, saveTeam, setMembers } from '#agents/store/teams';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { TeamId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';

/** What people decide about a team. */
export type TeamFields = Omit<Team, 'tenantId' | 'teamId' | 'version' | 'createdMs' | 'updatedMs'>;

interface CreateTeam extends Requester {
  readonly fields: TeamFields;
}

/**
 * Makes a team.
 * @throws ApiProblem validation_failed for what it names and is not the tenant's
 */
export function createTeam(rt: Runtime, db: Database, { tenantId, origin, fields }: CreateTeam): Promise<Team> {
  return withEvents(rt, db, async (tx, events) => {
    const nowMs = rt.clock.now();
    const known = { tenantId, teamId: rt.newId<TeamId>(), version: 1, createdMs: nowMs, updatedMs: nowMs };
    const team = await writeTeam(tx, { ...fields, ...known });
    const details = { name: team.name };
    await audit(rt, tx, { tenantId, origin, action: 'team.created', targetId: team.teamId, details });
    events.add({ tenantId, type: 'team.created', data: describeTeam(team) });
    return team;
  });
}

/** A request that changes one team. */
export interface OneTeamRequest extends VersionedRequest {
  readonly teamId: string;
}

/**
 * Changes a team. @param wish what is left out stays as it is
 * @throws ApiProblem not_found, precondition_failed, validation_failed
 */
export function updateTeam(
  rt: Runtime,
  db: Database,
  request: OneTeamRequest,
  wish: Partial<TeamFields>,
): Promise<Team> {
  return withEvents(rt, db, async (tx, events) => {
    const before = await requireTeam(tx, request);
    const wanted: Team = { ...before, ...wish };
    if (Object.keys(changesBetween(describeTeam(before), describeTeam(wanted))).length === 0) return before;
    const after = await writeTeam(tx, { ...wanted, version: before.version + 1, updatedMs: rt.clock.now() });
    const changes = changesBetween(describeTeam(before), describeTeam(after));
    const { tenantId, teamId: targetId } = after;
    const details = changeDetails(changes, Object.keys(changes));
    await audit(rt, tx, { tenantId, origin: request.origin, action: 'team.changed', targetId, details });
    events.add({ tenantId, type: 'team.updated', data: { ...describeTeam(after), changes } });
    return after;
  });
}

/**
 * Removes a team.
 * @throws ApiProblem not_found, precondition_failed, conflict while something needs it
 */
export function removeTeam(rt: Runtime, db: Database, request: OneTeamRequest): Promise<Team> {
  return withEvents(rt, db, async (tx, events) => {
    const team = await requireTeam(tx, request);
    const use = await findTeamUse(tx, team.tenantId, team.teamId);
    if (use !== null) throw new ApiProblem('conflict', { sentence: use });
    await deleteTeam(tx, team);
    const { tenantId, teamId: targetId, name } = team;
    await audit(rt, tx, { tenantId, origin: request.origin, action: 'team.deleted', targetId, details: { name } });
    events.add({ tenantId, type: 'team.deleted', data: describeTeam(team) });
    return team;
  });
}

async function requireTeam(tx: Transaction, { tenantId, teamId, versions }: OneTeamRequest): Promise<Team> {
  return requireVersion('team', await lockTeam(tx, tenantId, teamId), versions);
}

async function writeTeam(tx: Transaction, team: Team): Promise<Team> {
  const faults = await findStrangers(tx, team);
  if (faults.length > 0) {
    const sentence = faults.map(({ message }) => message).join(' ');
    throw new ApiProblem('validation_failed', { sentence, details: faults });
  }
  await saveTeam(tx, team);
  await setMembers(tx, team);
  return (await findTeam(tx, team.tenantId, team.teamId)) ?? team;
}

/** Everything that the team names and that is not the tenant's. */
async function findStrangers(tx: Transaction, team: Team): Promise<readonly FaultDetail[]> {
  const { tenantId, teamId, memberIds, overflowTeamId, hoursId } = team;
  const faults: FaultDetail[] = [];
  const missing = await findMissingAgents(tx, tenantId, memberIds);
  for (const [index, id] of memberIds.entries()) {
    const message = `members[${index}] is not an agent of this tenant.`;
    if (missing.includes(id)) faults.push({ path: `body.members[${index}]`, message });
  }
  if (overflowTeamId === teamId) {
    faults.push({ path: 'body.overflow_team_id', message: 'A team cannot overflow into itself.' });
  } else if (overflowTeamId !== null && (await findTeam(tx, tenantId, overflowTeamId)) === null) {
    faults.push({ path: 'body.overflow_team_id', message: 'overflow_team_id does not name a team of this tenant.' });
  }
  if (hoursId !== null && (await findHours(tx, tenantId, hoursId)) === null) {
    faults.push({
      path: 'body.business_hours_id',
      message: 'business_hours_id does not name business hours of this tenant.',
    });
  }
  return faults;
}

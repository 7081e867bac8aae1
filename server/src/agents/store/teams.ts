import type { AssignmentPolicy, ReassignPolicy, Team } from '#agents/domain/agent';
import type { AgentId, HoursId, TeamId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { SqlRunner, Statement, Transaction } from '#database/database';

interface TeamRow {
  readonly tenant_id: TenantId;
  readonly team_id: TeamId;
  readonly name: string;
  readonly policy: AssignmentPolicy;
  readonly sticky: boolean;
  readonly reassign_on_reopen: ReassignPolicy;
  readonly hours_id: HoursId | null;
  readonly overflow_team_id: TeamId | null;
  readonly required_skills: readonly string[];
  readonly is_default: boolean | null;
  readonly member_ids: readonly AgentId[] | null;
  readonly version: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

function toTeam(row: TeamRow): Team {
  return {
    tenantId: row.tenant_id,
    teamId: row.team_id,
    name: row.name,
    policy: row.policy,
    sticky: row.sticky,
    reassignOnReopen: row.reassign_on_reopen,
    hoursId: row.hours_id,
    overflowTeamId: row.overflow_team_id,
    requiredSkills: row.required_skills,
    isDefault: row.is_default === true,
    memberIds: row.member_ids ?? [],
    version: row.version,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  };
}

const MEMBERS = `
  array(select m.agent_id from team_members m where m.tenant_id = t.tenant_id and m.team_id = t.team_id order by m.agent_id)
    as member_ids`;

const TEAM_FIND: Statement = {
  name: 'team_find',
  text: `select t.*, ${MEMBERS} from teams t where t.tenant_id = $1 and t.team_id = $2`,
};
const TEAM_LOCK: Statement = {
  name: 'team_lock',
  text: `select t.*, ${MEMBERS} from teams t where t.tenant_id = $1 and t.team_id = $2 for update of t`,
};
const LOCK_FREE: Statement = {
  name: 'team_lock_free',
  text: `select t.*, ${MEMBERS} from teams t where t.tenant_id = $1 and t.team_id = $2 for update of t skip locked`,
};

/** One team of a tenant; null when there is none, or it is another tenant's. */
export async function findTeam(db: SqlRunner, tenantId: TenantId, teamId: string): Promise<Team | null> {
  const { rows } = await db.run<TeamRow>(TEAM_FIND, [tenantId, teamId]);
  return rows[0] ? toTeam(rows[0]) : null;
}

/** The same, unchanged by others until the transaction ends. */
export async function lockTeam(tx: Transaction, tenantId: TenantId, teamId: string): Promise<Team | null> {
  const { rows } = await tx.run<TeamRow>(TEAM_LOCK, [tenantId, teamId]);
  return rows[0] ? toTeam(rows[0]) : null;
}

/** The same; null too while another process assigns for the team or someone changes it. */
export async function lockTeamIfFree(tx: Transaction, tenantId: TenantId, teamId: TeamId): Promise<Team | null> {
  const { rows } = await tx.run<TeamRow>(LOCK_FREE, [tenantId, teamId]);
  return rows[0] ? toTeam(rows[0]) : null;
}

const FIND_DEFAULT: Statement = {
  name: 'team_find_default',
  text: `select t.*, ${MEMBERS} from teams t where t.tenant_id = $1 and t.is_default`,
};

/** The team that takes conversations without one; null: there is none. */
export async function findDefaultTeam(db: SqlRunner, tenantId: TenantId): Promise<Team | null> {
  const { rows } = await db.run<TeamRow>(FIND_DEFAULT, [tenantId]);
  return rows[0] ? toTeam(rows[0]) : null;
}

const TEAM_PAGE: Statement = {
  name: 'team_page',
  text: `
select t.*, ${MEMBERS} from teams t where t.tenant_id = $1 and ($2::uuid is null or t.team_id < $2::uuid)
order by t.team_id desc limit $3 offset $4`,
};

/** A page of the teams of a tenant, newest first. */
export async function listTeamsPage(
  db: SqlRunner,
  tenantId: TenantId,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<Team>> {
  const { rows } = await db.run<TeamRow>(TEAM_PAGE, [tenantId, beforeId, limit + 1, offset]);
  return { items: rows.slice(0, limit).map(toTeam), hasMore: rows.length > limit };
}

const TEAM_CLEAR_DEFAULT: Statement = {
  name: 'team_clear_default',
  text: 'update teams set is_default = null, version = version + 1 where tenant_id = $1 and is_default and team_id <> $2',
};
const TEAM_SAVE: Statement = {
  name: 'team_save',
  text: `
insert into teams (
  tenant_id, team_id, name, policy, sticky, reassign_on_reopen, hours_id, overflow_team_id, required_skills, is_default,
  version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10::boolean, $11, $12, $13)
on conflict (tenant_id, team_id) do update set
  name = excluded.name, policy = excluded.policy, sticky = excluded.sticky,
  reassign_on_reopen = excluded.reassign_on_reopen, hours_id = excluded.hours_id,
  overflow_team_id = excluded.overflow_team_id, required_skills = excluded.required_skills,
  is_default = excluded.is_default, version = excluded.version, updated_ms = excluded.updated_ms`,
};

/** Writes a team, new or changed, but for its members. A new default team takes over from the one before. */
export async function saveTeam(tx: Transaction, team: Team): Promise<void> {
  if (team.isDefault) await tx.run(TEAM_CLEAR_DEFAULT, [team.tenantId, team.teamId]);
  await tx.run(TEAM_SAVE, [
    team.tenantId,
    team.teamId,
    team.name,
    team.policy,
    team.sticky,
    team.reassignOnReopen,
    team.hoursId,
    team.overflowTeamId,
    team.requiredSkills,
    team.isDefault ? true : null,
    team.version,
    team.createdMs,
    team.updatedMs,
  ]);
}

const DROP_MEMBERS: Statement = {
  name: 'team_drop_members',
  text: 'delete from team_members where tenant_id = $1 and team_id = $2 and not (agent_id = any($3::uuid[]))',
};
/** A newcomer begins behind the others: it must not get all that comes until it has caught up with years of turns. */
const ADD_MEMBERS: Statement = {
  name: 'team_add_members',
  text: `
insert into team_members (tenant_id, team_id, agent_id, turn)
select $1, $2, t.agent_id, coalesce((select max(m.turn) from team_members m where m.tenant_id = $1 and m.team_id = $2), 0)
from unnest($3::uuid[]) as t (agent_id)
on conflict do nothing`,
};

/** Makes these, and nobody else, the members of a team. */
export async function setMembers(
  tx: Transaction,
  { tenantId, teamId, memberIds }: Pick<Team, 'tenantId' | 'teamId' | 'memberIds'>,
): Promise<void> {
  await tx.run(DROP_MEMBERS, [tenantId, teamId, memberIds]);
  await tx.run(ADD_MEMBERS, [tenantId, teamId, memberIds]);
}

const OVERFLOWS_HERE: Statement = {
  name: 'team_overflows_here',
  text: 'select name from teams where tenant_id = $1 and overflow_team_id = $2 limit 1',
};
const TEAM_HAS_CONVERSATIONS: Statement = {
  name: 'team_has_conversations',
  text: `
select 1 as found from conversations where tenant_id = $1 and team_id = $2 and status <> 'resolved' limit 1`,
};

/** Why a team cannot go: a sentence; null: it can. */
export async function findTeamUse(tx: Transaction, tenantId: TenantId, teamId: TeamId): Promise<string | null> {
  const { rows } = await tx.run<{ name: string }>(OVERFLOWS_HERE, [tenantId, teamId]);
  if (rows[0]) return `The team ${rows[0].name} overflows into this one: change that first.`;
  const { rowCount } = await tx.run(TEAM_HAS_CONVERSATIONS, [tenantId, teamId]);
  return rowCount > 0 ? 'The team has conversations that are not resolved: give them to another team first.' : null;
}

const TEAM_DELETE: Statement = { name: 'team_delete', text: 'delete from teams where tenant_id = $1 and team_id = $2' };

export async function deleteTeam(tx: Transaction, team: Pick<Team, 'tenantId' | 'teamId'>): Promise<void> {
  await setMembers(tx, { ...team, memberIds: [] });
  await tx.run(TEAM_DELETE, [team.tenantId, team.teamId]);
}

import type { Team } from '#agents/domain/agent';
import type { TeamId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock, pageOf } from '#database/rows';

/** What of a row is the team. */
const TEAM = `
  t.tenant_id, t.team_id, t.name, t.policy, t.sticky, t.reassign_on_reopen, t.hours_id, t.overflow_team_id,
  t.required_skills, coalesce(t.is_default, false) as is_default, t.version, t.created_ms, t.updated_ms, array(select m.agent_id from team_members m where m.tenant_id = t.tenant_id and m.team_id = t.team_id order by m.agent_id)
    as member_ids`;

const TEAM_FIND = statement('team_find')`select ${TEAM} from teams t where t.tenant_id = $1 and t.team_id = $2`;
const TEAM_LOCK = statement('team_lock')`${TEAM_FIND.text} for update of t`;
const LOCK_FREE = statement('team_lock_free')`${TEAM_LOCK.text} skip locked`;

export const findTeam: Find<Team> = (db, ...key) => firstRow(db.run<Team>(TEAM_FIND, key));
export const lockTeam: Lock<Team> = (tx, ...key) => firstRow(tx.run<Team>(TEAM_LOCK, key));
/** The same; null too while another process assigns for the team or someone changes it. */
export const lockTeamIfFree: Lock<Team> = (tx, ...key) => firstRow(tx.run<Team>(LOCK_FREE, key));

const FIND_DEFAULT = statement('team_find_default')`
select ${TEAM} from teams t where t.tenant_id = $1 and t.is_default`;

/** The team that takes conversations without one; null: there is none. */
export function findDefaultTeam(db: SqlRunner, tenantId: TenantId): Promise<Team | null> {
  return firstRow(db.run<Team>(FIND_DEFAULT, [tenantId]));
}

const TEAM_PAGE = statement('team_page')`
select ${TEAM} from teams t where t.tenant_id = $1 and ($2::uuid is null or t.team_id < $2::uuid)
order by t.team_id desc limit $3 offset $4`;

/** A page of the teams of a tenant, newest first. */
export async function listTeamsPage(
  db: SqlRunner,
  tenantId: TenantId,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<Team>> {
  const { rows } = await db.run<Team>(TEAM_PAGE, [tenantId, beforeId, limit + 1, offset]);
  return pageOf(rows, limit);
}

const TEAM_CLEAR_DEFAULT = statement('team_clear_default')`
update teams set is_default = null, version = version + 1 where tenant_id = $1 and is_default and team_id <> $2`;
const TEAM_SAVE = statement('team_save')`
insert into teams (
  tenant_id, team_id, name, policy, sticky, reassign_on_reopen, hours_id, overflow_team_id, required_skills, is_default,
  version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10::boolean, $11, $12, $13)
on conflict (tenant_id, team_id) do update set
  name = excluded.name, policy = excluded.policy, sticky = excluded.sticky,
  reassign_on_reopen = excluded.reassign_on_reopen, hours_id = excluded.hours_id,
  overflow_team_id = excluded.overflow_team_id, required_skills = excluded.required_skills,
  is_default = excluded.is_default, version = excluded.version, updated_ms = excluded.updated_ms`;

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

const DROP_MEMBERS = statement('team_drop_members')`
delete from team_members where tenant_id = $1 and team_id = $2 and not (agent_id = any($3::uuid[]))`;
/** A newcomer begins behind the others: it must not get all that comes until it has caught up with years of turns. */
const ADD_MEMBERS = statement('team_add_members')`
insert into team_members (tenant_id, team_id, agent_id, turn)
select $1, $2, t.agent_id, coalesce((select max(m.turn) from team_members m where m.tenant_id = $1 and m.team_id = $2), 0)
from unnest($3::uuid[]) as t (agent_id)
on conflict do nothing`;

/** Makes these, and nobody else, the members of a team. */
export async function setMembers(
  tx: Transaction,
  { tenantId, teamId, memberIds }: Pick<Team, 'tenantId' | 'teamId' | 'memberIds'>,
): Promise<void> {
  await tx.run(DROP_MEMBERS, [tenantId, teamId, memberIds]);
  await tx.run(ADD_MEMBERS, [tenantId, teamId, memberIds]);
}

const OVERFLOWS_HERE = statement('team_overflows_here')`
select name from teams where tenant_id = $1 and overflow_team_id = $2 limit 1`;
const TEAM_HAS_CONVERSATIONS = statement('team_has_conversations')`
select 1 as found from conversations where tenant_id = $1 and team_id = $2 and status <> 'resolved' limit 1`;

/** Why a team cannot go: a sentence; null: it can. */
export async function findTeamUse(tx: Transaction, tenantId: TenantId, teamId: TeamId): Promise<string | null> {
  const { rows } = await tx.run<{ name: string }>(OVERFLOWS_HERE, [tenantId, teamId]);
  if (rows[0]) return `The team ${rows[0].name} overflows into this one. Change that first.`;
  const { rowCount } = await tx.run(TEAM_HAS_CONVERSATIONS, [tenantId, teamId]);
  return rowCount > 0 ? 'The team has unresolved conversations. Assign them to another team first.' : null;
}

const TEAM_DELETE = statement('team_delete')`delete from teams where tenant_id = $1 and team_id = $2`;

export async function deleteTeam(tx: Transaction, team: Pick<Team, 'tenantId' | 'teamId'>): Promise<void> {
  await setMembers(tx, { ...team, memberIds: [] });
  await tx.run(TEAM_DELETE, [team.tenantId, team.teamId]);
}

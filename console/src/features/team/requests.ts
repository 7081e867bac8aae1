/** What the page of the team asks and changes. */
import type * as Sdk from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import type { Agent } from '../../app/resources.ts';
import { readWhole } from '../../app/whole-list.ts';
import type { Known } from '../../live/known.ts';

/** From the least rights to the most. */
export const ROLES = ['agent', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export type Person = Agent & Pick<Sdk.Agent, 'email' | 'teams' | 'capacity' | 'version'>;

/** An agent as a person who signs in. Agents without a person are not listed. */
export type Colleague = Sdk.Person;

export type TeamGroup = Pick<Sdk.Team, 'id' | 'name' | 'members' | 'version'>;

export type OpenSession = Sdk.Session;

/** For whom it is, too. Without an email, none was asked for. */
export type Invitation = Known<Sdk.Invitation> & { readonly name: string };
export type Mailed = NonNullable<Invitation['email']>;

export const peopleQuery = queryOptions({
  queryKey: ['team', 'people'],
  queryFn: ({ signal }) => readWhole<Person>('/v1/agents', { signal }),
});

/** Who signs in, by the ID of their agent. For those who manage agents. */
export const colleaguesQuery = queryOptions({
  queryKey: ['team', 'colleagues'],
  queryFn: async ({ signal }) => {
    const colleagues = await readWhole<Colleague>('/v1/people', { signal });
    return new Map(colleagues.map((colleague) => [colleague.agent_id, colleague]));
  },
});

export const teamsQuery = queryOptions({
  queryKey: ['team', 'teams'],
  queryFn: ({ signal }) => readWhole<TeamGroup>('/v1/teams', { signal }),
});

export const personSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['team', 'sessions', id],
    queryFn: async ({ signal }) => (await call<Sdk.AgentSessionList>(`/v1/agents/${id}/sessions`, { signal })).data,
    staleTime: 0,
  });

/** @param key the same for every try of one person */
export function addPerson(fields: { name: string; email?: string; role: Role }, key: string): Promise<Person> {
  return call<Person>('/v1/agents', { method: 'POST', body: fields, idempotencyKey: key });
}

export function changeRole(id: string, role: Role): Promise<Person> {
  return call<Person>(`/v1/agents/${id}`, { method: 'PATCH', body: { role } });
}

export function changeCapacity(id: string, maxOpen: number): Promise<Person> {
  return call<Person>(`/v1/agents/${id}`, { method: 'PATCH', body: { capacity: { max_open: maxOpen } } });
}

export function removePerson(id: string): Promise<unknown> {
  return call(`/v1/agents/${id}`, { method: 'DELETE' });
}

export interface Inviting {
  readonly person: Pick<Person, 'id' | 'name'>;
  readonly isMailed: boolean;
}

/** Never retried automatically: each attempt makes a new link, and the link in an earlier mail would stop working. */
export async function invitePerson({ person: { id, name }, isMailed }: Inviting): Promise<Invitation> {
  const body = { send_email: isMailed };
  const link = await call<Known<Sdk.Invitation>>(`/v1/agents/${id}/invitation`, {
    ...{ method: 'POST', body, maxRetries: 0 },
  });
  return { ...link, name };
}

export function withdrawInvitation(id: string): Promise<unknown> {
  return call(`/v1/agents/${id}/invitation`, { method: 'DELETE' });
}

/** @param sessionIds null: all of them */
export function endPersonSessions(id: string, sessionIds: readonly string[] | null): Promise<unknown> {
  const body = sessionIds === null ? {} : { session_ids: sessionIds };
  return call(`/v1/agents/${id}/end-sessions`, { method: 'POST', body });
}

/** @param key the same for every try of one team */
export function addTeam(name: string, key: string): Promise<TeamGroup> {
  return call<TeamGroup>('/v1/teams', { method: 'POST', body: { name }, idempotencyKey: key });
}

/** Refused when somebody else has changed the team since it was read. */
export function changeTeam(
  { id, version }: TeamGroup,
  change: { readonly name: string; readonly members: readonly string[] },
): Promise<TeamGroup> {
  return call<TeamGroup>(`/v1/teams/${id}`, { method: 'PATCH', body: change, ifMatch: version });
}

export function removeTeam({ id }: TeamGroup): Promise<unknown> {
  return call(`/v1/teams/${id}`, { method: 'DELETE' });
}

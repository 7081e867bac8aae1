/** What the page of the team asks and changes. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import type { Agent } from '../../app/resources.ts';

/** From the least rights to the most. */
export const ROLES = ['agent', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export interface Person extends Agent {
  readonly email: string | null;
  readonly teams: readonly string[];
  readonly capacity: { readonly open: number; readonly max_open: number };
}

export interface Invitation {
  readonly name: string;
  readonly url: string;
  readonly expires_at: string;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly page: { readonly has_more: boolean };
}

/** A page of a list at its longest: larger teams are told that more are there. */
const LONGEST = 200;

export const peopleQuery = queryOptions({
  queryKey: ['team', 'people'],
  queryFn: ({ signal }) => call<Page<Person>>('/v1/agents', { query: { limit: LONGEST }, signal }),
});

/** Names of teams by their IDs. */
export const teamNamesQuery = queryOptions({
  queryKey: ['team', 'names'],
  queryFn: async ({ signal }) => {
    const { data } = await call<Page<{ id: string; name: string }>>('/v1/teams', { query: { limit: LONGEST }, signal });
    return new Map(data.map(({ id, name }) => [id, name]));
  },
});

/** @param key the same for every try of one person */
export function addPerson(fields: { name: string; email?: string; role: Role }, key: string): Promise<Person> {
  return call<Person>('/v1/agents', { method: 'POST', body: fields, idempotencyKey: key });
}

export function changeRole(id: string, role: Role): Promise<Person> {
  return call<Person>(`/v1/agents/${id}`, { method: 'PATCH', body: { role } });
}

export function removePerson(id: string): Promise<unknown> {
  return call(`/v1/agents/${id}`, { method: 'DELETE' });
}

export async function invitePerson({ id, name }: Pick<Person, 'id' | 'name'>): Promise<Invitation> {
  const link = await call<Omit<Invitation, 'name'>>(`/v1/agents/${id}/invitation`, { method: 'POST' });
  return { ...link, name };
}

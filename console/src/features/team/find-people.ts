import type { Person, Role } from './requests.ts';

const MARKS = /\p{M}+/gu;

/** Case and accents do not count. */
const fold = (text: string): string => text.normalize('NFKD').replace(MARKS, '').toLowerCase();

/** The people in whose name or email address each word of `text` occurs; everybody for a text without words. */
export function findPeople<One extends Pick<Person, 'name' | 'email'>>(
  people: readonly One[],
  text: string,
): readonly One[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return people;
  return people.filter(({ name, email }) => {
    const known = fold(`${name} ${email ?? ''}`);
    return words.every((word) => known.includes(word));
  });
}

/** Whom a list of people is narrowed down to: a role, or those who have not used their invitation yet. */
export type Among = 'all' | 'invited' | Role;

/** The people of one kind. */
export function peopleAmong<One extends Pick<Person, 'id' | 'role'>>(
  people: readonly One[],
  among: Among,
  isInvited: (id: string) => boolean,
): readonly One[] {
  if (among === 'all') return people;
  return people.filter(({ id, role }) => (among === 'invited' ? isInvited(id) : role === among));
}

import { expect, test } from 'vitest';
import { type Among, findPeople, peopleAmong } from './find-people.ts';

const people = [
  { name: 'Ana Silva', email: 'ana@shop.example' },
  { name: 'Jürgen Müller', email: null },
  { name: 'ليلى حسن', email: 'leila@shop.example' },
];
const namesFor = (text: string) => findPeople(people, text).map(({ name }) => name);

test.each([
  ['', ['Ana Silva', 'Jürgen Müller', 'ليلى حسن']],
  ['  ', ['Ana Silva', 'Jürgen Müller', 'ليلى حسن']],
  ['MULL', ['Jürgen Müller']],
  ['jur muller', ['Jürgen Müller']],
  ['silva ana', ['Ana Silva']],
  ['SHOP.example', ['Ana Silva', 'ليلى حسن']],
  ['ليلى', ['ليلى حسن']],
  ['ana müller', []],
])('%j finds by name and address, whatever the case, accents and order of words', (text, names) => {
  expect(namesFor(text)).toEqual(names);
});

test.each<[Among, string[]]>([
  ['all', ['1', '2', '3']],
  ['admin', ['2']],
  ['owner', []],
  ['invited', ['3']],
])('the people of the kind %s are those of this role, or who have not used their invitation', (among, ids) => {
  const team = [
    { id: '1', role: 'agent' },
    { id: '2', role: 'admin' },
    { id: '3', role: 'agent' },
  ] as const;
  expect(peopleAmong(team, among, (id) => id === '3').map(({ id }) => id)).toEqual(ids);
});

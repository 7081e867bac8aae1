import { expect, test } from 'vitest';
import { findPeople } from './find-people.ts';

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

import { expect, test } from 'vitest';
import { en } from './en.ts';
import { enBulk } from './en-bulk.ts';
import { enCalls } from './en-calls.ts';
import { enComposer } from './en-composer.ts';
import { enNotifications } from './en-notifications.ts';
import { enPeople } from './en-people.ts';
import { enPhone } from './en-phone.ts';
import { enRecovery } from './en-recovery.ts';
import { enSearch } from './en-search.ts';
import { enTeam } from './en-team.ts';
import { enViews } from './en-views.ts';

const groups = [enBulk, enCalls, enComposer, enNotifications, enPeople, enPhone, enRecovery, enSearch, enTeam, enViews];

test('no text of a group takes the name of another group: the later one would be shown in both places', () => {
  const names = groups.flatMap((group) => Object.keys(group));
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test('no text of the catalogue itself replaces one of a group', () => {
  const replaced = groups.flatMap((group) =>
    Object.entries(group).flatMap(([name, text]) => ((en as Record<string, unknown>)[name] === text ? [] : [name])),
  );
  expect(replaced).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentRoles, may, type Permission, permissions, rolePermissions } from './permissions.ts';

const page = readFileSync(new URL('../../../../docs/guides/agents.md', import.meta.url), 'utf8');

/** Permission, meaning, and the roles that have it: the rows of the table in the guide. */
function rowsOfGuide(): readonly (readonly string[])[] {
  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+:[a-z_]+` /.test(line));
  return rows.map((line) => {
    const [name = '', meaning = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return [name.replaceAll('`', ''), `${meaning}.`, ...agentRoles.filter((_role, index) => cells[index] === 'yes')];
  });
}

test('the guide shows what each role may do as it is, and what that means', () => {
  const names = Object.keys(permissions) as readonly Permission[];
  expect(rowsOfGuide()).toEqual(
    names.map((name) => [name, permissions[name], ...agentRoles.filter((role) => may({ role }, name))]),
  );
});

test('each role may do what the one below may, and only owners manage owners, keys and money', () => {
  expect(rolePermissions.admin).toEqual(expect.arrayContaining([...rolePermissions.agent]));
  expect(rolePermissions.owner.toSorted()).toEqual(Object.keys(permissions).toSorted());
  const withheld = rolePermissions.owner.filter((name) => !may({ role: 'admin' }, name));
  expect(withheld).toEqual(['owners:manage', 'keys:manage', 'billing:manage']);
});

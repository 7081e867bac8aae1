import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentRoles, availabilityAt, may, rolePermissions } from './agent.ts';

test('the guide shows the permissions of each role as they are', () => {
  const page = readFileSync(new URL('../../../docs/guides/agents.md', import.meta.url), 'utf8');
  for (const role of agentRoles) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${role}\` `)) ?? '';
    const shown = [...(row.split('|')[2] ?? '').matchAll(/`([a-z_:]+)`/g)].map((match) => match[1]);
    expect([role, shown]).toEqual([role, rolePermissions[role]]);
  }
});

test('each role may do what the one below may, and only owners manage owners', () => {
  expect(rolePermissions.admin).toEqual(expect.arrayContaining([...rolePermissions.agent]));
  expect(rolePermissions.owner).toEqual(expect.arrayContaining([...rolePermissions.admin]));
  expect(agentRoles.map((role) => may({ role }, 'owners:manage'))).toEqual([true, false, false]);
});

test('a sign of life holds up to its last millisecond', () => {
  const agent = { availability: 'away', presenceUntilMs: 60_000 } as const;
  expect([availabilityAt(agent, 59_999), availabilityAt(agent, 60_000)]).toEqual(['away', 'offline']);
  expect(availabilityAt({ ...agent, presenceUntilMs: null }, 60_000)).toBe('away');
});

import { expect, test } from 'vitest';
import { type AppCommand, CommandRegistry } from './command-registry.ts';

const command = (id: string, group: AppCommand['group'], key?: string): AppCommand => ({
  id,
  name: id,
  group,
  ...(key === undefined ? {} : { key }),
  run: () => undefined,
});
const idsOf = (commands: readonly AppCommand[]) => commands.map(({ id }) => id);

test('commands come in the order of their groups, each once, and go with who registered them', () => {
  const registry = new CommandRegistry();
  registry.register({}, [command('help', 'group.general')]);
  const leave = registry.register({}, [command('resolve', 'group.conversation'), command('help', 'group.general')]);
  expect(idsOf(registry.list())).toEqual(['resolve', 'help']);
  leave();
  expect(idsOf(registry.list())).toEqual(['help']);
});

test('the list stays the same until a command changes, and listeners are told then', () => {
  const registry = new CommandRegistry();
  const owner = {};
  registry.register(owner, [command('next', 'group.list')]);
  const before = registry.list();
  expect(registry.list()).toBe(before);
  let times = 0;
  const stop = registry.subscribe(() => times++);
  registry.register(owner, [command('next', 'group.list')]);
  stop();
  registry.register(owner, []);
  expect(times).toBe(1);
  expect(registry.list()).not.toBe(before);
});

test('a sequence of keys wins over its last key', () => {
  const registry = new CommandRegistry();
  registry.register({}, [command('note', 'group.conversation', 'n'), command('news', 'group.general', 'g n')]);
  expect(registry.find('g n', 'n')?.id).toBe('news');
  expect(registry.find('n', 'n')?.id).toBe('note');
  expect(registry.find('x', 'x')).toBeUndefined();
});

test('what is chosen is there before a key acts on it; a step through a list does not wait for it', () => {
  const registry = new CommandRegistry();
  const owner = {};
  registry.register(owner, [command('resolve the old one', 'group.conversation', 'e')]);
  registry.register({}, [command('next', 'group.list', 'j')]);
  const stop = registry.onSettle(
    () => void registry.register(owner, [command('resolve the chosen one', 'group.conversation', 'e')]),
  );
  expect(registry.find('j', 'j')?.id).toBe('next');
  expect(idsOf(registry.list())).toContain('resolve the old one');
  expect(registry.find('e', 'e')?.id).toBe('resolve the chosen one');
  stop();
  registry.register(owner, [command('resolve the old one', 'group.conversation', 'e')]);
  expect(registry.find('e', 'e')?.id).toBe('resolve the old one');
});

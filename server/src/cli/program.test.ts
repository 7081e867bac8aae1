import { expect, test } from 'vitest';
import { runWith } from '#cli/testing/fake-context';
import { settings } from '#runtime/config';

const COMMANDS = [
  'serve',
  'simulator',
  'migrate',
  'config',
  'doctor',
  'tenants',
  'keys',
  'users',
  'numbers',
  'plans',
  'subscriptions',
  'tokens',
  'wallet',
  'callbacks',
  'dead-letters',
  'send',
  'messages',
  'tail',
  'templates',
];

test('the help names every command and the exit codes', async () => {
  const { exitCode, stdout } = await runWith({}, '--help');
  expect(exitCode).toBe(0);
  for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  expect(stdout).toContain('Exit codes');
});

test.each(COMMANDS)('the help of %s has examples that call it', async (name) => {
  const { exitCode, stdout } = await runWith({}, name, '--help');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`Examples:[\\s\\S]*postrider ${name}`));
});

test.each([
  ['an unknown command', ['bogus']],
  ['an unknown option', ['config', '--bogus']],
  ['an unknown output format', ['config', '-o', 'xml']],
  ['a missing option', ['send', '--to', '447700900123']],
  ['a time that is none', ['keys', 'create', '--expires-in', 'soon']],
])('%s ends with 2 and a sentence on standard error', async (_label, args) => {
  const { exitCode, stdout, stderr } = await runWith({}, ...args);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: .+\n$/);
});

test('config lists every setting with its meaning', async () => {
  const { exitCode, stdout } = await runWith({}, 'config');
  expect(exitCode).toBe(0);
  for (const { key, meaning } of Object.values(settings)) {
    expect(stdout).toContain(`${key}=`);
    expect(stdout).toContain(meaning);
  }
});

test('config never shows a secret that was set', async () => {
  const env = { MESSAGING_APP_SECRET: 'hush-hush', DATABASE_URL: 'postgres://user:hush-hush@host/db' };
  for (const output of ['table', 'json']) {
    const { stdout } = await runWith({ env }, 'config', '-o', output);
    expect(stdout).toContain('(set)');
    expect(stdout).not.toContain('hush-hush');
  }
});

test('config shows the settings also when one is wrong, and ends with 2', async () => {
  const { exitCode, stdout, stderr } = await runWith({ env: { PORT: 'x' } }, 'config', '-o', 'json');
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ key: 'PORT', value: 'x', default: 8080 }));
  expect(stderr).toBe('PORT=x: must be a whole number from 0 to 65535.\n');
});

test('a stack is shown only with LOG_LEVEL=debug', async () => {
  const quiet = await runWith({ env: { PORT: 'x' } }, 'config');
  const debug = await runWith({ env: { PORT: 'x', LOG_LEVEL: 'debug' } }, 'config');
  expect(quiet.stderr).not.toContain('    at ');
  expect(debug.stderr).toContain('    at ');
});

test('a wrong setting keeps the service from starting', async () => {
  const { exitCode, stderr } = await runWith({ env: { MESSAGING_NUMBER_RATE: 'many' } }, 'serve');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('MESSAGING_NUMBER_RATE=many');
});

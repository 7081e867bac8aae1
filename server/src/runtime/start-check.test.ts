import { expect, test } from 'vitest';
import { makeApiKey } from '#core/caller/api-key';
import { ConfigError, readConfig } from './config.ts';
import { requireSafeSettings, speaksPlainHttp, unsafeSettings } from './start-check.ts';

type Environment = Readonly<Record<string, string>>;

const GOOD = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const REAL = { MESSAGING_NETWORK_URL: 'https://graph.example' };
const SECRETS = { MESSAGING_APP_SECRET: GOOD, MESSAGING_VERIFY_TOKEN: GOOD, MESSAGING_NETWORK_TOKEN: GOOD };
const OTHER_TEXT = 'pr_live_'.padEnd(46, 'x');

/** The settings that the sentences begin with. */
function faultsOf(environment: Environment): readonly string[] {
  return unsafeSettings(readConfig(environment)).map((sentence) => sentence.split(/[ =]/)[0] ?? '');
}

test.each<[string, Environment, readonly string[]]>([
  ['the simulator on this machine', {}, []],
  ['a real network', REAL, ['MESSAGING_APP_SECRET', 'MESSAGING_VERIFY_TOKEN', 'MESSAGING_NETWORK_TOKEN']],
  ['a real network with secrets', { ...REAL, ...SECRETS }, []],
  ['a receiver', { ...REAL, MESSAGING_ROLES: 'api, receiver' }, ['MESSAGING_APP_SECRET', 'MESSAGING_VERIFY_TOKEN']],
  ['a dispatcher', { ...REAL, MESSAGING_ROLES: 'dispatcher' }, ['MESSAGING_NETWORK_TOKEN']],
  ['a process that neither sends nor receives', { ...REAL, MESSAGING_ROLES: 'api,maintenance' }, []],
  [
    'a tunnel to a real network',
    { ...SECRETS, MESSAGING_NETWORK_IS_SIMULATOR: 'no', MESSAGING_VERIFY_TOKEN: '' },
    ['MESSAGING_VERIFY_TOKEN'],
  ],
  [
    'a simulator on another machine',
    {
      ...SECRETS,
      MESSAGING_NETWORK_URL: 'http://simulator:8090',
      MESSAGING_NETWORK_IS_SIMULATOR: 'yes',
      MESSAGING_APP_SECRET: '',
    },
    ['MESSAGING_APP_SECRET'],
  ],
  [
    'the public secret beside a good one',
    { ...REAL, ...SECRETS, MESSAGING_APP_SECRET: `${GOOD}, simulator-app-secret` },
    ['MESSAGING_APP_SECRET'],
  ],
  ['a short secret', { ...REAL, ...SECRETS, MESSAGING_VERIFY_TOKEN: 'verify-me' }, ['MESSAGING_VERIFY_TOKEN']],
  ['a filler', { ...REAL, ...SECRETS, MESSAGING_APP_SECRET: 'x'.repeat(40) }, ['MESSAGING_APP_SECRET']],
  [
    'the simulated gateway on this machine',
    { MESSAGING_STRIPE_URL: 'http://127.0.0.1:8090', MESSAGING_STRIPE_WEBHOOK_SECRET: 'whsec_simulator' },
    [],
  ],
  ['the real gateway', { MESSAGING_STRIPE_WEBHOOK_SECRET: 'whsec_simulator' }, ['MESSAGING_STRIPE_WEBHOOK_SECRET']],
  ['a short gateway secret', { MESSAGING_STRIPE_WEBHOOK_SECRET: 'whsec_1' }, ['MESSAGING_STRIPE_WEBHOOK_SECRET']],
  [
    'the simulated gateway beside a real network',
    {
      ...REAL,
      ...SECRETS,
      MESSAGING_STRIPE_URL: 'http://127.0.0.1:8090',
      MESSAGING_STRIPE_WEBHOOK_SECRET: 'whsec_simulator',
    },
    ['MESSAGING_STRIPE_WEBHOOK_SECRET'],
  ],
  ['a generated bootstrap key', { MESSAGING_BOOTSTRAP_API_KEY: makeApiKey('live', () => Buffer.from(GOOD)) }, []],
  ['a bootstrap key of the operator', { MESSAGING_BOOTSTRAP_API_KEY: 'key-of-the-first-tenant' }, []],
  [
    'a bootstrap key of one character',
    { MESSAGING_BOOTSTRAP_API_KEY: 'a'.repeat(40) },
    ['MESSAGING_BOOTSTRAP_API_KEY'],
  ],
  ['a short bootstrap key', { MESSAGING_BOOTSTRAP_API_KEY: 'abcdefghijklmnopqrs' }, ['MESSAGING_BOOTSTRAP_API_KEY']],
  ['a mistyped bootstrap key', { MESSAGING_BOOTSTRAP_API_KEY: OTHER_TEXT }, ['MESSAGING_BOOTSTRAP_API_KEY']],
  [
    'a generated bootstrap key of one character',
    { MESSAGING_BOOTSTRAP_API_KEY: makeApiKey('test', () => Buffer.alloc(32)) },
    ['MESSAGING_BOOTSTRAP_API_KEY'],
  ],
  ['a demo on the loopback', { MESSAGING_DEMO: 'on', HOST: '127.0.0.5' }, []],
  ['a demo that others reach', { MESSAGING_DEMO: 'on', HOST: '0.0.0.0' }, ['HOST']],
  ['a demo that others reach on IPv6', { MESSAGING_DEMO: 'on', HOST: '::' }, ['HOST']],
  ['a demo that others may use', { MESSAGING_DEMO: 'on', MESSAGING_DEMO_PUBLIC: 'true', HOST: '0.0.0.0' }, []],
])('%s: the settings that keep the service from starting', (_label, environment, names) => {
  expect(faultsOf(environment)).toEqual(names);
});

test('a refusal names all faulty settings together and repeats no secret', () => {
  const environment = { ...REAL, MESSAGING_APP_SECRET: 'hunter2hunter2' };
  expect(() => requireSafeSettings(readConfig(environment))).toThrow(ConfigError);
  const sentences = unsafeSettings(readConfig(environment));
  expect(sentences).toHaveLength(3);
  expect(sentences.join(' ')).not.toContain('hunter2');
});

test.each([
  ['127.0.0.1', false],
  ['localhost', false],
  ['::1', false],
  ['0.0.0.0', true],
  ['::', true],
  ['10.0.0.7', true],
])('a service on %s is reachable over plain HTTP: %s', (host, exposed) => {
  expect(speaksPlainHttp({ host })).toBe(exposed);
});

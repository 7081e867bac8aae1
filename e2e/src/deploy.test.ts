import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root, run } from './postrider-process.ts';

/* What is in deploy/ fits together, and names only what there is. What was not tried, deploy/README.md says. */
const deploy = join(root, 'deploy');
const textOf = (...path: readonly string[]) => readFileSync(join(deploy, ...path), 'utf8');

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: object;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

interface Setting {
  readonly key: string;
  readonly secret: boolean;
}

/** Every name under which a setting can be given. */
async function settingNames(): Promise<ReadonlySet<string>> {
  const { stdout } = await run(['config', '-o', 'json'], {});
  const settings = JSON.parse(stdout) as readonly Setting[];
  return new Set(settings.flatMap(({ key, secret }) => (secret ? [key, `${key}_FILE`] : [key])));
}

const compose = parse(textOf('compose.yaml'), { merge: true }) as Compose;

test('services of compose use secrets, volumes and services that there are, and read each secret from its file', () => {
  for (const { environment = {}, secrets = [], volumes = [], depends_on: needed = {} } of Object.values(
    compose.services,
  )) {
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
    expect(files.map((file) => file.replace('/run/secrets/', '')).toSorted()).toEqual([...secrets].toSorted());
    expect(secrets.filter((name) => compose.secrets[name] === undefined)).toEqual([]);
    const named = volumes.map((volume) => volume.split(':')[0] ?? '');
    const missing = named.filter(
      (name) => !(name.startsWith('.') ? existsSync(join(deploy, name)) : name in compose.volumes),
    );
    expect(missing).toEqual([]);
    for (const [name, { condition }] of Object.entries(needed)) {
      const service = compose.services[name];
      expect(service).toBeDefined();
      // The health of our own service is checked by its image.
      if (condition === 'service_healthy' && name !== 'postrider') expect(service?.healthcheck).toBeDefined();
    }
  }
});

test('every setting that compose, the chart and the unit give to the service is one', async () => {
  const known = await settingNames();
  const { settings, secretKeys } = parse(textOf('chart', 'values.yaml')) as Record<string, Record<string, string>>;
  const unit = textOf('systemd', 'postrider.service').match(/\b(?:MESSAGING_|DATABASE_)\w+(?==)/g) ?? [];
  const given = [
    ...Object.keys(compose.services.postrider?.environment ?? {}),
    ...Object.keys({ ...settings, ...secretKeys }),
    ...(textOf('chart', 'templates', '_names.tpl').match(/\bMESSAGING_\w+/g) ?? []),
    ...unit,
  ];
  expect(given.length).toBeGreaterThan(20);
  expect(given.filter((name) => !known.has(name))).toEqual([]);
});

test('make-secrets makes every secret that compose reads, and keeps it the second time', () => {
  const made = textOf('make-secrets');
  const names = Object.values(compose.secrets).map(({ file }) => file.replace('./secrets/', ''));
  for (const name of names) expect(made).toMatch(new RegExp(`\\b${name}\\b`));
  expect(statSync(join(deploy, 'make-secrets')).mode & 0o111).not.toBe(0);
});

const schema = JSON.parse(textOf('chart', 'values.schema.json')) as object;
const values = parse(textOf('chart', 'values.yaml')) as Record<string, unknown>;
const isValid = new Ajv({ strict: false }).compile(schema);

test.each([
  ['a role that there is not', { groups: { ...(values.groups as object), api: { roles: 'apis' } } }],
  ['a misspelled name', { grups: {} }],
  ['a setting that is none', { settings: { NETWORK_URL: 'x' } }],
  ['no secret for the database', { secretKeys: {} }],
  ['another media store', { media: { store: 'nfs', existingClaim: '' } }],
])('the chart takes its own values, and refuses %s', (_label, change) => {
  expect([isValid(values), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...values, ...change })).toBe(false);
});

test('templates of the chart use values that there are, and close every block', () => {
  const folder = join(deploy, 'chart', 'templates');
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      const found = path
        .split('.')
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], values);
      expect([file, path, found === undefined]).toEqual([file, path, false]);
    }
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    expect([file, count(/\{\{-? end\b/g)]).toEqual([file, count(/\{\{-? (?:if|range|with|define)\b/g)]);
  }
});

test('chart, package and image say the same version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'server', 'package.json'), 'utf8')) as { version: string };
  expect(parse(textOf('chart', 'Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

test('systemd finds nothing wrong with the unit, where it is installed', () => {
  const program = '/usr/bin/systemd-analyze';
  const verify = () =>
    execFileSync(program, ['verify', join(deploy, 'systemd', 'postrider.service')], { stdio: 'pipe' });
  if (existsSync(program)) expect(verify().toString()).toBe('');
  expect(textOf('systemd', 'postrider.service')).toMatch(/^NoNewPrivileges=yes$/m);
});

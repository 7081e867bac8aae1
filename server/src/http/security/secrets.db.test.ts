import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installationSecret } from '#access/actions/manage-tenants';
import { idsFor, perform, text } from '#http/security/testing/calls';
import { makeFullTenant } from '#http/security/testing/world';
import { described } from '#http/testing/described';
import { installationPushKey } from '#notifications/actions/push-key';
import { openKeyring } from '#runtime/keyring';
import { expectAway, restore, takeAway } from '#testing/database/database-away';
import { callbackBody, inboundText, ingest, postCallback } from '#testing/test-callbacks';
import { type Answer, startTestService, TEST_KEY, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * Everything that leaves the service while all of it is used, rightly and wrongly: answers, log lines of every level,
 * and what is stored. No secret may be in any of them.
 */
let kit: TestService;
let owner: TestTenant;
let stranger: TestTenant;
const logged: string[] = [];
const answers: string[] = [];
/** Keys of tenants and secrets of webhooks that an answer showed, as it must, once. */
const shown: string[] = [];
/** Access tokens that the network gave for linked accounts, under names that tell them apart. */
let tokens: Readonly<Record<string, string>>;

/** What a customer wrote and where from: no secret, but nothing for a log. */
const PRIVATE = { body: 'canary-of-what-was-written', phone: '447711223344' };

beforeAll(async () => {
  const sink = new Writable({
    write: (line, _encoding, done) => {
      logged.push(String(line));
      done();
    },
  });
  kit = await startTestService({ log: pino({ level: 'debug' }, sink) });
  owner = await makeFullTenant(kit);
  stranger = await makeTestTenant(kit);
  await useEverything();
  tokens = await tokensOfAccounts();
});
afterAll(async () => {
  await restore(kit);
  // The embedded database was closed already.
  await kit.close().catch(() => undefined);
});

async function useEverything(): Promise<void> {
  for (const operation of described) {
    const ids = await idsFor(kit, owner, operation);
    for (const key of [null, 'garbage', stranger.key]) keep(await perform(kit, key, operation, { ids }));
    keep(await perform(kit, owner.key, operation, { ids, search: '?tenant_id=1' }));
    keep(await perform(kit, owner.key, operation, { ids }));
  }
  keep(
    await owner.call('POST', '/v1/messages', { ...text, to: PRIVATE.phone, body: PRIVATE.body, send_at: undefined }),
  );
  keep(await owner.call('POST', '/v1/messages', { to: PRIVATE.phone, body: PRIVATE.body, surplus: owner.key }));
  const messages = [inboundText('wamid.canary', PRIVATE.phone, { text: { body: PRIVATE.body } })];
  const callback = callbackBody({ phoneNumberId: owner.phoneNumberId, messages });
  await ingest(kit, callback);
  for (const signature of ['sha256=00', null]) keep(await postCallback(kit, callback, signature));
  await kit.until(
    async () => (await kit.simulate('GET', `/_sim/messages?to=${PRIVATE.phone}`)).body.data.length,
    (sent) => sent === 1,
    'the message is sent',
  );
}

function keep(answer: Answer): void {
  const made = [answer.body?.key, answer.body?.secret].filter((value) => SHOWN_ONCE.test(String(value)));
  shown.push(...made);
  const rest = made.reduce((text: string, secret: string) => text.replace(secret, ''), answer.text);
  answers.push(JSON.stringify([[...answer.headers], rest]));
}

const SHOWN_ONCE = /^(pr_|whsec_)/;

async function tokensOfAccounts(): Promise<Readonly<Record<string, string>>> {
  const { data } = (await kit.simulate('GET', '/_sim/tokens')).body;
  return Object.fromEntries(
    data.map(({ token }: { token: string }, index: number) => [`token of an account ${index}`, token]),
  );
}

async function secrets(): Promise<Readonly<Record<string, string>>> {
  const { db } = kit.service;
  const { networkToken, appSecret, verifyToken } = kit.rt.config;
  return {
    'the key of a tenant': owner.key,
    'the key of another tenant': stranger.key,
    'the key of the first tenant': TEST_KEY,
    ...Object.fromEntries(shown.map((secret, index) => [`shown once ${index}`, secret])),
    ...tokens,
    'the key that tokens are encrypted with': openKeyring(kit.rt.config).current()?.bytes.toString('base64') ?? '',
    'the token for the network': networkToken,
    'the secret of callbacks': appSecret,
    'the token of the verification': verifyToken,
    'the key of echoes': await installationSecret(db, 'echo_key'),
    'the key of cursors': await installationSecret(db, 'cursor_key'),
    'the key of dialogs': await installationSecret(db, 'link_key'),
    'the key of pushes': (await installationPushKey(db)).privateKey,
  };
}

/** Names of the secrets that occur in a text. */
function foundIn(haystack: string, needles: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(needles).flatMap(([name, needle]) => (haystack.includes(needle) ? [name] : []));
}

test('there are secrets of every kind to look for', () => {
  const kinds = [...shown.map((secret) => secret.split('_')[0]), ...Object.keys(tokens).map(() => 'token')];
  expect([...new Set(kinds)].toSorted()).toEqual(['pr', 'token', 'whsec']);
});

test('no secret is in any answer', async () => {
  expect(answers.length).toBeGreaterThan(5 * described.length);
  // What a caller writes into a field that does not exist is not echoed either.
  expect(foundIn(answers.join('\n'), await secrets())).toEqual([]);
});

test('no secret is in any log line, nor what was written or by whom', async () => {
  expect(foundIn(logged.join(''), { ...(await secrets()), ...PRIVATE })).toEqual([]);
});

test('no key of a tenant and no credential of the network is stored; secrets of the service only in their table', async () => {
  const { db } = kit.service;
  const tables = await db.run<{ name: string }>(ALL_TABLES, []);
  expect(tables.rows.length).toBeGreaterThan(20);
  for (const { name } of tables.rows) {
    const rows = await db.run<{ row: string }>(
      { name: `test_dump_${name}`, text: `select to_jsonb(t)::text as row from ${name} t` },
      [],
    );
    const found = foundIn(rows.rows.map(({ row }) => row).join('\n'), await secrets());
    expect([name, found]).toEqual([name, name === 'settings' ? KEPT_IN_SETTINGS : []]);
  }
});

const KEPT_IN_SETTINGS = ['the key of echoes', 'the key of cursors', 'the key of dialogs', 'the key of pushes'];

const ALL_TABLES = {
  name: 'test_all_tables',
  text: `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
};

test('no key of a tenant is in any file of the data folder', async () => {
  const { dataDir } = kit.rt.config;
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const keys = Object.entries(await secrets()).filter(([, secret]) => secret.startsWith('pr_'));
  expect(keys.length).toBeGreaterThanOrEqual(4);
  for (const file of files) {
    const bytes = readFileSync(join(file.parentPath, file.name));
    expect([file.name, keys.filter(([, key]) => bytes.includes(key)).map(([name]) => name)]).toEqual([file.name, []]);
  }
});

test('an answer while the database is away, and its log line, say nothing of the inside or of the caller', async () => {
  const needles = await secrets();
  const before = logged.length;
  await takeAway(kit);
  const answer = await owner.call('POST', '/v1/messages', { to: PRIVATE.phone, body: PRIVATE.body });
  expectAway(answer);
  expect(foundIn(answer.text + logged.slice(before).join(''), { ...needles, ...PRIVATE })).toEqual([]);
});

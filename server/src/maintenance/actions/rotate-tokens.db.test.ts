import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { runOperatorCommand } from '#cli/operator/commands';
import type { SqlRunner } from '#database/database';
import { openKeyring } from '#runtime/keyring';
import { linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { type ReceivedHook, startWebhookReceiver } from '#testing/peers/webhook-receiver';
import { recordEvents } from '#testing/test-events';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { openSecrets } from '#webhooks/actions/webhook-secrets';
import { findEndpoint } from '#webhooks/store/webhook-endpoints';
import { rotateTokens } from './rotate-tokens.ts';

/** Nothing but tokens of the dialog counts: what is sent was decrypted. */
let kit: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  kit = await startTestService({
    isAlone: true,
    simulator: { tokens: ['a-token-that-nobody-has'] },
    config: { webhookAllow: '127.0.0.1' },
  });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const rotate = () => {
  const { rt, service } = kit;
  const deps = { rt, db: service.db, migrationsFolder: migrationsFolder() };
  return runOperatorCommand(deps, 'tokens.rotate-key', {});
};
const keyIds = async () => {
  const text = 'select distinct token_key_id as id from linked_accounts where token is not null';
  return (await kit.service.db.run<{ id: string }>({ name: 'test_key_ids', text }, [])).rows.map(({ id }) => id);
};

test('every token is encrypted under a new key, and the numbers keep sending', async () => {
  const account = await makeSimulatedAccount(kit);
  const { id } = await linkAccount(tenant, account.networkAccountId);
  await linkAccount(tenant, (await makeSimulatedAccount(kit)).networkAccountId);
  const [before] = await keyIds();
  const rotated = await rotate();
  expect(rotated).toMatchObject({ rotated: 2, unreadable: 0 });
  expect(await keyIds()).toEqual([rotated.key_id]);
  expect(rotated.key_id).not.toBe(before);
  expect((await tenant.call('POST', `/v1/accounts/${id}/retry`)).body.status).toBe('linked');
  const sent = await tenant.send(freshPhone(), { phone_number_id: account.phoneNumberId });
  await tenant.untilMessage(sent, ({ status }) => status === 'sent', 'the message is sent');
});

test('a rotation that is killed at any point leaves everything readable, and the next one completes it', async () => {
  const { rt, service } = kit;
  const { id } = await rotatedEndpoint('http://127.0.0.1:9/', 3600);
  const keyringOf = (encryptionKey: string) => openKeyring({ ...rt.config, encryptionKey });
  const old = openKeyring(rt.config).current()?.bytes.toString('base64');
  const fresh = randomBytes(32).toString('base64');
  const forth = keyringOf(`${fresh},${old}`);
  const all = (await rotateTokens(rt, service.db, keyringOf(`${old},${fresh}`))).keyId;
  const idsNow = async () => new Set([...(await keyIds()), ...(await secretKeyIds())]);
  expect(await idsNow()).toEqual(new Set([all]));
  let killed = 0;
  for (let allowed = 0; ; allowed += 1) {
    let passed = 0;
    const run: SqlRunner['run'] = (statement, values) => {
      passed += 1;
      return passed > allowed ? Promise.reject(new Error('killed')) : service.db.run(statement, values);
    };
    const outcome = await rotateTokens(rt, { ...service.db, run }, forth).catch((error: Error) => error.message);
    // At any point, nothing is under a third key or unencrypted.
    expect([...(await idsNow())].filter((id) => id !== all && id !== forth.current()?.id)).toEqual([]);
    expect(await rotateTokens(rt, service.db, forth)).toMatchObject({ unreadable: 0 });
    expect(await idsNow()).toEqual(new Set([forth.current()?.id]));
    expect(await rotateTokens(rt, service.db, keyringOf(`${old},${fresh}`))).toMatchObject({ unreadable: 0 });
    if (outcome !== 'killed') break;
    killed += 1;
  }
  expect(killed).toBeGreaterThan(3);
  // The others count what there is.
  expect((await tenant.call('DELETE', `${ENDPOINTS}/${id}`)).status).toBe(200);
});

test('with keys in the settings both are readable in the meantime; a missing key is counted, and nothing is lost', async () => {
  const { rt, service } = kit;
  const [before] = await keyIds();
  const [old, fresh] = [openKeyring(rt.config).current()?.bytes.toString('base64'), randomBytes(32).toString('base64')];
  const keyringOf = (encryptionKey: string) => openKeyring({ ...rt.config, encryptionKey });
  expect(await rotateTokens(rt, service.db, keyringOf(fresh))).toMatchObject({ rotated: 0, unreadable: 2 });
  expect(await keyIds()).toEqual([before]);
  const both = await rotateTokens(rt, service.db, keyringOf(`${fresh},${old}`));
  expect(both).toMatchObject({ rotated: 2, unreadable: 0 });
  expect(await keyIds()).toEqual([both.keyId]);
  expect(await rotateTokens(rt, service.db, keyringOf(`${fresh},${old}`))).toMatchObject({ rotated: 0, unreadable: 0 });
});

const ENDPOINTS = '/v1/webhook-endpoints';

/** Every id of a key beside a secret of a webhook. */
const secretKeyIds = async () => {
  const text = `select secret_key_id as id from webhook_endpoints union
    select old_secret_key_id from webhook_endpoints where old_secret_sealed is not null`;
  return (await kit.service.db.run<{ id: string }>({ name: 'test_secret_key_ids', text }, [])).rows.map(({ id }) => id);
};
/** An endpoint whose secret was rotated, with both secrets that sign for it. */
const rotatedEndpoint = async (url: string, overlapS: number) => {
  const made = (await tenant.call('POST', ENDPOINTS, { url })).body;
  const wish = { overlap_s: overlapS };
  const { secret } = (await tenant.call('POST', `${ENDPOINTS}/${made.id}/rotate-secret`, wish)).body;
  return { id: made.id as string, secrets: [secret, made.secret] as readonly string[] };
};

test('secrets of webhooks are encrypted again too, and nothing of the old key is left', async () => {
  const receiver = await startWebhookReceiver();
  const { id, secrets } = await rotatedEndpoint(receiver.url, 3600);
  const { rt, service } = kit;
  const keyringOf = (encryptionKey: string) => openKeyring({ ...rt.config, encryptionKey });
  const old = openKeyring(rt.config).current()?.bytes.toString('base64');
  const fresh = randomBytes(32).toString('base64');
  const alone = keyringOf(fresh);
  const wanted = await findEndpoint(service.db, tenant.tenantId, id);
  expect(wanted && openSecrets(alone, wanted, rt.clock.now())).toBeNull();
  expect(await rotateTokens(rt, service.db, keyringOf(`${fresh},${old}`))).toMatchObject({ rotated: 1 });
  expect(await secretKeyIds()).toEqual([alone.current()?.id]);
  const sealed = await findEndpoint(service.db, tenant.tenantId, id);
  expect(sealed && openSecrets(alone, sealed, rt.clock.now())).toEqual(secrets);
  // Back to a key that the service knows: what it delivers carries both signatures.
  expect(await rotateTokens(rt, service.db, keyringOf(`${old},${fresh}`))).toMatchObject({ rotated: 1 });
  const isSignedBy =
    ({ body, headers }: ReceivedHook) =>
    (secret: string) => {
      try {
        return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>));
      } catch {
        return false;
      }
    };
  // A change of secrets is noticed within two seconds: until then a webhook may carry the signature of one alone.
  await kit.until(
    async () => {
      await recordEvents(kit, tenant.tenantId);
      return receiver.received;
    },
    (seen) => seen.some((hook) => secrets.every(isSignedBy(hook))),
    'a webhook with both signatures',
  );
  await receiver.close();
});

test('an expired secret is removed instead of being encrypted again; one whose key is missing is counted', async () => {
  const { id } = await rotatedEndpoint('http://127.0.0.1:9/', 1);
  const { rt, service } = kit;
  const until = async () => (await findEndpoint(service.db, tenant.tenantId, id))?.oldSecret?.untilMs ?? 0;
  const overMs = await until();
  const later = { ...rt, clock: { ...rt.clock, now: () => overMs } };
  const fresh = randomBytes(32).toString('base64');
  const keyring = openKeyring({ ...rt.config, encryptionKey: fresh });
  const before = await secretKeyIds();
  expect((await rotateTokens(later, service.db, keyring)).unreadable).toBeGreaterThan(0);
  expect(await secretKeyIds()).toEqual(before);
  await rotateTokens(later, service.db, openKeyring(rt.config));
  expect((await findEndpoint(service.db, tenant.tenantId, id))?.oldSecret).toBeNull();
});

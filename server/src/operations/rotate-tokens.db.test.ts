import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOperatorCommand } from '#cli/operator/commands';
import { openKeyring } from '#runtime/keyring';
import { linkAccount, makeSimulatedAccount } from '#testing/link-dialog';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { migrationsFolder } from '../../bin/service.ts';
import { rotateTokens } from './rotate-tokens.ts';

/** Nothing but tokens of the dialog counts: what is sent was decrypted. */
let kit: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  kit = await startTestService({ simulator: { tokens: ['a-token-that-nobody-has'] } });
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

test('every token is encrypted under a new key, and the numbers go on sending', async () => {
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

test('with keys in the settings both are readable meanwhile; a key that is missing is counted, and nothing is lost', async () => {
  const { rt, service } = kit;
  const [before] = await keyIds();
  const [old, fresh] = [openKeyring(rt.config).current()?.bytes.toString('base64'), randomBytes(32).toString('base64')];
  const ringOf = (encryptionKey: string) => openKeyring({ ...rt.config, encryptionKey });
  expect(await rotateTokens(rt, service.db, ringOf(fresh))).toMatchObject({ rotated: 0, unreadable: 2 });
  expect(await keyIds()).toEqual([before]);
  const both = await rotateTokens(rt, service.db, ringOf(`${fresh},${old}`));
  expect(both).toMatchObject({ rotated: 2, unreadable: 0 });
  expect(await keyIds()).toEqual([both.keyId]);
  expect(await rotateTokens(rt, service.db, ringOf(`${fresh},${old}`))).toMatchObject({ rotated: 0, unreadable: 0 });
});

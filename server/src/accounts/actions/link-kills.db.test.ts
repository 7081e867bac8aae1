import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { installationSecret } from '#access/actions/manage-tenants';
import type { AccountNetwork } from '#accounts/domain/account-network';
import { accountStatus } from '#accounts/domain/linking';
import { listLinkedAccountsPage } from '#accounts/store/linked-accounts';
import { findNumberOwners, findPhoneNumber } from '#accounts/store/phone-numbers';
import type { Database, SqlRunner } from '#database/database';
import { makeAccountClient } from '#network/account-client';
import { openKeyring } from '#runtime/keyring';
import { allow, makeSimulatedAccount, passDialog, type SimulatedAccount } from '#testing/peers/link-dialog';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { completeLink } from './finish-link.ts';
import type { LinkDeps } from './link-deps.ts';
import { RUN_MS } from './link-run.ts';
import { repeatLink } from './repeat-link.ts';

/*
 * Linking, killed at every point: before and after each call to the network, before and after each write. A killed
 * process does nothing any more, so everything that it asks for after its end is refused.
 */
const clock = new TestClock(Date.now());
let kit: TestService;
let tenant: TestTenant;
let simulated: SimulatedAccount;
let network: ReturnType<typeof makeAccountClient>;
let parts: LinkDeps;

beforeAll(async () => {
  kit = await startTestService({ clock, config: { roles: 'api' } });
  const { rt, service } = kit;
  network = makeAccountClient(rt.config);
  const stateKey = await installationSecret(service.db, 'link_key');
  parts = { rt, db: service.db, accounts: network, keyring: openKeyring(rt.config), stateKey };
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
  simulated = await makeSimulatedAccount(kit);
});
afterAll(async () => {
  await network.close();
  await kit.close();
});

class Killed extends Error {
  override name = 'Killed';
}

/** Lets `allowed` points pass and ends the process at the next one. Each effect has one before it and one after it. */
class Executioner {
  readonly #allowed: number;
  passed = 0;

  constructor(allowed: number) {
    this.#allowed = allowed;
  }

  async watch<T>(effect: () => Promise<T>): Promise<T> {
    this.#point();
    const result = await effect();
    this.#point();
    return result;
  }

  #point(): void {
    if (this.passed >= this.#allowed) throw new Killed('The process was killed.');
    this.passed += 1;
  }
}

/** The same parts in a process that the executioner watches. */
function watched(executioner: Executioner): LinkDeps {
  const watch = <Arguments extends readonly unknown[], T>(call: (...given: Arguments) => Promise<T>) => {
    return (...given: Arguments) => executioner.watch(() => call(...given));
  };
  const accounts: AccountNetwork = {
    exchange: watch(network.exchange),
    inspect: watch(network.inspect),
    subscribe: watch(network.subscribe),
    listNumbers: watch(network.listNumbers),
    register: watch(network.register),
    describe: watch(network.describe),
    startSync: watch(network.startSync),
  };
  const { db } = parts;
  const dying: Database = {
    kind: db.kind,
    kysely: db.kysely,
    run: ((statement, values) => executioner.watch(() => db.run(statement, values))) as SqlRunner['run'],
    transaction: (work) => executioner.watch(() => db.transaction(work)),
    guard: db.guard,
    listen: db.listen,
    aside: db.aside,
    notify: db.notify,
    close: db.close,
  };
  return { ...parts, db: dying, accounts };
}

async function comeBack(executioner: Executioner): Promise<'killed' | 'finished'> {
  const address = new URL(await passDialog(tenant, allow(simulated.networkAccountId)));
  const came = { state: address.searchParams.get('state'), code: address.searchParams.get('code') };
  const request = { error: null, errorReason: null, requestId: 'r', address: '127.0.0.1' };
  try {
    await completeLink(watched(executioner), { ...came, ...request });
    return 'finished';
  } catch (error) {
    if (error instanceof Killed) return 'killed';
    throw error;
  }
}

const newestAccount = async () =>
  (await listLinkedAccountsPage(parts.db, tenant.tenantId, { limit: 1, offset: 0, beforeId: null })).items[0];

/** A number is the tenant's with everything that belongs to it, or not at all. */
async function expectNothingHalf(): Promise<void> {
  const account = await newestAccount();
  const number = await findPhoneNumber(parts.db, tenant.tenantId, simulated.phoneNumberId);
  const owners = await findNumberOwners(parts.db, [simulated.phoneNumberId]);
  const isRegistered = account?.steps.some(({ name, state }) => name === 'register' && state === 'done') ?? false;
  expect([number !== null, owners.size === 1]).toEqual([isRegistered, isRegistered]);
  if (number === null) return;
  expect(number.accountId).toBe(account?.accountId);
  expect(account?.token).not.toBeNull();
}

test('a process killed at any point leaves nothing half linked, and what it left can be finished', async () => {
  const origin = { actor: 'operator', keyId: null, agentId: null, requestId: null, address: null } as const;
  const endings = new Map<string, number>();
  let allowed = 0;
  for (; (await comeBack(new Executioner(allowed))) === 'killed'; allowed += 1) {
    await expectNothingHalf();
    clock.advance(RUN_MS);
    const left = await newestAccount();
    const status = left === undefined ? 'nothing' : accountStatus(left, clock.now());
    endings.set(status, (endings.get(status) ?? 0) + 1);
    if (left !== undefined && status !== 'failed') {
      const { tenantId, accountId } = left;
      const finished = await repeatLink(parts, { tenantId, accountId, origin });
      expect([allowed, accountStatus(finished, clock.now())]).toEqual([allowed, 'linked']);
      await expectNothingHalf();
    }
    tenant = await makeTestTenant(kit);
    simulated = await makeSimulatedAccount(kit);
  }
  // Before the state is used, before the token is kept, and after it.
  expect([...endings.keys()].toSorted()).toEqual(['failed', 'incomplete', 'linked', 'nothing']);
  expect(allowed).toBeGreaterThan(20);
});

test('two runs of the same account do not mix: the second is refused, or takes over when the first is silent', async () => {
  expect(await comeBack(new Executioner(Number.POSITIVE_INFINITY))).toBe('finished');
  const account = await newestAccount();
  if (account === undefined) throw new Error('There is no account.');
  const wish = {
    tenantId: tenant.tenantId,
    accountId: account.accountId,
    origin: { actor: 'operator', keyId: null, agentId: null, requestId: null, address: null } as const,
  };
  const both = await Promise.allSettled([repeatLink(parts, wish), repeatLink(parts, wish)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  let release: () => void = () => undefined;
  const silent = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: AccountNetwork = {
    ...network,
    listNumbers: async (...asked) => silent.then(() => network.listNumbers(...asked)),
  };
  const first = repeatLink({ ...parts, accounts: slow }, wish);
  const taken = async () => (await newestAccount())?.runUntilMs ?? 0;
  await kit.until(taken, (untilMs) => untilMs > clock.now(), 'the first run has begun');
  clock.advance(RUN_MS);
  expect(accountStatus(await repeatLink(parts, wish), clock.now())).toBe('linked');
  release();
  await expect(first).rejects.toMatchObject({ code: 'conflict' });
  await expectNothingHalf();
});

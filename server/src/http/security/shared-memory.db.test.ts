import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * What the process remembers of tenants is asked for by two of them at once, who have the same customers, names and idempotency keys but
 * different rights: each is answered as if it were alone.
 */

/** Memories of answers about tenants, and what keeps one tenant's from another. */
const MEMORIES: Readonly<Record<string, string>> = {
  'accounts/actions/account-token.ts': 'The key is the tenant with its account.',
  'messages/actions/store-accepted.ts': 'Prices of the installation: the same for every tenant.',
  'access/actions/authenticate.ts': 'The key is the whole API key, which says whose it is.',
  'users/actions/authenticate-session.ts': 'The key is the whole token, which says whose session it is.',
  'billing/actions/billing-gate.ts': 'The key is the tenant.',
  'accounts/actions/number-cache.ts': 'The key is the tenant.',
  'contacts/actions/suppression-cache.ts': 'The key is the tenant.',
  'templates/actions/template-cache.ts': 'The key is the tenant.',
  'cells/actions/cell-locator.ts': 'The key is what names one caller, one number or one account; the answer is a cell.',
  'network/identity-providers.ts': 'The key is the whole connection, the tenant and its client secret included.',
  'runtime/name-lookup.ts': 'Addresses of host names: the same for every tenant.',
};

test('every memory is known, with what keeps tenants apart in it', () => {
  const src = new URL('../../', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const remembering = files.filter((file) => /new TtlCache\b/.test(readFileSync(new URL(file, src), 'utf8')));
  expect(remembering.toSorted()).toEqual(Object.keys(MEMORIES).toSorted());
});

/** A tenant as these tests know it, and what it must be answered. */
interface Side {
  readonly tenant: TestTenant;
  readonly other: TestTenant;
  /** Whether it has blocked the customer that both have. */
  readonly blocks: boolean;
  readonly text: string;
}

let kit: TestService;
let sides: readonly Side[];
const customer = freshPhone();
const later = { send_at: new Date(Date.now() + 3_600_000).toISOString() };

beforeAll(async () => {
  // As few connections as there can be: requests of both tenants follow each other on each.
  kit = await startTestService({ config: { roles: 'api', databasePool: 4 } });
  const [one, other] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  const { body } = await one.call('POST', '/v1/contacts', { phone: customer, name: 'Ada' });
  expect((await one.call('POST', `/v1/contacts/${body.id}/block`)).status).toBe(200);
  expect((await other.call('POST', '/v1/contacts', { phone: customer, name: 'Ada' })).status).toBe(201);
  sides = [
    { tenant: one, other, blocks: true, text: 'of the first' },
    { tenant: other, other: one, blocks: false, text: 'of the second' },
  ];
});
afterAll(() => kit.close());

const send = ({ tenant, text }: Side, fields: object, headers = {}) =>
  tenant.call('POST', '/v1/messages', { body: text, to: freshPhone(), ...later, ...fields }, headers);

/** What a tenant asks for; each checks the answer. */
const asks = {
  'its numbers': async ({ tenant }: Side) => {
    const { body } = await tenant.call('GET', '/v1/phone-numbers');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([tenant.phoneNumberId]);
  },
  'a send from its number': async (side: Side) => {
    const { status, body } = await send(side, {});
    expect([status, body.details]).toEqual([202, undefined]);
    const message = await side.tenant.message(body.id);
    expect(message.phone_number_id).toBe(side.tenant.phoneNumberId);
    expect(JSON.stringify(message)).toContain(side.text);
  },
  'a send from a number of the other': async (side: Side) => {
    const { status, body } = await send(side, { phone_number_id: side.other.phoneNumberId });
    expect([status, body.code]).toEqual([400, 'unknown_phone_number']);
  },
  'a send to the customer of both': async (side: Side) => {
    const { status, body } = await send(side, { to: customer });
    expect([status, body.code]).toEqual(side.blocks ? [400, 'recipient_blocked'] : [202, undefined]);
  },
  'a send that it repeats': async (side: Side) => {
    const headers = { 'idempotency-key': 'the-same-for-both' };
    const { status, body } = await send(side, { to: '447700900999' }, headers);
    expect([status, body.details]).toEqual([202, undefined]);
    expect(JSON.stringify(await side.tenant.message(body.id))).toContain(side.text);
  },
  'something that it does not wait for': async ({ tenant }: Side) => {
    const signal = AbortSignal.timeout(1);
    const headers = { authorization: `Bearer ${tenant.key}` };
    await fetch(`${kit.service.url}/v1/messages/outbound?limit=100`, { headers, signal }).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    );
  },
} as const;

describe('two tenants who ask at once', () => {
  test('are each answered as if alone, over few connections', async () => {
    const names = Object.keys(asks) as (keyof typeof asks)[];
    const ask = fc.record({ side: fc.nat(1), name: fc.constantFrom(...names) });
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { minLength: 20, maxLength: 60 }), async (together) => {
        await Promise.all(together.map(({ side, name }) => asks[name](sides[side] as Side)));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

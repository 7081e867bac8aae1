import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TokenProvider } from '#accounts/actions/account-token';
import { addPhoneNumber } from '#accounts/actions/add-number';
import type { Asked } from '#accounts/domain/account-network';
import type { NumberAtNetwork } from '#business/domain/business-network';
import { createContact, updateContact } from '#contacts/actions/manage-contacts';
import { blockAtNetwork } from '#contacts/actions/save-contacts';
import { BLOCK_LEASE_MS, claimDueBlocks } from '#contacts/actions/tell-network-blocks';
import { findContact } from '#contacts/store/contacts';
import { type ClaimedBlock, listNetworkBlocks } from '#contacts/store/network-blocks';
import type { ContactId, PhoneNumberId, TenantId } from '#core/ids';
import { transferFailure } from '#core/network/transfer-failure';
import { conversationKit } from '#testing/conversation-kit';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { cases } from '#testing/depth';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { freshPhone } from '#testing/test-tenant';
import { type BlockerDeps, tellNetwork } from './network-blocker.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock, () => 0);
const [ONE, OTHER] = ['20100000001', '20100000002'] as unknown as [PhoneNumberId, PhoneNumberId];
const NUMBERS = [ONE, OTHER] as const;
const HOUR_MS = 3_600_000;
let database: TestDatabase;
let tenantId: TenantId;

const newTenant = () => createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await newTenant();
  for (const [index, phoneNumberId] of NUMBERS.entries()) {
    const number = { tenantId, phoneNumberId, displayPhone: `1555000000${index}`, name: null, ratePerSecond: null };
    await addPhoneNumber(rt, database.db, { ...number, networkAccountId: null });
  }
});
afterAll(() => database.drop());

const done: Asked<true> = { ok: true, value: true };
const refused = (code: number, status = 400): Asked<true> => {
  const text = JSON.stringify({ error: { code, type: 'OAuthException', message: 'No.' } });
  return { ok: false, failure: transferFailure(status, text, undefined) };
};
const unreachable: Asked<true> = { ok: false, failure: { kind: 'unreachable', reason: 'Nobody answers.' } };

/** Whom the network blocks, as `number/customer`, and what it answers next. */
class Network {
  readonly blocked = new Set<string>();
  /** What comes of the next calls; afterwards the network does what it is told. */
  readonly answers: ('refuse' | 'lose_answer' | Asked<true>)[] = [];
  calls = 0;

  setBlocked = async (at: NumberAtNetwork, user: string, isBlocked: boolean): Promise<Asked<true>> => {
    this.calls += 1;
    const answer = this.answers.shift();
    if (answer === 'refuse') return refused(139102);
    if (typeof answer === 'object') return answer;
    const key = `${at.phoneNumberId}/${user}`;
    if (isBlocked) this.blocked.add(key);
    else this.blocked.delete(key);
    return answer === 'lose_answer' ? unreachable : done;
  };
}

const tokens = { ofAccount: () => null } as unknown as TokenProvider;
const partsOf = (network: Network): BlockerDeps => ({
  rt,
  db: database.db,
  network,
  tokens,
  due: { has: async () => true, gate: (_kind, step) => step },
});

/** A customer who wrote to these numbers. */
async function customer(...numbers: readonly PhoneNumberId[]): Promise<{ contactId: ContactId; phone: string }> {
  const phone = freshPhone();
  const { contact } = await createContact(rt, database.db, { tenantId, onConflict: 'refuse' }, { phone });
  for (const phoneNumberId of numbers) {
    await conversationKit({ rt, db: database.db, tenantId, phoneNumberId }).customersWrite([contact.contactId]);
  }
  return { contactId: contact.contactId, phone };
}

const setStatus = (contactId: ContactId, status: 'active' | 'blocked') =>
  updateContact(rt, database.db, { tenantId, contactId, versions: null }, { status });
const claim = async () => (await claimDueBlocks(rt, database.db, 100)).filter((one) => one.tenantId === tenantId);
const tellAll = async (network: Network) => {
  for (const claimed of await claim()) await tellNetwork(partsOf(network), claimed);
};
const blocksOf = async (contactId: ContactId) =>
  (await listNetworkBlocks(database.db, tenantId, contactId)).map(({ phoneNumberId, state, networkCode }) => {
    return { phoneNumberId, state, networkCode };
  });
/** Goes on until nothing is left to tell. */
async function settleAll(network: Network): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    clock.advance(HOUR_MS);
    await tellAll(network);
  }
  expect(await claim()).toEqual([]);
}

test('a block is told for every number that the contact has written to, and to none beside', async () => {
  const network = new Network();
  const { contactId, phone } = await customer(ONE);
  await setStatus(contactId, 'blocked');
  expect(await blocksOf(contactId)).toEqual([{ phoneNumberId: ONE, state: 'pending', networkCode: null }]);
  await tellAll(network);
  expect([...network.blocked]).toEqual([`${ONE}/${phone}`]);
  expect(await blocksOf(contactId)).toEqual([{ phoneNumberId: ONE, state: 'blocked', networkCode: null }]);
  expect(await blocksOf((await customer(OTHER)).contactId)).toEqual([
    { phoneNumberId: OTHER, state: 'not_blocked', networkCode: null },
  ]);
});

test('block and unblock in quick succession end in the last, also while the network is being told the first', async () => {
  const network = new Network();
  const { contactId } = await customer(ONE);
  await setStatus(contactId, 'blocked');
  const [claimed] = await claim();
  await setStatus(contactId, 'active');
  // Nobody else tells it anything before the first call is over.
  expect(await claim()).toEqual([]);
  await tellNetwork(partsOf(network), claimed as never);
  expect(network.blocked.size).toBe(1);
  expect(await blocksOf(contactId)).toEqual([{ phoneNumberId: ONE, state: 'pending', networkCode: null }]);
  await tellAll(network);
  expect([network.blocked.size, await blocksOf(contactId)]).toEqual([
    0,
    [{ phoneNumberId: ONE, state: 'not_blocked', networkCode: null }],
  ]);
});

test('a passing refusal is repeated later, a final one is kept with its code until something new is wanted', async () => {
  const network = new Network();
  const { contactId } = await customer(ONE);
  network.answers.push('refuse', unreachable, refused(131047));
  await setStatus(contactId, 'blocked');
  for (const code of [139102, null]) {
    await tellAll(network);
    expect(await blocksOf(contactId)).toEqual([{ phoneNumberId: ONE, state: 'pending', networkCode: code }]);
    expect(await claim()).toEqual([]);
    clock.advance(HOUR_MS);
  }
  await tellAll(network);
  expect(await blocksOf(contactId)).toEqual([{ phoneNumberId: ONE, state: 'refused', networkCode: 131047 }]);
  await settleAll(network);
  expect(network.calls).toBe(3);
});

test('a network that does not answer for a week is given up, and says so', async () => {
  const network = new Network();
  const { contactId } = await customer(ONE);
  await setStatus(contactId, 'blocked');
  for (let hours = 0; hours < 200; hours += 1) {
    network.answers.push(unreachable);
    await tellAll(network);
    clock.advance(HOUR_MS);
  }
  expect(await blocksOf(contactId)).toMatchObject([{ state: 'refused' }]);
});

test('a process that was held up longer than its lease makes the network be told the last wish again', async () => {
  const network = new Network();
  const { contactId } = await customer(ONE);
  await setStatus(contactId, 'blocked');
  const [late] = await claim();
  clock.advance(BLOCK_LEASE_MS);
  await setStatus(contactId, 'active');
  await tellAll(network);
  await tellNetwork(partsOf(network), late as never);
  expect(network.blocked.size).toBe(1);
  await settleAll(network);
  expect(network.blocked.size).toBe(0);
});

const who = fc.nat(1);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set'), who, to: fc.constantFrom('blocked', 'active') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write'), who, to: fc.constantFrom(...NUMBERS) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('tell'), answer: fc.constantFrom('do', 'refuse', 'lose_answer') }),
  },
  // A process that has claimed dies before its calls or after them, or comes back when its lease is long over.
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('die'), when: fc.constantFrom('before', 'after', 'late') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two customers, what is wished of them, and processes that are still held up. */
class World {
  readonly network = new Network();
  readonly #people: readonly { readonly contactId: ContactId; readonly phone: string }[];
  readonly #wrote = new Set<string>();
  readonly #blocked = new Set<number>();
  readonly #late: ClaimedBlock[] = [];

  private constructor(people: readonly { readonly contactId: ContactId; readonly phone: string }[]) {
    this.#people = people;
  }

  static async begin(): Promise<World> {
    return new World([await customer(), await customer()]);
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'set':
        return this.#set(one.who, one.to as 'active');
      case 'write':
        return this.#write(one.who, one.to);
      case 'tell':
        if (one.answer !== 'do') this.network.answers.push(one.answer as 'refuse');
        await tellAll(this.network);
        this.network.answers.length = 0;
        return clock.advance(1_000);
      default:
        return this.#die(one.when);
    }
  }

  async #set(index: number, status: 'active' | 'blocked'): Promise<void> {
    if (status === 'blocked') this.#blocked.add(index);
    else this.#blocked.delete(index);
    await setStatus(this.#idOf(index), status);
  }

  /** As when a message comes in: whoever is blocked is blocked by the new number too. */
  async #write(index: number, phoneNumberId: PhoneNumberId): Promise<void> {
    const contactId = this.#idOf(index);
    await conversationKit({ rt, db: database.db, tenantId, phoneNumberId }).customersWrite([contactId]);
    this.#wrote.add(`${phoneNumberId}/${index}`);
    const contact = await findContact(database.db, tenantId, contactId);
    if (contact?.status !== 'blocked') return;
    await database.db.transaction((tx) => blockAtNetwork({ tx, nowMs: clock.now() }, tenantId, [contact]));
  }

  async #die(when: string): Promise<void> {
    const claimed = await claim();
    if (when === 'late') this.#late.push(...claimed);
    if (when === 'after') {
      for (const { phoneNumberId, recipient, isWanted } of claimed) {
        await this.network.setBlocked({ phoneNumberId, token: null }, recipient, isWanted);
      }
    }
    clock.advance(BLOCK_LEASE_MS);
  }

  /** Whoever was held up comes back, and everything is told. */
  async end(): Promise<void> {
    for (const claimed of this.#late) await tellNetwork(partsOf(this.network), claimed);
    await settleAll(this.network);
  }

  wished(): readonly string[] {
    const pairs = this.#people.flatMap(({ phone }, index) => NUMBERS.map((number) => ({ number, phone, index })));
    return pairs
      .filter(({ number, index }) => this.#blocked.has(index) && this.#wrote.has(`${number}/${index}`))
      .map(({ number, phone }) => `${number}/${phone}`);
  }

  /** What the API shows as blocked, pending or refused. */
  async shown(): Promise<readonly string[]> {
    const lists = await Promise.all(
      this.#people.map(async ({ contactId, phone }) =>
        (await blocksOf(contactId)).map(({ state, phoneNumberId }) => ({ state, name: `${phoneNumberId}/${phone}` })),
      ),
    );
    return lists.flat().flatMap(({ state, name }) => (state === 'not_blocked' ? [] : [`${name} ${state}`]));
  }

  #idOf(index: number): ContactId {
    return (this.#people[index] as { readonly contactId: ContactId }).contactId;
  }
}

test('whatever is wished, refused, killed and repeated, the network ends in the state that is wished here', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const world = await World.begin();
      for (const one of steps) await world.take(one);
      await world.end();
      const wished = world.wished().toSorted();
      expect([...world.network.blocked].toSorted()).toEqual(wished);
      expect((await world.shown()).toSorted()).toEqual(wished.map((name) => `${name} blocked`));
    }),
    { numRuns: cases(25) },
  );
});

test('the block of a number that is no longer a sending number is refused, and asks the network nothing', async () => {
  tenantId = await newTenant();
  const network = new Network();
  const { contactId } = await customer(ONE);
  await setStatus(contactId, 'blocked');
  await tellAll(network);
  expect([network.calls, await blocksOf(contactId)]).toMatchObject([0, [{ state: 'refused', networkCode: null }]]);
});

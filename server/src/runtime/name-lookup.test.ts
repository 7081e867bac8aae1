import type { LookupAddress } from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NameAnswer, type NameServer, startNameServer } from '#testing/peers/name-server';
import { TestClock } from '#testing/test-runtime';
import { makeNameLookup } from './name-lookup.ts';

let folder: string;
let server: NameServer;
let says: (name: string) => NameAnswer;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-names-'));
  writeFileSync(
    join(folder, 'hosts'),
    '# of a test\n10.1.2.3\tbilling Billing.Internal # ours\nfd00::3 billing\nrubbish\n',
  );
});
beforeEach(async () => {
  says = () => ['192.0.2.1'];
  server = await startNameServer((name) => says(name));
});
afterEach(() => server.close());
afterAll(() => rmSync(folder, { recursive: true }));

function names(asksSystem = false) {
  const clock = new TestClock();
  const hostsFile = join(folder, 'hosts');
  const lookup = makeNameLookup({ dnsServers: server.address }, { asksSystem: () => asksSystem, clock, hostsFile });
  const find = (name: string, family?: number) =>
    new Promise<readonly string[]>((resolve, reject) => {
      lookup(name, { all: true, ...(family === undefined ? {} : { family }) }, (error, found) => {
        if (error === null) resolve((found as LookupAddress[]).map(({ address }) => address));
        else reject(error);
      });
    });
  return { clock, find, lookup };
}

test('concurrent lookups of one name cost one question, and those within seconds of it none', async () => {
  const { clock, find } = names();
  const found = await Promise.all(Array.from({ length: 50 }, () => find('shop.example')));
  expect(new Set(found.flat())).toEqual(new Set(['192.0.2.1']));
  expect(server.asked).toEqual(['shop.example', 'shop.example']);
  clock.advance(4_000);
  await find('shop.example');
  expect(server.asked.length).toBe(2);
});

test('a name that moves is followed after some seconds', async () => {
  const { clock, find } = names();
  expect(await find('shop.example')).toEqual(['192.0.2.1']);
  says = () => ['192.0.2.9'];
  clock.advance(10_000);
  expect(await find('shop.example')).toEqual(['192.0.2.9']);
});

test('a name that does not exist is remembered, and reported as dns.lookup reports it', async () => {
  says = () => 'nxdomain';
  const { find } = names();
  for (let time = 0; time < 3; time += 1) {
    await expect(find('gone.example')).rejects.toMatchObject({ code: 'ENOTFOUND', hostname: 'gone.example' });
  }
  expect(server.asked.length).toBe(2);
});

test('a hundred names without an answer delay no other name', async () => {
  says = (name) => (name.startsWith('dead') ? 'silence' : ['192.0.2.1']);
  const { find } = names();
  const order: string[] = [];
  const dead = Array.from({ length: 100 }, (_item, index) =>
    find(`dead${index}.example`).catch((error: NodeJS.ErrnoException) => order.push(String(error.code))),
  );
  const alive = find('shop.example').then(() => order.push('found'));
  await Promise.all([alive, ...dead]);
  expect(order).toEqual(['found', ...dead.map(() => 'EAI_AGAIN')]);
});

test('a name without an answer is asked for again', async () => {
  says = () => 'silence';
  const { find } = names();
  await expect(find('shop.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  says = () => ['192.0.2.1'];
  expect(await find('shop.example')).toEqual(['192.0.2.1']);
});

test('the hosts file and this machine need no name server', async () => {
  const { find } = names();
  expect(await find('Billing')).toEqual(['10.1.2.3', 'fd00::3']);
  expect(await find('billing.internal.', 4)).toEqual(['10.1.2.3']);
  expect(await find('billing', 6)).toEqual(['fd00::3']);
  expect(await find('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(server.asked).toEqual([]);
});

test('one address is given to a caller that wants one', async () => {
  const { lookup } = names();
  const given = await new Promise((resolve) => {
    lookup('shop.example', {}, (...answer) => resolve(answer));
  });
  expect(given).toEqual([null, '192.0.2.1', 4]);
});

test('a name of the operator that DNS does not know is put to the system', async () => {
  says = () => 'nxdomain';
  // What only the system knows here: it takes numbers for addresses.
  expect(await names(true).find('2130706433')).toEqual(['127.0.0.1']);
  await expect(names(false).find('2130706433')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('name servers that cannot be used are refused with a sentence', () => {
  expect(() => makeNameLookup({ dnsServers: 'not an address' })).toThrow(/MESSAGING_DNS_SERVERS/);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, fakeApi } from '#http/testing/fake-api';
import { addressOf } from './caller-address.ts';

const PROXY = '10.0.0.5';
const CALLER = '198.51.100.7';

describe('behind the trusted proxies 10.0.0.0/8 and fd00::/8', () => {
  const ask = asking({ MESSAGING_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' });

  test.each([
    ['what the proxy says', PROXY, CALLER, CALLER],
    ['the last address that is no proxy', PROXY, `${CALLER}, 10.1.1.1, 10.2.2.2`, CALLER],
    ['what the proxy added, not what the caller claims', PROXY, `127.0.0.1, ${CALLER}`, CALLER],
    ['the caller behind IPv6', 'fd00::1', '2001:db8::1', '2001:db8::1'],
    ['the caller of a proxy whose address is mapped into IPv6', `::ffff:${PROXY}`, CALLER, CALLER],
    ['the proxy itself when it names nobody', PROXY, undefined, PROXY],
    ['the proxy itself when it names no address', PROXY, "' or 1=1 --", PROXY],
    ['whoever connects past the proxies, whatever is claimed', CALLER, '10.9.9.9', CALLER],
  ])('the caller is %s', async (_label, remoteAddress, forwarded, expected) => {
    expect(await ask(remoteAddress, forwarded)).toBe(expected);
  });
});

describe('without trusted proxies', () => {
  const ask = asking({});

  test('the caller is whoever connects, whatever X-Forwarded-For claims', async () => {
    for (const forwarded of ['127.0.0.1', '10.0.0.1, 10.0.0.2', 'unknown'])
      expect(await ask(CALLER, forwarded)).toBe(CALLER);
  });
});

test('a list that is not one of networks is refused at the start, with the entry', () => {
  const settings = { MESSAGING_TRUSTED_PROXIES: '10.0.0.0/8, my-proxy' };
  expect(() => fakeApi({ settings })).toThrow('"my-proxy" is not an address or a network such as 10.1.0.0/16.');
});

/** Asks a service which address it takes for that of the caller. */
function asking(settings: Readonly<Record<string, string>>) {
  let api: FakeApi;
  beforeAll(() => {
    api = fakeApi({ settings });
    api.app.get('/address', (request) => ({ address: addressOf(request) }));
  });
  afterAll(() => api.app.close());
  return async (remoteAddress: string, forwarded: string | undefined): Promise<string> => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return (await api.app.inject({ method: 'GET', url: '/address', headers, remoteAddress })).json().address;
  };
}

import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '#core/public-address';
import { canonicalAddress, mayReach, parseWebhookAllow, webhookAddressFault } from './webhook-address.ts';

const NOBODY = parseWebhookAllow('');

const closedAddresses = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.9.9.9'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe'],
  ...['::ffff:10.1.2.3', '0:0:0:0:0:ffff:0a00:0001', 'fc00::1', 'fdff::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  ...['ff02::1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1'],
  ...[
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:a9fe:a9fe',
    '100:0:0:1::1',
  ],
  '168.63.129.16',
];
const openAddresses = ['8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.0.1.1'];
const openV6 = ['2606:4700::1111', '2a00:1450:4001::200e', '::ffff:8.8.8.8', '2001:4860:4860::8888'];

describe('an address', () => {
  test.each(closedAddresses)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([...openAddresses, ...openV6])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '',
    'shop.example',
    '1.2.3',
    '1.2.3.256',
    '1.2.3.4.5',
    ':::',
    '1::2::3',
    '12345::',
    '1:2:3:4:5:6:7',
  ])('"%s" is none, and so not public', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

/** Every spelling of an address inside, and of what surrounds one. */
const spellings = [
  ...['https://127.0.0.1/', 'https://127.1/', 'https://127.0.1/', 'https://0x7f.1/', 'https://0x7f000001/'],
  ...['https://0177.0.0.1/', 'https://017700000001/', 'https://2130706433/', 'https://127.0.0.1./', 'https://0/'],
  ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/', 'https://[0:0:0:0:0:0:0:1]/'],
  ...['https://[64:ff9b::169.254.169.254]/', 'https://[2002:7f00:1::]/', 'https://[fd00:ec2::254]/'],
  ...['https://169.254.169.254/latest/meta-data', 'https://0xa9fea9fe/', 'https://2852039166/'],
  ...['https://１２７.０.０.１/', 'https://①②⑦.⓪.⓪.①/', 'https://127。0。0。1/', 'https://1%32%37.0.0.1/'],
  ...['https://localhost/', 'https://LOCALHOST./', 'https://a.localhost/', 'https://db.internal/', 'https://x.local/'],
  ...['https://db/', 'https://metadata./', 'https://[::ffff:0:127.0.0.1]/', 'https://168.63.129.16/'],
  ...['https://ok@127.0.0.1/', 'https://shop.example@127.0.0.1/', 'https://user:word@shop.example/'],
  ...['https://127.0.0.1\\@shop.example/', 'https://shop.example#@127.0.0.1/'],
  ...['http://shop.example/', 'file:///etc/passwd', 'gopher://shop.example/', 'unix:/run/x', 'ftp://shop.example/'],
  ...[
    ...[1, 22, 25, 80, 1023, 5432, 6379, 27017].map((port) => `https://shop.example:${port}/`),
    '//shop.example/',
    'shop.example',
    '',
    'https://',
  ],
];

describe('the address of an endpoint', () => {
  test.each(spellings)('%s is refused', (url) => {
    expect(webhookAddressFault(NOBODY, url)).toMatch(/^must /);
  });

  test.each([
    'https://shop.example/hook?x=1',
    'https://shop.example:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('%s is taken', (url) => {
    expect(webhookAddressFault(NOBODY, url)).toBeNull();
  });

  test('inside is taken when the operator allows its host, its address or its network, and then over http', () => {
    const allow = parseWebhookAllow('crm.internal, 10.1.0.0/16, ::1, 192.168.7.7');
    for (const url of ['http://crm.internal/x', 'https://10.1.2.3/', 'http://[::1]:9/', 'http://192.168.7.7/']) {
      expect(webhookAddressFault(allow, url)).toBeNull();
    }
    for (const url of ['http://other.internal/', 'https://10.2.0.1/', 'https://192.168.7.8/', 'http://shop.example/']) {
      expect(webhookAddressFault(allow, url)).not.toBeNull();
    }
  });

  test('the target of a name is checked by its address, unless the operator allows the name', () => {
    const allow = parseWebhookAllow('crm.internal,10.1.0.0/16');
    expect(mayReach(allow, 'shop.example', '93.184.216.34')).toBe(true);
    expect(mayReach(allow, 'shop.example', '10.2.0.1')).toBe(false);
    expect(mayReach(allow, 'shop.example', '10.1.9.9')).toBe(true);
    expect(mayReach(allow, 'crm.internal', '172.16.0.4')).toBe(true);
  });
});

test.each([
  ['https://shop.example/hook', 'https://shop.example/hook', true],
  ['https://SHOP.example/hook', 'https://shop.example:443/hook', true],
  ['https://shop.example./hook', 'https://shop.example/a/../hook?', true],
  ['https://shop.example', 'https://shop.example/', true],
  ['https://shop.example/hook', 'https://shop.example/Hook', false],
  ['https://shop.example/hook', 'https://shop.example/hook/', false],
  ['https://shop.example/hook', 'https://shop.example/hook?a=1', false],
  ['https://shop.example/hook', 'https://shop.example:8443/hook', false],
])('%s and %s are one address: %s', (one, other, isOne) => {
  expect(canonicalAddress(one) === canonicalAddress(other)).toBe(isOne);
});

/*
 * Which internet addresses are public. Addresses are judged as numbers: whoever asks has them from a resolver or from
 * the URL parser, which has turned every other spelling (decimal, octal, hexadecimal, short) into the plain one.
 */

/** A network in the notation of RFC 4632: an address and how many of its bits count. */
export interface Network {
  /** 4 or 6. */
  readonly version: 4 | 6;
  readonly bits: bigint;
  readonly prefix: number;
}

interface Address {
  readonly version: 4 | 6;
  readonly bits: bigint;
}

/** Not public, by the registries of special-purpose addresses (RFC 6890 and what came after). */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  // Azure's own address of each machine's host.
  '168.63.129.16/32',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Translations to IPv4 (64:ff9b::/96, ::ffff:0:0:0/96, 6to4, Teredo) are closed as a whole: what is behind them can be private.
 * Mapped IPv4 (::ffff:0:0/96) is judged as the address that it holds.
 */
const CLOSED_V6 = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED_PREFIX = 0xffffn;

const closed: readonly Network[] = [...CLOSED_V4, ...CLOSED_V6].map(networkOf);

/** Whether an address, as a resolver writes it, can be reached from everywhere; false for what is no address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && !closed.some((network) => contains(network, address));
}

/** Whether one of the networks holds the address. */
export function isInNetworks(networks: readonly Network[], text: string): boolean {
  const address = parseAddress(text);
  return address !== null && networks.some((network) => contains(network, address));
}

/** Whether one of the networks holds the whole of another. */
export function holdNetwork(networks: readonly Network[], { version, bits, prefix }: Network): boolean {
  return networks.some((network) => network.prefix <= prefix && contains(network, { version, bits }));
}

/** `10.1.0.0/16`, `fd00::/8` or a single address; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [host = '', length, ...rest] = text.split('/');
  const address = parseAddress(host);
  if (address === null || rest.length > 0) return null;
  const all = address.version === 4 ? V4_BITS : V6_BITS;
  const prefix = length === undefined ? all : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  return prefix < 0 || prefix > all ? null : { ...address, prefix };
}

/**
 * An address in one spelling, IPv4 that is mapped into IPv6 as IPv4; null for what is no address. For IPv6 only the first
 * 64 bits count: whoever has one address there has all of its network.
 */
export function callerNetwork(text: string): string | null {
  const address = parseAddress(text);
  if (address === null) return null;
  const { version, bits } = address;
  return version === 4 ? `4/${bits.toString(16)}` : `6/${(bits >> 64n).toString(16)}`;
}

/**
 * Reads a comma-separated list of addresses and networks.
 * @throws Error whose message names the entry that is neither
 */
export function parseNetworks(list: string): readonly Network[] {
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '').map(networkOf);
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network === null) throw new Error(`"${text}" is not an address or a network such as 10.1.0.0/16.`);
  return network;
}

function contains({ version, bits, prefix }: Network, address: Address): boolean {
  if (version !== address.version) return false;
  const rest = BigInt((version === 4 ? V4_BITS : V6_BITS) - prefix);
  return bits >> rest === address.bits >> rest;
}

function parseAddress(text: string): Address | null {
  const v4 = parseV4(text);
  if (v4 !== null) return { version: 4, bits: v4 };
  // A zone (fe80::1%eth0) changes nothing about what the address is.
  const bits = parseV6(text.replace(/^\[|\]$/g, '').replace(/%.*$/, ''));
  if (bits === null) return null;
  if (bits >> 32n === MAPPED_PREFIX) return { version: 4, bits: bits & 0xffff_ffffn };
  return { version: 6, bits };
}

function parseV4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function parseV6(text: string): bigint | null {
  const halves = text.split('::');
  if (!text.includes(':') || halves.length > 2) return null;
  const [head, tail] = halves.map((half) => groupsOf(half));
  if (!head || tail === null) return null;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array.from({ length: tail === undefined ? 0 : missing }, () => 0n), ...(tail ?? [])];
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n);
}

/** Groups of 16 bits; the last may be an IPv4 address, which are two. */
function groupsOf(half: string): readonly bigint[] | null {
  if (half === '') return [];
  const groups: bigint[] = [];
  for (const part of half.split(':')) {
    const v4 = parseV4(part);
    if (v4 !== null) groups.push(v4 >> 16n, v4 & 0xffffn);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`));
    else return null;
  }
  return groups;
}

import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/*
 * Which internet addresses are public. Addresses come from a resolver or from the URL parser, which has turned every other
 * spelling (decimal, octal, hexadecimal, short) into the plain one.
 */

/** A network in the notation of RFC 4632: an address and how many of its bits count. */
export interface Network {
  readonly address: SocketAddress;
  readonly prefix: number;
  /** Holds this network alone. */
  readonly members: BlockList;
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

const MAPPED = /^::ffff:([\d.]+)$/;

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
export function holdNetwork(networks: readonly Network[], { address, prefix }: Network): boolean {
  return networks.some((network) => network.prefix <= prefix && contains(network, address));
}

/** `10.1.0.0/16`, `fd00::/8` or a single address; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [host = '', length, ...rest] = text.split('/');
  const address = parseAddress(host);
  if (address === null || rest.length > 0) return null;
  const all = address.family === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? all : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (prefix < 0 || prefix > all) return null;
  const members = new BlockList();
  members.addSubnet(address, prefix);
  return { address, prefix, members };
}

/**
 * An address in one spelling, IPv4 that is mapped into IPv6 as IPv4; null for what is no address. For IPv6 only the first
 * 64 bits count: whoever has one address there has all of its network.
 */
export function callerNetwork(text: string): string | null {
  if (isIPv4(text)) return text;
  const parsed = parseAddress(text);
  if (parsed === null || parsed.family === 'ipv4') return parsed?.address ?? null;
  const [head, tail] = parsed.address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => '0');
  return [...(head ?? []), ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
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

/** A BlockList alone would find IPv4 addresses in networks of IPv6, as if they were mapped. */
function contains(network: Network, address: SocketAddress): boolean {
  return network.address.family === address.family && network.members.check(address);
}

/** In its shortest spelling. A zone (fe80::1%eth0) changes nothing about what the address is. */
function parseAddress(text: string): SocketAddress | null {
  if (isIPv4(text)) return new SocketAddress({ address: text });
  const plain = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return null;
  const parsed = new SocketAddress({ address: plain, family: 'ipv6' });
  const mapped = MAPPED.exec(parsed.address)?.[1];
  return mapped === undefined ? parsed : new SocketAddress({ address: mapped });
}

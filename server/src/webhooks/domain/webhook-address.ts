import { isInNetworks, isPublicAddress, type Network, parseNetwork } from '#core/public-address';

/** What the operator lets webhooks reach besides the public internet (MESSAGING_WEBHOOK_ALLOW). */
export interface WebhookAllow {
  /** Lower-case names. */
  readonly hosts: ReadonlySet<string>;
  readonly networks: readonly Network[];
}

/** @param setting hosts, addresses and networks, comma separated */
export function parseWebhookAllow(setting: string): WebhookAllow {
  const entries = setting
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  const networks = entries.map(parseNetwork);
  return {
    hosts: new Set(entries.filter((_entry, index) => networks[index] === null)),
    networks: networks.filter((network) => network !== null),
  };
}

/** Whether a socket may be opened to this address, as the resolver gave it for this host. */
export function mayReach(allow: WebhookAllow, host: string, address: string): boolean {
  return isPublicAddress(address) || isAllowed(allow, host) || isInNetworks(allow.networks, address);
}

/**
 * One spelling of an address to which events can be posted: equal for those that differ in the case of their host, a final dot of
 * it, the standard port, dots in the path, or an empty query.
 */
export function canonicalAddress(text: string): string {
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, '');
  if (url.search === '') url.search = '';
  return url.href;
}

const MAX_URL_CHARACTERS = 2_000;
/** Below it every port but that of https belongs to another protocol; a request could be taken for a command there. */
const FIRST_OPEN_PORT = 1024;
/** Above it, those of databases, caches and machines' own controls. */
const CLOSED_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 2375, 2376, 2379, 3306, 3389, 5432, 5672, 6379, 6443, 9092, 9200, 10250, 11211, 27017,
]);
/** Names that never lead to the public internet (RFC 6761, 6762, 8375). */
const CLOSED_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/**
 * Why events cannot be posted to this address, as the end of a sentence; null when they can, as far as its text says:
 * what a name leads to is checked with each connection.
 */
export function webhookAddressFault(allow: WebhookAllow, text: string): string | null {
  if (text.length > MAX_URL_CHARACTERS) return `must have at most ${MAX_URL_CHARACTERS} characters`;
  if (!URL.canParse(text)) return 'must be an absolute https URL';
  const url = new URL(text);
  const host = hostOf(url);
  const isKnown = isAllowed(allow, host) || isInNetworks(allow.networks, host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isKnown)) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not contain a fragment';
  if (isKnown) return null;
  if (isClosed(url.port)) return `must not name port ${url.port}`;
  if (CLOSED_NAMES.test(host) || (isAddress(host) && !isPublicAddress(host))) return 'must point to a public host';
  // A name without a dot is one of the operator's own network, or of none.
  if (!isAddress(host) && !host.includes('.')) return 'must name a host with a domain';
  return null;
}

/** @param port as an address has it: empty when it is that of the scheme */
function isClosed(port: string): boolean {
  return port !== '' && (Number(port) < FIRST_OPEN_PORT || CLOSED_PORTS.has(Number(port)));
}

/** Host of a parsed address: lower case, without the brackets of IPv6 and without the dot of the root. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isAllowed(allow: WebhookAllow, host: string): boolean {
  return allow.hosts.has(host);
}

function isAddress(host: string): boolean {
  return parseNetwork(host) !== null;
}

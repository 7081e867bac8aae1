import { lookup as askSystem, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { type Clock, systemClock } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import { TtlCache } from './ttl-cache.ts';

export interface NameLookupOptions {
  /**
   * Whether a name that DNS does not answer for is put to the system, which also knows search domains and mDNS. Absent:
   * each is, which suits names that the operator chose; those of tenants would fill the thread pool.
   */
  readonly asksSystem?: (name: string) => boolean;
  readonly clock?: Clock;
  readonly hostsFile?: string;
}

/** A name server answers within milliseconds; a name whose servers are silent must not hold its caller for long. */
const TIMEOUT_MS = 2_000;
/** Short, so that a name that moves is followed; long enough for one question to serve a burst. */
const MAX_AGE_MS = 10_000;
const MAX_NAMES = 1_000;
const HOSTS_FILE = '/etc/hosts';

type Answer = readonly LookupAddress[] | 'not found';

/**
 * Resolves names as `dns.lookup` does, but outside the thread pool, which has few threads, serves the files of the
 * media store as well, and has no time limit per name: a few names without an answer would delay every caller. One
 * question per name is under way at a time; addresses and "there is no such name" are remembered for some seconds.
 * Fails with ENOTFOUND or EAI_AGAIN (no answer), the codes of `dns.lookup`.
 * @throws ConfigError when a name server cannot be used
 */
export function makeNameLookup(
  { dnsServers }: Pick<Config, 'dnsServers'>,
  { clock = systemClock, hostsFile = HOSTS_FILE, asksSystem = () => true }: NameLookupOptions = {},
): LookupFunction {
  const resolver = makeResolver(dnsServers);
  const ask = async (name: string): Promise<Answer> => {
    const local = localAddresses(name, hostsFile);
    if (local.length > 0) return local;
    const answer = await askServers(resolver, name);
    if (typeof answer !== 'string') return answer;
    if (asksSystem(name)) return askSystemFor(name);
    if (answer === 'no answer') throw failure('EAI_AGAIN', name);
    return answer;
  };
  const names = new TtlCache<Answer>({ clock, maxAgeMs: MAX_AGE_MS, maxEntries: MAX_NAMES, read: ask });
  return (hostname, options, callback) => {
    // An answer that is at hand is handed over later as well: callers expect to return first.
    const found = Promise.resolve(names.of(hostname.toLowerCase().replace(/\.$/, '')));
    found.then(
      (answer) => {
        const addresses = answer === 'not found' ? [] : answer.filter(({ family }) => isWanted(family, options.family));
        const [first] = addresses;
        if (first === undefined) callback(failure('ENOTFOUND', hostname), '');
        else if (options.all === true) callback(null, addresses.slice());
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function makeResolver(servers: string): Resolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers === '') return resolver;
  try {
    resolver.setServers(servers.split(',').map((server) => server.trim()));
  } catch {
    throw new ConfigError(
      `MESSAGING_DNS_SERVERS=${servers}: must be IP addresses, comma separated, such as 10.0.0.2:53.`,
    );
  }
  return resolver;
}

/** Codes of a name server that says that there is nothing; every other failure may pass. */
const NOTHING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

async function askServers(
  resolver: Resolver,
  name: string,
): Promise<readonly LookupAddress[] | 'not found' | 'no answer'> {
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length > 0) return found.map(asAddress);
  const isCertain = results.every(
    (result) => result.status === 'fulfilled' || NOTHING.has((result.reason as NodeJS.ErrnoException).code),
  );
  return isCertain ? 'not found' : 'no answer';
}

function askSystemFor(name: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    askSystem(name, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else if (error.code === 'ENOTFOUND') resolve('not found');
      else reject(failure('EAI_AGAIN', name));
    });
  });
}

/** What needs no name server: this machine (RFC 6761), and what the hosts file names. */
function localAddresses(name: string, hostsFile: string): readonly LookupAddress[] {
  const listed = hostsOf(hostsFile).filter(({ names }) => names.includes(name));
  if (listed.length > 0) return listed.map(({ address }) => asAddress(address));
  return /(^|\.)localhost$/.test(name) ? ['127.0.0.1', '::1'].map(asAddress) : [];
}

/** Read for each question, which is seldom, and without the thread pool: the file is small. */
function hostsOf(file: string): readonly { readonly address: string; readonly names: readonly string[] }[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
      .map(([address = '', ...names]) => ({ address, names }))
      .filter(({ address }) => isIP(address) !== 0);
  } catch {
    return [];
  }
}

function asAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

/** @param wanted 4 or 6, also as a text; anything else: both */
function isWanted(family: number, wanted: number | string | undefined): boolean {
  const only = Number(String(wanted).replace('IPv', ''));
  return (only !== 4 && only !== 6) || only === family;
}

function failure(code: 'ENOTFOUND' | 'EAI_AGAIN', hostname: string): NodeJS.ErrnoException {
  const sentence = code === 'ENOTFOUND' ? 'has no address' : 'could not be looked up in time';
  return Object.assign(new Error(`The name ${hostname} ${sentence}.`), { code, hostname, syscall: 'getaddrinfo' });
}

import { createSocket } from 'node:dgram';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import type { ChainedEntry } from '#access/domain/audit-chain';
import { syslogMessage } from '#access/domain/syslog';
import { parseSyslogAddress, type SyslogAddress } from '#core/syslog-address';
import type { Config } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';

/** For one exchange, from the lookup of the name to the end of the connection. */
const DEADLINE_MS = 10_000;
/**
 * A proxy without a log server behind it accepts a connection and closes it immediately: what was sent by then is lost.
 */
const SETTLE_MS = 200;

export interface SyslogOptions {
  readonly deadlineMs?: number;
  /** Certificates in PEM that are trusted instead of those of Node. */
  readonly ca?: string;
}

interface Peer extends SyslogAddress {
  readonly lookup: LookupFunction;
  readonly deadlineMs: number;
  readonly ca: string | undefined;
}

/**
 * A client that sends entries of the audit log to the log server of the settings. Each call is one exchange with a
 * deadline, whatever the other side does; it rejects when the log server may not have taken everything. Syslog has no
 * receipts. Over TCP and TLS, entries count as taken when the log server ends the connection after the end of what was
 * sent; over UDP, when they were sent.
 * @returns null when no log server is set up
 */
export function makeSyslogClient(
  config: Pick<Config, 'auditSyslog' | 'dnsServers'>,
  { deadlineMs = DEADLINE_MS, ca }: SyslogOptions = {},
): ((entries: readonly ChainedEntry[]) => Promise<void>) | null {
  const address = parseSyslogAddress(config.auditSyslog);
  if (address === null) return null;
  const peer = { ...address, lookup: makeNameLookup(config), deadlineMs, ca };
  const own = hostname().replace(/[^!-~]/g, '') || '-';
  return async (entries) => {
    if (entries.length === 0) return;
    const messages = entries.map((entry) => syslogMessage(own, entry));
    await (address.transport === 'udp' ? sendDatagrams(peer, messages) : sendStream(peer, messages));
  };
}

/** Octet counting (RFC 6587, section 3.4.1; RFC 5425, section 4.3): the messages are ASCII. */
function framesOf(messages: readonly string[]): string {
  return messages.map((message) => `${message.length} ${message}`).join('');
}

function sendStream(peer: Peer, messages: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let settling: NodeJS.Timeout | undefined;
    let isTaken = false;
    const socket = open(peer, () => {
      settling = setTimeout(() => socket.end(framesOf(messages)), SETTLE_MS);
    });
    const deadline = setTimeout(() => socket.destroy(new Error(LATE)), peer.deadlineMs);
    // What it says is of no interest, and must be read for its end to be seen.
    socket.resume();
    socket.once('end', () => {
      isTaken = socket.writableFinished;
    });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(settling);
      clearTimeout(deadline);
      if (isTaken) resolve();
      else reject(new Error('The log server ended the connection before it had taken the entries.'));
    });
  });
}

const LATE = 'The log server did not take the entries in time.';

function open({ transport, host, port, lookup, ca }: Peer, opened: () => void): Socket {
  const options = { host, port, lookup };
  if (transport === 'tcp') return connectTcp(options, opened);
  return connectTls(
    { ...options, ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) },
    opened,
  );
}

async function sendDatagrams({ host, port, lookup, deadlineMs }: Peer, messages: readonly string[]): Promise<void> {
  const { address, family } = await addressOf(host, lookup, deadlineMs);
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  const send = promisify<string, number, string>(socket.send.bind(socket));
  try {
    for (const message of messages) await send(message, port, address);
  } finally {
    socket.close();
  }
}

/** A name lookup has a time limit per question, but asks more than one server. */
function addressOf(
  host: string,
  lookup: LookupFunction,
  deadlineMs: number,
): Promise<{ readonly address: string; readonly family: number }> {
  return new Promise((resolve, reject) => {
    const family = isIP(host);
    if (family !== 0) return resolve({ address: host, family });
    const deadline = setTimeout(() => reject(new Error(LATE)), deadlineMs);
    lookup(host, {}, (error, address, found) => {
      clearTimeout(deadline);
      if (error === null) resolve({ address: String(address), family: found ?? isIP(String(address)) });
      else reject(error);
    });
  });
}

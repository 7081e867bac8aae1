import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** What a name server of a test says of a name: its IPv4 addresses, that there is none, or nothing at all. */
export type NameAnswer = readonly string[] | 'nxdomain' | 'silence';

/** A DNS server on a free port of the loopback. */
export interface NameServer {
  /** As MESSAGING_DNS_SERVERS takes it. */
  readonly address: string;
  /** Names that were asked for, in order; A and AAAA each count. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;
/** Points at the name of the question. */
const SAME_NAME = 0xc00c;
const TTL_S = 60;

/** @param answer what it says of a name, asked for each question anew */
export async function startNameServer(answer: (name: string) => NameAnswer): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const says = answer(name);
    if (says !== 'silence') socket.send(replyTo(query.subarray(0, end), type, says), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function replyTo(question: Buffer, type: number, says: readonly string[] | 'nxdomain'): Buffer {
  const addresses = says === 'nxdomain' || type !== TYPE_A ? [] : says;
  const reply = Buffer.from(question);
  reply.writeUInt16BE(says === 'nxdomain' ? NO_SUCH_NAME : ANSWERED, 2);
  reply.writeUInt16BE(addresses.length, 6);
  // Neither authorities nor additional records, whatever the question carried.
  reply.writeUInt32BE(0, 8);
  return Buffer.concat([reply, ...addresses.map(recordOf)]);
}

function recordOf(address: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(SAME_NAME, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_S, 6);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return record;
}

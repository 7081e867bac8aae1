import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ConfigError } from '#runtime/config';
import { silentLog } from '#runtime/log';
import { type MailServer, startMailServer } from '#testing/peers/mail-server';
import type { Mail, Mailer } from '#users/domain/mail';
import { makeMailer } from './smtp-client.ts';

const mail: Mail = { to: 'ana@shop.example', subject: 'Your invitation', text: 'Hello Ana', html: '<p>Hello Ana</p>' };
/** Deadline for servers that never accept a mail. */
const DEADLINE_MS = 1_500;
/** Deadline for the others, against hanging. */
const LONG_MS = 240_000;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function server(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const made = await startMailServer(options);
  closing.push(made.close);
  return made;
}

function mailerFor(smtpUrl: string, deadlineMs = LONG_MS): Mailer {
  const smtpFrom = 'Flower shop <inbox@shop.example>';
  const mailer = makeMailer({ smtpUrl, smtpFrom }, silentLog, { deadlineMs });
  if (mailer === null) throw new Error('No mail server is set up.');
  return mailer;
}

/** A server that does not speak SMTP. */
async function stranger(greet: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const made = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    greet(socket);
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => made.close(() => resolve()));
  });
  return `smtp://127.0.0.1:${(made.address() as AddressInfo).port}?tls=optional`;
}

test('a mail arrives in both forms, from the sender of the settings', async () => {
  const { url, mails } = await server();
  expect(await mailerFor(url).send(mail)).toBeNull();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ from: 'inbox@shop.example', to: ['ana@shop.example'] });
  expect(mails[0]?.raw).toContain('From: Flower shop <inbox@shop.example>');
  expect(mails[0]?.raw).toMatch(/text\/plain[\s\S]*Hello Ana[\s\S]*text\/html[\s\S]*<p>Hello Ana<\/p>/);
});

describe('what is not taken is said, and ends', () => {
  test('a server that is down is not reachable', async () => {
    const gone = await startMailServer();
    await gone.close();
    expect(await mailerFor(gone.url).send(mail)).toBe('unreachable');
  });

  test('a server that says nothing is left at the deadline', async () => {
    // A longer deadline leaves the end to the limit of each step, which comes later.
    const ended: string[] = [];
    const url = await stranger(() => undefined);
    const send = async (name: string, deadlineMs?: number) => {
      expect(await mailerFor(url, deadlineMs).send(mail)).toBe('unreachable');
      ended.push(name);
    };
    await Promise.all([send('later'), send('at the deadline', DEADLINE_MS)]);
    expect(ended).toEqual(['at the deadline', 'later']);
  });

  test('a server that always says a little more is left at the deadline', async () => {
    const url = await stranger((socket) => {
      const drip = setInterval(() => socket.write('220-wait\r\n'), 100);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await mailerFor(url, DEADLINE_MS).send(mail)).toBe('unreachable');
  });

  test('a recipient that the server does not know is refused, without a second try', async () => {
    let asked = 0;
    const { url, mails } = await server({
      onRcptTo: (_address, _session, done) => {
        asked += 1;
        done(Object.assign(new Error('No such person'), { responseCode: 550 }));
      },
    });
    expect(await mailerFor(url).send(mail)).toBe('refused');
    expect([asked, mails.length]).toEqual([1, 0]);
  });

  test('a server that is busy is tried once more', async () => {
    let asked = 0;
    const { url, mails } = await server({
      onRcptTo: (_address, _session, done) => {
        asked += 1;
        done(asked === 1 ? Object.assign(new Error('Later'), { responseCode: 451 }) : null);
      },
    });
    expect(await mailerFor(url).send(mail)).toBeNull();
    expect([asked, mails.length]).toEqual([2, 1]);
  });

  test('nothing is sent unencrypted unless the setting allows it', async () => {
    const { url, mails } = await server();
    expect(await mailerFor(url.replace('?tls=optional', '')).send(mail)).not.toBeNull();
    expect(mails).toEqual([]);
  });
});

test('a silent server holds at most sixteen mails, and the next one is answered at once', async () => {
  let greeted = 0;
  const mailer = mailerFor(
    await stranger(() => {
      greeted += 1;
    }),
    DEADLINE_MS,
  );
  let ended = 0;
  const waiting = Array.from({ length: 16 }, () => mailer.send(mail).finally(() => (ended += 1)));
  expect(await mailer.send(mail)).toBe('unreachable');
  expect(ended).toBe(0);
  await Promise.all(waiting);
  expect(greeted).toBeLessThanOrEqual(16);
});

test('a mail cannot make the process read a file', async () => {
  const { url, mails } = await server();
  const bad = { ...mail, html: { path: '/etc/hostname' } } as unknown as Mail;
  expect(await mailerFor(url).send(bad)).not.toBeNull();
  expect(mails).toEqual([]);
});

test.each([
  ['smtp://mail.example.com', ''],
  ['', 'inbox@example.com'],
])('one of the two settings alone is refused (%j, %j)', (smtpUrl, smtpFrom) => {
  expect(() => makeMailer({ smtpUrl, smtpFrom }, silentLog)).toThrow(ConfigError);
});

test('without both there is no mail', () => {
  expect(makeMailer({ smtpUrl: '', smtpFrom: '' }, silentLog)).toBeNull();
});

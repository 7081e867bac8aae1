import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event } from '@postrider/sdk';
import { type RunningPostrider, type Simulator, startPostrider, startSimulator } from '@postrider/sdk/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { PATIENCE_MS } from './patience.ts';
import { root } from './postrider-process.ts';

/* What users of the library test their programs with. It starts what `npm run build` makes. */
const ADA = '447700900123';
const TEMPLATE = { name: 'order_ready', language: 'en_US', variables: { first_name: 'Ada', order_no: 'A-17' } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-testing-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves when nothing listens at an address any more. */
async function gone(url: string): Promise<void> {
  for (;;) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (!isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/** A server on this machine that keeps what is posted to it. */
async function startReceiver() {
  const posted: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer(async (request, answer) => {
    posted.push({ headers: request.headers, body: await textOf(request) });
    answer.writeHead(200).end();
    server.emit('posted');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const first = once(server, 'posted');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, posted, first, close };
}

describe('the service with its network', () => {
  let postrider: RunningPostrider;
  beforeAll(async () => {
    postrider = await startPostrider({ dataDir: fillDataFolder(join(folder, 'data')) });
  });
  afterAll(() => postrider.close());

  test('sends, and shows what the network has received', async () => {
    const { client, simulator, phoneNumberId } = postrider;
    const { id } = await client.messages.send({ to: `+${ADA}`, type: 'template', template: TEMPLATE });
    expect((await client.messages.wait(id)).to).toBe(ADA);
    const [message] = await simulator.received({ to: ADA });
    expect(message).toMatchObject({ phone_number_id: phoneNumberId, to: ADA, type: 'template' });
    expect(message?.request.template.name).toBe('order_ready');
  });

  test('takes what a customer writes, who can then be answered', async () => {
    const { client, simulator } = postrider;
    let next: Promise<IteratorResult<Event>> | undefined;
    const events = await new Promise<AsyncIterator<Event>>((resolve) => {
      const stream = client.events.stream({ types: ['message.received'], onCursor: () => resolve(walk) });
      const walk = stream[Symbol.asyncIterator]();
      next = walk.next();
    });
    await simulator.customerWrites({ from: '447700900124', text: 'Is it ready?', name: 'Bea' });
    expect((await next)?.value).toMatchObject({ data: { from: '447700900124', body: 'Is it ready?' } });
    await events.return?.();
    await client.messages.send({ to: '447700900124', body: 'Yes.' });
    const [answer] = await simulator.received({ to: '447700900124' }, { atLeast: 1, timeoutMs: PATIENCE_MS });
    expect(answer?.request.text.body).toBe('Yes.');
  });

  test('is as strict as the network: free text to somebody who has not written fails', async () => {
    const { client } = postrider;
    const { id } = await client.messages.send({ to: '447700900125', body: 'Hello' });
    await expect(client.messages.wait(id)).rejects.toThrow(/window_closed/);
  });

  test('sends once, although the network has dropped the answer', async () => {
    const { client, simulator } = postrider;
    await simulator.disturb({ 'send.accept_then_drop': {} });
    const { id } = await client.messages.send({ to: '447700900126', type: 'template', template: TEMPLATE });
    await client.messages.wait(id);
    await simulator.disturb({});
    expect(await simulator.received({ to: '447700900126' })).toHaveLength(1);
  });

  test('fails as often as it is told to, and says which names there are', async () => {
    const { client, simulator } = postrider;
    await simulator.failNext({ template_list: { times: 1, code: 131016, status: 500 } });
    const errors = async () => (await client.templates.sync()).accounts.map(({ error }) => error ?? 'none');
    expect(await errors()).toEqual([expect.stringContaining('down')]);
    expect(await errors()).toEqual(['none']);
    const wrong = { 'send.explode': {} } as Parameters<Simulator['disturb']>[0];
    await expect(simulator.disturb(wrong)).rejects.toThrow(/must be one of error, status5xx/);
  });

  test('posts webhooks to a receiver on this machine, which the library verifies', async () => {
    const { client } = postrider;
    const receiver = await startReceiver();
    const { secret } = await client.webhookEndpoints.create({ url: receiver.url, types: ['team.created'] });
    await client.teams.create({ name: 'Support' });
    await receiver.first;
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.posted;
    const event = await client.webhooks.unwrap(body, headers, secret ?? '');
    expect(event).toMatchObject({ type: 'team.created', data: { name: 'Support' } });
    receiver.close();
  });
});

describe('the network alone', () => {
  test('reports to any address, signed, and its customers behave as they are told to', async () => {
    const receiver = await startReceiver();
    const simulator = await startSimulator({ callbackUrl: receiver.url, numbers: ['700800900'] });
    await simulator.customerWrites({ from: ADA, text: 'Hello' });
    await receiver.first;
    expect(receiver.posted[0]?.headers['x-hub-signature-256']).toMatch(/^sha256=/);
    expect(receiver.posted[0]?.body).toContain('"body":"Hello"');
    await simulator.customerBehaves(ADA, { read_by_hand: true });
    expect(await simulator.customerReads(ADA)).toBe(0);
    await expect(simulator.customerWrites({ from: 'Ada', text: 'Hello' })).rejects.toThrow(
      /"from" must be a phone number/,
    );
    const late = simulator.received({ to: ADA }, { atLeast: 1, timeoutMs: 50 });
    await expect(late).rejects.toThrow(`The network has received 0 messages for ${ADA} within 50 ms, not 1.`);
    await simulator.close();
    await gone(simulator.url);
    receiver.close();
  });

  test('ends with the process that has started it, also when that is killed', async () => {
    const program = `
      import { startSimulator } from '${new URL('../../sdk/dist/src/kit/testing.js', import.meta.url).href}';
      console.log((await startSimulator()).url);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const url = printed.trim();
    expect((await fetch(`${url}/_sim/health`)).status).toBe(200);
    child.kill('SIGKILL');
    await gone(url);
  });
});

/*
 * The packages as somebody else has them. The service's own dependencies are found one folder further up, because nothing is
 * fetched here.
 */
describe('the packages', () => {
  let app: string;
  let temporary: string;
  const { PATH, HOME } = process.env;
  const npm = (cwd: string, args: readonly string[]) =>
    execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const runProgram = (name: string, program: string) => {
    writeFileSync(join(app, name), program);
    return execFileSync(process.execPath, [name], {
      cwd: app,
      env: { PATH, HOME, TMPDIR: temporary },
      encoding: 'utf8',
    });
  };
  const install = (name: string) => {
    npm(root, ['pack', `./${name}`, '--pack-destination', folder]);
    const tarball = readdirSync(folder).find((file) => file.startsWith(`postrider-${name}-`)) ?? '';
    const target = join(app, 'node_modules', '@postrider', name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, tarball), '-C', target, '--strip-components=1']);
  };
  beforeAll(() => {
    app = join(folder, 'app');
    temporary = join(folder, 'temporary');
    for (const made of [app, temporary]) mkdirSync(made);
    writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
    install('sdk');
  });

  test('say which one is missing, and where it comes from', () => {
    const program = `
      import { startSimulator, startPostrider } from '@postrider/sdk/testing';
      for (const start of [startSimulator, startPostrider]) await start().catch((error) => console.log(error.message));
    `;
    const sentence = /needs the package @postrider\/simulator, which is not installed .* npm pack \.\/simulator/g;
    expect(runProgram('missing.mjs', program).match(sentence)).toHaveLength(2);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('run what the README shows', () => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    install('simulator');
    install('server');
    const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8');
    const [, program = ''] = /^## Testing\n[\s\S]*?^```js run\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(program).toContain('startPostrider');
    runProgram('readme.mjs', program);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

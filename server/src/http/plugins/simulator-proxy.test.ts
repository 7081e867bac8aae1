import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Simulator, startSimulator } from '@postrider/simulator/simulator';
import Fastify, { type FastifyInstance, type onRequestHookHandler } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiProblem } from '#core/errors';
import type { SimulatorPhone } from '#core/network/simulator-phone';
import { installErrors } from '#http/plugins/errors';
import { authorization, fakeApi } from '#http/testing/fake-api';
import { makeSimulatorClient } from '#network/simulator-client';
import { readConfig } from '#runtime/config';
import { installSimulatorProxy } from './simulator-proxy.ts';

const CUSTOMER = '447700900123';
const NUMBER = '100000000000001';

/** Stands for the session of a person. */
const guard: onRequestHookHandler = (request, _reply, done) =>
  done(request.headers.authorization === authorization ? undefined : new ApiProblem('unauthorized'));

let simulator: Simulator;
let phone: SimulatorPhone;
let app: FastifyInstance;
beforeAll(async () => {
  simulator = await startSimulator({ numbers: [NUMBER] });
  phone = phoneAt(simulator.url);
  app = proxyTo(phone);
});
afterAll(async () => {
  await app.close();
  await phone.close();
  await simulator.close();
});

function phoneAt(networkUrl: string): SimulatorPhone {
  const client = makeSimulatorClient(readConfig({ MESSAGING_NETWORK_URL: networkUrl }));
  if (client === null) throw new Error('This network is not simulated.');
  return client;
}

function proxyTo(target: SimulatorPhone): FastifyInstance {
  const made = Fastify();
  made.removeAllContentTypeParsers();
  installErrors(made, fakeApi().deps.rt);
  installSimulatorProxy(made, { phone: target, guard });
  return made;
}

type Call = { readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly url: string; readonly payload?: object };
const call = ({ method = 'GET', url, payload }: Call) =>
  app.inject({ method, url, headers: { authorization }, ...(payload ? { payload } : {}) });

describe('the phone of the console', () => {
  test('writes as a customer and reads the thread, picture included', async () => {
    const data = Buffer.from('89504e470d0a1a0a', 'hex');
    const media = { mime_type: 'image/png', data: data.toString('base64'), caption: 'My parcel' };
    const written = await call({ method: 'POST', url: '/simulator/inbound', payload: { from: CUSTOMER, media } });
    expect([written.statusCode, written.json()]).toEqual([200, { id: expect.any(String), queued: 1 }]);
    const thread = (await call({ url: `/simulator/phone?peer=${CUSTOMER}` })).json();
    expect(thread.data).toMatchObject([{ direction: 'written', message: { image: { caption: 'My parcel' } } }]);
    const file = await call({ url: `/simulator/media/file?id=${thread.data[0].file.id}` });
    expect(file.rawPayload).toEqual(data);
    expect(file.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(data.length) });
  });

  test('is told what the simulator refuses, in its words and with its status', async () => {
    const payload = { peer: CUSTOMER, refuse: 'yes' };
    const refused = await call({ method: 'PUT', url: '/simulator/phone/behavior', payload });
    expect([refused.statusCode, refused.json()]).toEqual([400, { error: '"refuse" must be true or false.' }]);
  });

  test('never runs what a customer sent: a page of theirs is for saving', async () => {
    const media = { mime_type: 'text/html', data: Buffer.from('<script>1</script>').toString('base64') };
    await call({ method: 'POST', url: '/simulator/inbound', payload: { from: '447700900124', media } });
    const { data } = (await call({ url: '/simulator/phone?peer=447700900124' })).json();
    const { headers } = await call({ url: `/simulator/media/file?id=${data[0].file.id}` });
    expect(headers).toMatchObject({
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });
});

describe('the proxy to the simulator', () => {
  test('lets nobody pass whom the guard refuses', async () => {
    expect((await app.inject({ url: '/simulator/phones' })).statusCode).toBe(401);
    expect((await app.inject({ method: 'POST', url: '/simulator/inbound', payload: {} })).statusCode).toBe(401);
  });

  test.each([
    'reset',
    'config',
    'clock',
    'tokens',
    'failures',
    '',
    '../_sim/reset',
    '%2e%2e/reset',
    'phones/',
    'constructor',
  ])('does not know /simulator/%s', async (path) => {
    expect((await call({ url: `/simulator/${path}` })).statusCode).toBe(404);
    expect((await call({ method: 'POST', url: `/simulator/${path}`, payload: {} })).statusCode).toBe(404);
  });

  test('says which methods a path has', async () => {
    const refused = await call({ method: 'PUT', url: '/simulator/inbound', payload: {} });
    expect([refused.statusCode, refused.headers.allow, refused.json().code]).toEqual([
      405,
      'POST',
      'method_not_allowed',
    ]);
  });

  test('takes bodies up to 1 MiB, and JSON only', async () => {
    const data = 'A'.repeat(1024 * 1024);
    const payload = { from: CUSTOMER, media: { mime_type: 'text/plain', data } };
    expect((await call({ method: 'POST', url: '/simulator/inbound', payload })).statusCode).toBe(413);
    const headers = { authorization, 'content-type': 'text/plain' };
    const form = await app.inject({ method: 'POST', url: '/simulator/inbound', headers, payload: 'from=1' });
    expect(form.statusCode).toBe(415);
  });

  test('says so when the simulator is away or not a simulator', async () => {
    const gone = createServer();
    await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
    await new Promise((done) => gone.close(done));
    const nobody = phoneAt(url);
    const own = proxyTo(nobody);
    const answer = await own.inject({ url: '/simulator/phones', headers: { authorization } });
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        code: 'network_unreachable',
        error: `The simulator does not answer at ${url}. Start it with "npm start" or "postrider simulator".`,
      },
    ]);
    await own.close();
    await nobody.close();
  });

  test('is not there when the network is a real one', () => {
    expect(makeSimulatorClient(readConfig({ MESSAGING_NETWORK_URL: 'https://graph.example' }))).toBeNull();
  });
});

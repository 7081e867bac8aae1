import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '#testing/peers/mail-server';
import { makePerson, OWN_PAGE } from '#testing/test-people';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

const FROM = 'Flower shop <inbox@shop.example>';
/** As the limit says. */
const PER_ADDRESS = 5;

let mail: MailServer;
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  mail = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody') ? Object.assign(new Error('Unknown'), { responseCode: 550 }) : null),
  });
  kit = await startTestService({ config: { smtpUrl: mail.url, smtpFrom: FROM } });
  tenant = await makeTestTenant(kit);
});
afterAll(async () => {
  await kit.close();
  await mail.close();
});

async function invite(email: string | null, body: object = { send_email: true }, of = tenant): Promise<Answer> {
  const { body: agent } = await of.call('POST', '/v1/agents', { name: 'Ana Silva', email });
  return of.call('POST', `/v1/agents/${agent.id}/invitation`, body);
}

const tokenOf = (url: string) => url.split('#token=')[1] ?? '';
const canEnter = async (url: string, at = kit) =>
  (await callApi(at.service.url, 'POST', '/v1/sessions', { method: 'link', token: tokenOf(url) }, OWN_PAGE)).status;

describe('an invitation by email', () => {
  test('brings the same link that the response has', async () => {
    const { status, body } = await invite('ana@shop.example');
    expect([status, body.email]).toEqual([201, { sent: true, address: 'ana@shop.example', reason: null }]);
    const taken = mail.mails.at(-1);
    expect(taken).toMatchObject({ from: 'inbox@shop.example', to: ['ana@shop.example'] });
    expect(taken?.raw).toContain('Hello Ana Silva,');
    const [, token] = /#token=([\w-]+)/.exec(taken?.raw ?? '') ?? [];
    expect(token).toBe(tokenOf(body.url));
    expect(await canEnter(body.url)).toBe(201);
  });

  test('names the colleague who invites', async () => {
    const admin = await makePerson(kit, tenant);
    const { body: me } = await admin.signIn();
    await tenant.call('PATCH', `/v1/agents/${me.agent.id}`, { role: 'admin', name: 'Bo Chen' });
    const { body: agent } = await tenant.call('POST', '/v1/agents', { name: 'Cleo', email: 'cleo@shop.example' });
    const asked = await admin.ask('POST', `/v1/agents/${agent.id}/invitation`, { send_email: true });
    expect(asked.body.email.sent).toBe(true);
    expect(mail.mails.at(-1)?.raw).toContain('Bo Chen has invited you to');
  });

  test('is sent only when it is asked for', async () => {
    const before = mail.mails.length;
    expect((await invite('quiet@shop.example', {})).body.email).toBeNull();
    expect(mail.mails.length).toBe(before);
  });

  test.each([
    [null, 'no_address'],
    ['nobody@shop.example', 'refused'],
  ])('to %j is not sent, and the link works', async (address, reason) => {
    const { status, body } = await invite(address);
    expect([status, body.email]).toEqual([201, { sent: false, address, reason }]);
    expect(await canEnter(body.url)).toBe(201);
  });

  test('is not sent when the invitation is refused', async () => {
    const before = mail.mails.length;
    const other = await makeTestTenant(kit);
    const { body: agent } = await tenant.call('POST', '/v1/agents', { name: 'Dee', email: 'dee@shop.example' });
    const stolen = await other.call('POST', `/v1/agents/${agent.id}/invitation`, { send_email: true });
    expect(stolen.status).toBe(404);
    const wrong = await tenant.call('POST', `/v1/agents/${agent.id}/invitation`, { send_email: 'yes' });
    expect(wrong.status).toBe(400);
    expect(mail.mails.length).toBe(before);
  });

  test('floods nobody, whichever tenants ask', async () => {
    const tenants = [tenant, await makeTestTenant(kit)];
    const answers: Answer[] = [];
    for (let count = 0; count <= PER_ADDRESS; count += 1)
      answers.push(await invite('Flooded@shop.example', { send_email: true }, tenants[count % 2]));
    const sent = answers.filter(({ body }) => body.email.sent).length;
    expect([sent, answers.at(-1)?.body.email.reason]).toEqual([PER_ADDRESS, 'limited']);
    expect(mail.mails.filter(({ to }) => to.includes('Flooded@shop.example'))).toHaveLength(PER_ADDRESS);
  });
});

describe('the invitation stays', () => {
  test('when no mail server is set up', async () => {
    const without = await startTestService();
    const { body } = await invite('ana@shop.example', { send_email: true }, await makeTestTenant(without));
    expect(body.email).toEqual({ sent: false, address: 'ana@shop.example', reason: 'not_configured' });
    expect(await canEnter(body.url, without)).toBe(201);
    await without.close();
  });

  test('when the mail server is down', async () => {
    const gone = await startMailServer();
    await gone.close();
    const lonely = await startTestService({ config: { smtpUrl: gone.url, smtpFrom: FROM } });
    const { body } = await invite('ana@shop.example', { send_email: true }, await makeTestTenant(lonely));
    expect(body.email).toMatchObject({ sent: false, reason: 'unreachable' });
    expect(await canEnter(body.url, lonely)).toBe(201);
    await lonely.close();
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CUSTOMER, codeOf, NUMBER_ID, objects, startTestNetwork, wamidOf } from '../testing/network.ts';

const WABA = '300400500600';
const TEMPLATE = {
  name: 'spring_sale_approved',
  language: 'en',
  category: 'MARKETING',
  components: [{ type: 'BODY', text: 'Everything is half price this week.' }],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (options = {}) => startTestNetwork({ stateFolder: folder, ...options });
const stateFile = () => join(folder, 'state.json');

test('templates, flows, numbers, accounts, tokens, threads, names, files and open windows outlive a restart', async () => {
  const first = await start({ enforceWindow: true, strictTemplates: true });
  const created = await first.graph('POST', `/v26.0/${WABA}/message_templates`, TEMPLATE);
  const form = { name: 'appointment', categories: ['OTHER'] };
  const flow = (await first.graph('POST', `/v26.0/${WABA}/flows`, form)).body;
  await first.post('/_sim/numbers', { phone_number_id: '700800901', waba_id: '42', verified_name: 'Flower shop' });
  const token = (await first.post('/_sim/tokens', { waba_id: '42' })).body.token;
  const media = { mime_type: 'text/plain', data: Buffer.from('Hello').toString('base64'), filename: 'hello.txt' };
  await first.post('/_sim/inbound', { phone_number_id: NUMBER_ID, from: CUSTOMER, name: 'Ada', media });
  await first.send({ text: { body: 'Ready at five.' } });
  await first.post('/_sim/tokens/revoke', { token });
  await first.close();

  const second = await start({ enforceWindow: true, strictTemplates: true });
  const listed = await second.graph('GET', `/v26.0/${WABA}/message_templates?fields=name,status`);
  expect(listed.body.data).toEqual([{ id: created.body.id, name: TEMPLATE.name, status: 'APPROVED' }]);
  const flows = await second.graph('GET', `/v26.0/${WABA}/flows?fields=name,status`);
  expect(flows.body.data).toEqual([{ id: flow.id, name: 'appointment', status: 'DRAFT' }]);
  expect((await second.graph('GET', '/v26.0/700800901?fields=verified_name')).body.verified_name).toBe('Flower shop');
  expect(objects((await second.get('/_sim/tokens')).body.data)).toMatchObject([{ token, state: 'revoked' }]);
  const phone = (await second.get(`/_sim/phone?peer=${CUSTOMER}`)).body;
  expect(phone.name).toBe('Ada');
  expect(objects(phone.data).map(({ direction }) => direction)).toEqual(['written', 'received']);
  const file = objects(phone.data)[0]?.file as { id: string };
  const bytes = await fetch(`${second.simulator.url}/_sim/media/file?id=${file.id}`);
  expect(await bytes.text()).toBe('Hello');
  const inTime = wamidOf(await second.send({ text: { body: 'Still within the day.' } }));
  await second.receiver.until(() => second.receiver.namesOf(inTime).includes('read'));
  await second.close();
});

test('a template that waits for its review is approved, and reported, after a restart', async () => {
  const first = await start();
  await first.put('/_sim/templates/review', { outcome: 'APPROVED', delay_ms: 3_600_000 });
  const { name: _, ...rest } = TEMPLATE;
  await first.graph('POST', `/v26.0/${WABA}/message_templates`, { ...rest, name: 'sale' });
  await first.close();
  const second = await start();
  await second.post('/_sim/clock', { advance_ms: 3_600_000 });
  await second.receiver.until(() => second.receiver.posts.some(({ value }) => value.event === 'APPROVED'));
  expect(objects((await second.get('/_sim/templates')).body.data)).toMatchObject([{ status: 'APPROVED' }]);
  await second.close();
});

test('what the receiver has not taken is posted after a restart', async () => {
  const first = await start({ callbackUrl: 'http://127.0.0.1:9/nobody' });
  const id = wamidOf(await first.send());
  const { body } = await first.post('/_sim/inbound', { phone_number_id: NUMBER_ID, from: CUSTOMER, text: 'Hi' });
  await first.close();
  const second = await start();
  await second.receiver.until(() => second.receiver.namesOf(id).length === 3 && second.receiver.messages.length === 1);
  expect(second.receiver.namesOf(id).toSorted()).toEqual(['delivered', 'read', 'sent']);
  expect(second.receiver.messages[0]?.id).toBe(body.id);
  await second.close();
});

test('a killed simulator has lost no more than the last moment', async () => {
  const first = await start();
  await first.post('/_sim/inbound', { phone_number_id: NUMBER_ID, from: CUSTOMER, name: 'Ada', text: 'Hi' });
  // Written behind the request, without a stop: what is in the file then is what a kill leaves.
  let text = '';
  while (!text.includes('"Ada"')) text = await readFile(stateFile(), 'utf8').catch(() => '');
  expect(JSON.parse(text)).toMatchObject({ version: 1 });
  expect(statSync(stateFile()).mode & 0o077).toBe(0);
  await first.close();
});

test.each([
  ['is no JSON', '{"version":1,', 'it is not a JSON object'],
  ['is of another version', '{"version":99}', 'it has version 99'],
  ['lacks a part', '{"version":1,"numbers":[]}', '"media" is missing'],
  ['is damaged inside', damaged(), 'sim'],
])('a state file that %s is kept aside, with a sentence, and the simulator starts fresh', async (_label, text, why) => {
  writeFileSync(stateFile(), text);
  const warnings: string[] = [];
  const network = await start({ warn: (line: string) => warnings.push(line), demoTemplate: true });
  const aside = readdirSync(folder).find((name) => name.startsWith('state.json.damaged-')) ?? '';
  expect(readFileSync(join(folder, aside), 'utf8')).toBe(text);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("The simulator's state cannot be used (");
  if (why !== 'sim') expect(warnings[0]).toContain(why);
  expect(warnings[0]).toContain(aside);
  expect(objects((await network.get('/_sim/templates')).body.data)).toHaveLength(1);
  expect(objects((await network.get('/_sim/numbers')).body.data)).toEqual([]);
  await network.close();
});

test('the demo template is there from the start, can be sent as the documentation says, and stays deleted', async () => {
  const first = await start({ demoTemplate: true, strictTemplates: true });
  const parameters = [
    { type: 'text', parameter_name: 'first_name', text: 'Ada' },
    { type: 'text', parameter_name: 'order_no', text: 'A-17' },
  ];
  const template = (name: string) => ({
    type: 'template',
    text: undefined,
    template: { name, language: { code: 'en_US' }, components: [{ type: 'body', parameters }] },
  });
  expect((await first.send(template('order_ready'))).status).toBe(200);
  expect(codeOf(await first.send(template('other')))).toBe(132001);
  await first.graph('DELETE', `/v26.0/${WABA}/message_templates?name=order_ready`);
  await first.close();
  const second = await start({ demoTemplate: true, strictTemplates: true });
  expect(codeOf(await second.send(template('order_ready')))).toBe(132001);
  await second.close();
});

test('a simulator that finds its port taken leaves the state of the other one alone', async () => {
  const first = await start();
  await first.post('/_sim/inbound', { phone_number_id: NUMBER_ID, from: CUSTOMER, name: 'Ada', text: 'Hi' });
  await expect(start({ port: first.simulator.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.close();
  expect(readFileSync(stateFile(), 'utf8')).toContain('"Ada"');
});

function damaged(): string {
  const lists = { numbers: [null], media: [], behaviors: [], unread: [], sends: [], updates: [] };
  return JSON.stringify({ version: 1, ...lists, accounts: {}, tokens: {}, templates: {}, review: {}, customers: {} });
}

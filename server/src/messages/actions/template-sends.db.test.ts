import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSimulatedNumber } from '#testing/peers/link-dialog';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const ACCOUNT = `78${process.pid}`;
let kit: TestService;
let tenant: TestTenant;

const named = (text: string, ...names: readonly string[]) => ({
  type: 'BODY',
  text,
  example: { body_text_named_params: names.map((name) => ({ param_name: name, example: 'x' })) },
});
const track = { type: 'URL', text: 'Track', url: 'https://a.example/{{1}}', example: ['https://a.example/A-17'] };

beforeAll(async () => {
  kit = await startTestService();
  await addSimulatedNumber(kit, ACCOUNT, true);
  tenant = await makeTestTenant(kit, { networkAccountId: ACCOUNT, ratePerSecond: 0 });
  await approve('by_name', 'named', [
    named('Hello {{first_name}}, order {{order_no}} is here.', 'first_name', 'order_no'),
  ]);
  await approve('by_number', 'positional', [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-17'] } },
    { type: 'BODY', text: 'Hello {{1}}, it is ready.', example: { body_text: [['Ada']] } },
    { type: 'BUTTONS', buttons: [track] },
  ]);
  await approve(
    'code',
    'positional',
    [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }],
    'authentication',
  );
  await approve('plain', 'positional', [{ type: 'BODY', text: 'We have moved.' }], 'marketing');
});
afterAll(() => kit.close());

async function approve(
  name: string,
  format: string,
  components: readonly object[],
  category = 'utility',
): Promise<string> {
  const draft = { name, language: 'en', category, parameter_format: format, components };
  const made = await tenant.call('POST', '/v1/templates', draft);
  if (made.status !== 201) throw new Error(made.text);
  const submitted = await tenant.call('POST', `/v1/templates/${made.body.id}/submit`);
  if (submitted.status !== 200) throw new Error(submitted.text);
  const read = async () => (await tenant.call('GET', `/v1/templates/${made.body.id}`)).body;
  await kit.until(read, ({ sendable }) => sendable, `${name} is approved`);
  return made.body.id;
}

const post = (template: object, path = '/v1/messages', to = freshPhone()): Promise<Answer> =>
  tenant.call('POST', path, { to, type: 'template', template: { language: 'en', ...template } });

/** What is remembered of templates may be a moment old. */
const until = (ask: () => Promise<Answer>, status: number) =>
  kit.until(ask, (answer) => answer.status === status, `the answer is ${status}`);

/** The components that the network was sent. */
async function arrived(template: object): Promise<unknown> {
  const to = freshPhone();
  const answer = await post(template, '/v1/messages', to);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 202 });
  await tenant.untilMessage(
    answer.body.id,
    ({ status }) => status !== 'queued' && status !== 'sending',
    'it is settled',
  );
  const [sent] = await tenant.ledger(to);
  return sent?.request.template.components;
}

const texts = (...values: readonly string[]) => values.map((text) => ({ type: 'text', text }));

test('values arrive where the template wants them, however they were given', async () => {
  const byName = [
    { type: 'text', parameter_name: 'first_name', text: 'Ada' },
    { type: 'text', parameter_name: 'order_no', text: 'A-17' },
  ];
  await until(() => post({ name: 'by_name', variables: {} }), 400);
  expect(await arrived({ name: 'by_name', variables: { order_no: 'A-17', first_name: 'Ada' } })).toEqual([
    { type: 'body', parameters: byName },
  ]);
  expect(await arrived({ name: 'by_name', variables: ['Ada', 'A-17'] })).toEqual([
    { type: 'body', parameters: byName },
  ]);
  expect(await arrived({ name: 'by_number', variables: ['A-17', 'Ada', 'a17'] })).toEqual([
    { type: 'header', parameters: texts('A-17') },
    { type: 'body', parameters: texts('Ada') },
    { type: 'button', sub_type: 'url', index: '0', parameters: texts('a17') },
  ]);
  const code = '123456789012345';
  expect(await arrived({ name: 'code', variables: [code] })).toEqual([
    { type: 'body', parameters: texts(code) },
    { type: 'button', sub_type: 'url', index: '0', parameters: texts(code) },
  ]);
  expect(await arrived({ name: 'plain' })).toBeUndefined();
});

test('the message shows what the caller wrote, and is sent again from it', async () => {
  const sent = await post({ name: 'by_number', variables: ['A-17', 'Ada', 'a17'] });
  const { template } = await tenant.message(sent.body.id);
  expect(template).toEqual({ name: 'by_number', language: 'en', variables: ['A-17', 'Ada', 'a17'] });
});

const REFUSED: readonly (readonly [string, object, string])[] = [
  ['a missing name', { name: 'by_name', variables: { first_name: 'Ada' } }, 'body.template.variables.order_no'],
  [
    'a surplus name',
    { name: 'by_name', variables: { first_name: 'A', order_no: '1', x: 'y' } },
    'body.template.variables.x',
  ],
  ['a missing position', { name: 'by_number', variables: ['A-17', 'Ada'] }, 'body.template.variables[2]'],
  ['a surplus position', { name: 'plain', variables: ['A-17'] }, 'body.template.variables[0]'],
  ['names for numbers', { name: 'by_number', variables: { first_name: 'Ada' } }, 'body.template.variables'],
  [
    'a picture for a text',
    {
      name: 'by_number',
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.example/a.jpg' } }] },
        { type: 'body', parameters: texts('Ada') },
        { type: 'button', sub_type: 'url', index: 0, parameters: texts('a17') },
      ],
    },
    'body.template.components[0].parameters[0]',
  ],
  [
    'a button without its value',
    { name: 'code', components: [{ type: 'body', parameters: texts('1') }] },
    'body.template.components',
  ],
  ['a code of 16 characters', { name: 'code', variables: ['1234567890123456'] }, 'body.template.variables'],
  [
    'a code of 16 characters in components',
    {
      name: 'code',
      components: [
        { type: 'body', parameters: texts('1234567890123456') },
        { type: 'button', sub_type: 'url', index: 0, parameters: texts('1234567890123456') },
      ],
    },
    'body.template.components[0].parameters[0]',
  ],
  [
    'a body that is too long',
    { name: 'by_number', variables: ['A', 'x'.repeat(1020), 'a'] },
    'body.template.variables',
  ],
];

test.each(REFUSED)('%s is a 400 that names it, before anything is stored', async (_label, template, path) => {
  const answer = await until(() => post(template), 400);
  expect(answer.body.code).toBe('validation_failed');
  expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  const dry = await post(template, '/v1/messages?dry_run=true');
  expect(dry.body).toMatchObject({ would_send: false, category: null });
});

test('a dry run names the category of the template, and a batch refuses one message alone', async () => {
  expect((await post({ name: 'plain' }, '/v1/messages?dry_run=true')).body).toMatchObject({
    would_send: true,
    category: 'marketing',
  });
  const message = (variables: readonly string[]) => ({
    to: freshPhone(),
    type: 'template',
    template: { name: 'plain', language: 'en', variables },
  });
  const batch = await tenant.call('POST', '/v1/messages/batch', { messages: [message([]), message(['x'])] });
  expect(batch.body.data.map((item: { status: number }) => item.status)).toEqual([202, 400]);
});

test('a paused or rejected template stops its sends within a second or two, with the reason', async () => {
  const change = (status: string) =>
    kit.simulate('POST', '/_sim/templates', { waba_id: ACCOUNT, name: 'plain', status });
  await change('PAUSED');
  expect((await until(() => post({ name: 'plain' }), 400)).body.code).toBe('template_paused');
  await change('DISABLED');
  const disabled = () => post({ name: 'plain' });
  const answer = await kit.until(disabled, ({ body }) => body.code === 'template_not_sendable', 'it is disabled');
  expect(answer.body.error).toContain('disabled');
  await change('APPROVED');
  await until(() => post({ name: 'plain' }), 202);
});

test('an unknown template is left to the network until the account was read, then refused', async () => {
  expect((await post({ name: 'nobody_knows', variables: ['x'] })).status).toBe(202);
  expect((await tenant.call('POST', '/v1/templates/sync')).status).toBe(200);
  expect((await until(() => post({ name: 'nobody_knows' }), 400)).body.code).toBe('template_unknown');
  const other = await post({ name: 'plain', language: 'de' });
  expect([other.status, other.body.code]).toEqual([400, 'template_unknown']);
});

test('a one-time code goes to a number; to a user id the network would not deliver it', async () => {
  const refused = await post({ name: 'code', variables: ['482913'] }, '/v1/messages', 'US.13491208655302741918');
  expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
  expect(refused.body.error).toBe('to is a user ID; templates of the category authentication go to phone numbers.');
  expect((await post({ name: 'code', variables: ['482913'] })).status).toBe(202);
  expect((await post({ name: 'plain' }, '/v1/messages', 'US.13491208655302741918')).status).toBe(202);
});

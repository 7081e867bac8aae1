import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jpegBytes } from '#testing/media/test-media';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { imageForm, post, postNetworkForm, untilSent } from './testing/network-client.ts';

const ACCOUNT = `3${freshPhone()}`;
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { networkAccountId: ACCOUNT });
});
afterAll(() => kit.close());

function upload(form: FormData, search = ''): Promise<Answer> {
  const url = `${kit.service.url}/v23.0/${tenant.phoneNumberId}/media${search}`;
  return postNetworkForm(url, form, { authorization: `Bearer ${tenant.key}` });
}

describe('a file', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['with its type', { type: 'image/jpeg' }, ''],
    ['with a kind of message as its type', { type: 'image' }, ''],
    ['with what belongs to the form in the query', {}, '?messaging_product=whatsapp'],
  ])('is uploaded %s, shown, downloaded, sent and deleted', async (_label, fields, search) => {
    const bytes = jpegBytes();
    const uploaded = await upload(imageForm(fields, bytes), search);
    expect([uploaded.status, Object.keys(uploaded.body)]).toEqual([200, ['id']]);
    const { id } = uploaded.body;
    const node = (await tenant.call('GET', `/v23.0/${id}?phone_number_id=${tenant.phoneNumberId}`)).body;
    expect(node).toEqual({
      messaging_product: 'whatsapp',
      url: expect.stringContaining(kit.service.url),
      mime_type: 'image/jpeg',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      file_size: bytes.length,
      id,
    });
    const download = await fetch(node.url, { headers: { authorization: `Bearer ${tenant.key}` } });
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
    const sent = await post(kit, tenant, { to: freshPhone(), type: 'image', image: { id, caption: 'Here' } });
    const [entry] =
      (await untilSent(tenant, sent.body.messages[0].id)) && (await tenant.ledger(sent.body.contacts[0].wa_id));
    expect(entry.request.image).toMatchObject({ caption: 'Here' });
    expect((await tenant.call('DELETE', `/v23.0/${id}`)).body).toEqual({ success: true });
    expect((await tenant.call('GET', `/v23.0/${id}`)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
  });

  test('with another type than one of media, or without bytes, is refused in the form of the network', async () => {
    const nothing = new FormData();
    nothing.append('messaging_product', 'whatsapp');
    for (const form of [imageForm({ type: 'holiday' }), imageForm({ colour: 'red' }), nothing]) {
      const answer = await upload(form);
      expect([answer.status, answer.body.error.code]).toEqual([400, 100]);
    }
  });
});

describe('a number', () => {
  test('is read alone and in the list of its account, with what is known of it', async () => {
    const node = (await tenant.call('GET', `/v23.0/${tenant.phoneNumberId}?fields=id,verified_name`)).body;
    expect(node).toMatchObject({ id: tenant.phoneNumberId, display_phone_number: expect.stringMatching(/^\+\d+$/) });
    expect((await tenant.call('GET', `/${ACCOUNT}/phone_numbers`)).body).toEqual({ data: [node] });
  });

  test('is not shown to a key without the scope for it', async () => {
    const reader = await tenant.call('POST', '/v1/api-keys', { name: 'media', scopes: ['media:read'] });
    const headers = { authorization: `Bearer ${reader.body.key}` };
    const answer = await callApi(kit.service.url, 'GET', `/v23.0/${tenant.phoneNumberId}`, undefined, headers);
    expect([answer.status, answer.body.error.code]).toEqual([403, 10]);
  });
});

describe('a template', () => {
  const path = `/v23.0/${ACCOUNT}/message_templates`;

  test('is created, listed, read, sent and deleted', async () => {
    const name = `order_${freshPhone()}`;
    const body = {
      name,
      language: 'en_US',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      allow_category_change: true,
      components: [{ type: 'BODY', text: 'Order {{1}} is ready.', example: { body_text: [['A-17']] } }],
    };
    const created = await tenant.call('POST', path, body);
    expect([created.status, created.body]).toEqual([
      200,
      { id: expect.any(String), status: expect.stringMatching(/^(PENDING|APPROVED)$/), category: 'UTILITY' },
    ]);
    const read = () => tenant.call('GET', `/v23.0/${created.body.id}`);
    await kit.until(read, (answer) => answer.body.status === 'APPROVED', 'the network approves it');
    for (const query of [`name=${name}&limit=10`, `name_or_content=${name.toUpperCase()}`]) {
      const list = (await tenant.call('GET', `${path}?${query}`)).body;
      expect(list.data).toMatchObject([{ id: created.body.id, name, language: 'en_US', status: 'APPROVED' }]);
    }
    expect((await tenant.call('GET', `${path}/${created.body.id}`)).body).toEqual((await read()).body);
    expect((await tenant.call('GET', `/9${path.slice(7)}/${created.body.id}`)).body.error.error_subcode).toBe(33);
    const components = [{ type: 'body', parameters: [{ type: 'text', text: 'A-17' }] }];
    const template = { name, language: { policy: 'deterministic', code: 'en_US' }, components };
    const sent = await post(kit, tenant, { to: freshPhone(), type: 'template', template });
    expect((await untilSent(tenant, sent.body.messages[0].id)).status).toBe('sent');
    expect((await tenant.call('DELETE', `${path}?name=${name}`)).body).toEqual({ success: true });
    expect((await tenant.call('GET', `${path}?name=${name}`)).body.data).toEqual([]);
    expect((await tenant.call('DELETE', `${path}?name=${name}`)).body.error).toMatchObject({ error_subcode: 33 });
  });

  test('that the network would reject is refused with every fault, and pages follow each other', async () => {
    const bad = await tenant.call('POST', path, { name: 'bad', language: 'en', category: 'UTILITY', components: [] });
    expect([bad.status, bad.body.error.code]).toEqual([400, 100]);
    expect((await tenant.call('GET', '/v1/templates?name=bad')).body.data).toEqual([]);
    const names = ['page_one', 'page_two', 'page_three'];
    for (const name of names) {
      const components = [{ type: 'BODY', text: 'We have moved.' }];
      expect((await tenant.call('POST', path, { name, language: 'en', category: 'UTILITY', components })).status).toBe(
        200,
      );
    }
    const seen: string[] = [];
    let search = '?name=page_&limit=2';
    for (let page = 0; page < 2; page += 1) {
      const { body } = await tenant.call('GET', `${path}${search}`);
      seen.push(...body.data.map(({ name }: { name: string }) => name));
      search = `?name=page_&limit=2&after=${body.paging?.cursors.after}`;
    }
    expect(seen.toSorted()).toEqual(names.toSorted());
    const rest = (await tenant.call('GET', `${path}?name=page_&offset=2&summary=total_count`)).body;
    expect(rest).toMatchObject({ data: [{ name: seen[2] }], summary: { total_count: 3, message_template_count: 3 } });
  });

  test.each([
    'before=x',
    'after=x',
    'limit=0',
    'offset=-1',
    'status=GOOD',
    'category=FUN',
    'quality_score=RED',
  ])('is not listed by what means nothing here: %s', async (query) => {
    const { status, body } = await tenant.call('GET', `${path}?${query}`);
    expect([status, body.error.code, body.error.error_data.details]).toEqual([
      400,
      100,
      expect.stringMatching(new RegExp(`^${query.split('=', 1)[0]} `)),
    ]);
  });

  test('is deleted in the one language that is named', async () => {
    const components = [{ type: 'BODY', text: 'We have moved.' }];
    for (const language of ['de', 'fr'])
      await tenant.call('POST', path, { name: 'moved', language, category: 'UTILITY', components });
    expect((await tenant.call('DELETE', `${path}?name=moved&language=de`)).body).toEqual({ success: true });
    expect((await tenant.call('GET', `${path}?name=moved`)).body.data).toMatchObject([{ language: 'fr' }]);
  });
});

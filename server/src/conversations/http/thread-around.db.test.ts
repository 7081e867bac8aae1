import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;
let path = '';
/** Oldest first: messages of both directions, and notes. */
let ids: readonly string[] = [];

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  const [message] = (await kit.until(list, ({ body }) => body.data.length > 0, 'the message is stored')).body.data;
  path = `/v1/conversations/${message.conversation_id}/messages`;
  for (let place = 1; place <= 10; place += 1) {
    const body = place % 3 === 0 ? { type: 'note', body: `Note ${place}` } : { body: `Answer ${place}` };
    await tenant.call('POST', path, body);
  }
  const { body } = await tenant.call('GET', path);
  ids = body.data.map(({ id }: { id: string }) => id).reverse();
});
afterAll(() => kit.close());

/** The ids of a page, oldest first. */
async function page(query: string): Promise<readonly string[]> {
  const { status, body } = await tenant.call('GET', `${path}?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id).reverse();
}

test('a conversation opens around any of its entries, with as many newer ones as older', async () => {
  expect(ids).toHaveLength(11);
  expect(await page(`around=${ids[5]}&limit=5`)).toEqual(ids.slice(3, 8));
  expect(await page(`around=${ids[5]?.toUpperCase()}&limit=4`)).toEqual(ids.slice(3, 7));
  expect(await page(`around=${ids[5]}&limit=1`)).toEqual([ids[5]]);
});

test('at either end the page is filled from the other side, or as short as what there is', async () => {
  expect(await page(`around=${ids[10]}&limit=5`)).toEqual(ids.slice(6));
  expect(await page(`around=${ids[9]}&limit=5`)).toEqual(ids.slice(6));
  expect(await page(`around=${ids[0]}&limit=5`)).toEqual(ids.slice(0, 3));
  expect(await page(`around=${ids[0]}&limit=50`)).toEqual(ids);
});

test('the cursor of such a page leads to what is older, also by its link', async () => {
  const first = await tenant.call('GET', `${path}?around=${ids[6]}&limit=3`);
  const { next_cursor: cursor } = first.body.page;
  expect(await page(`limit=3&cursor=${cursor}`)).toEqual(ids.slice(2, 5));
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect((await tenant.call('GET', link)).body.data.map(({ id }: { id: string }) => id)).toEqual(
    ids.slice(2, 5).toReversed(),
  );
});

test('an id that nothing has is a place all the same, and other places beside it are refused', async () => {
  expect(await page(`around=${ids[4]?.slice(0, -4)}ffff&limit=3`)).toEqual(expect.arrayContaining([ids[4]]));
  for (const other of [`after=${ids[1]}`, 'offset=1', 'cursor=AAAA']) {
    const { status, body } = await tenant.call('GET', `${path}?around=${ids[5]}&${other}`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'validation_failed', 'query.around']);
  }
});

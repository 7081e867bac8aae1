import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());

/** A report once everything that happened is in it. */
function complete(path: string, of = tenant): Promise<Answer> {
  return kit.until(
    () => of.call('GET', path),
    (answer) => answer.status !== 200 || answer.body.complete === true,
    'the report is complete',
  );
}

async function readBy(customer: string, fields: object = {}): Promise<string> {
  const id = await tenant.send(customer, fields);
  await tenant.untilMessage(id, (m) => m.delivery.state === 'read', 'it is read');
  return id;
}

describe('reports', () => {
  test('count what went, arrived, was read and answered, by campaign and number', async () => {
    const customer = freshPhone();
    await readBy(customer, { campaign_name: 'spring' });
    await readBy(freshPhone(), { campaign_name: 'spring' });
    const failed = await tenant.send('99900000003', { campaign_name: 'spring' });
    await tenant.untilMessage(failed, (m) => m.status === 'failed', 'it failed');
    await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from: customer, text: 'Yes' });
    await kit.until(
      () => tenant.call('GET', `/v1/messages/inbound?from=${customer}`),
      (answer) => answer.body.data.length === 1,
      'the answer has come',
    );
    const summary = await complete('/v1/analytics/summary?campaign_name=spring');
    const counts = { accepted: 3, sent: 3, delivered: 2, read: 2, failed: 1, replied: 1 };
    expect(summary.body).toMatchObject({ timezone: 'UTC', complete: true, messages: { ...counts, received: 0 } });
    expect(summary.body.previous.accepted).toBe(0);
    const all = await complete('/v1/analytics/summary');
    expect(all.body.messages).toEqual({ ...counts, received: 1 });
    const number = await complete(`/v1/analytics/summary?phone_number_id=${tenant.phoneNumberId}`);
    expect(number.body.messages).toEqual({ ...counts, received: 1 });
    const funnel = await complete('/v1/analytics/funnel?by=campaign_name');
    const rates = { delivered_rate: 0.6667, read_rate: 1, replied_rate: 0.5 };
    expect(funnel.body.data).toEqual([{ key: 'spring', ...counts, ...rates }]);
    const errors = await complete('/v1/analytics/errors');
    expect(errors.body.data).toEqual([{ code: 'recipient_unreachable', failed: 1, share: 1 }]);
    const heatmap = await complete('/v1/analytics/heatmap?timezone=Asia/Kathmandu');
    expect(heatmap.body.data.reduce((sum: number, cell: { accepted: number }) => sum + cell.accepted, 0)).toBe(3);
  });

  test('come as CSV to whoever accepts it', async () => {
    const answer = await tenant.call('GET', '/v1/analytics/funnel?by=campaign_name', undefined, { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const columns = 'key,accepted,sent,delivered,read,replied,failed,delivered_rate,read_rate,replied_rate';
    expect(answer.text.split('\r\n')[0]).toBe(columns);
    const json = await tenant.call('GET', '/v1/analytics/funnel', undefined, { accept: 'application/json, text/csv' });
    expect(json.body.data).toHaveLength(1);
  });

  test("of another tenant's number, and of one that nobody has, count nothing", async () => {
    const other = await makeTestTenant(kit);
    for (const number of [tenant.phoneNumberId, '99']) {
      const { body } = await complete(`/v1/analytics/summary?phone_number_id=${number}`, other);
      expect(body.messages).toMatchObject({ accepted: 0, received: 0 });
    }
  });
});

describe('the steps of a series', () => {
  const starts = async (query: string): Promise<string[]> => {
    const { body } = await tenant.call('GET', `/v1/analytics/timeseries?${query}`);
    return body.data.map((point: { start: string }) => point.start);
  };

  test('are days of the time zone, also when its clocks change', async () => {
    expect(await starts('from=2030-03-30&to=2030-04-02&timezone=Europe/Berlin')).toEqual([
      '2030-03-29T23:00:00.000Z',
      '2030-03-30T23:00:00.000Z',
      '2030-03-31T22:00:00.000Z',
    ]);
    expect(await starts('from=2030-10-27&to=2030-10-28&timezone=Europe/Berlin&interval=hour')).toHaveLength(25);
    expect(await starts('from=2030-03-31&to=2030-04-01&timezone=Europe/Berlin&interval=hour')).toHaveLength(23);
    expect(await starts('from=2030-01-01&to=2030-01-02&timezone=Asia/Kathmandu')).toEqual(['2029-12-31T18:15:00.000Z']);
  });

  test('are whole weeks from Monday and whole months', async () => {
    expect(await starts('from=2030-01-03&to=2030-01-15&interval=week')).toEqual([
      '2029-12-31T00:00:00.000Z',
      '2030-01-07T00:00:00.000Z',
      '2030-01-14T00:00:00.000Z',
    ]);
    expect(await starts('from=2030-01-31&to=2030-03-01&interval=month')).toEqual([
      '2030-01-01T00:00:00.000Z',
      '2030-02-01T00:00:00.000Z',
    ]);
  });

  test('add up to the summary', async () => {
    const series = await complete('/v1/analytics/timeseries?interval=hour');
    const { body } = await complete('/v1/analytics/summary');
    const sum = series.body.data.reduce((total: number, point: { read: number }) => total + point.read, 0);
    expect(sum).toBe(body.messages.read);
  });
});

test.each([
  ['timezone=Mars/Olympus', 'query.timezone', 'timezone must be an IANA time zone such as Europe/Berlin.'],
  ['timezone=%2B01:00', 'query.timezone', 'timezone must be an IANA time zone such as Europe/Berlin.'],
  ['from=2026-02-30', 'query.from', 'from must be a date such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z.'],
  ['from=2026-02-02&to=2026-02-02', 'query.to', 'to must be after from.'],
  ['from=2024-01-01&to=2026-01-01', 'query.from', 'from and to can be at most 366 days apart.'],
  ['type=text&template=x', 'query.template', 'template cannot be combined with type. Use one of them.'],
  ['interval=hour&from=2026-01-01&to=2026-06-01', 'query.interval', undefined],
])('a report of %s is refused with what is wrong', async (query, path, message) => {
  const { status, body } = await tenant.call('GET', `/v1/analytics/timeseries?${query}`);
  expect(status).toBe(400);
  expect(body.details).toEqual([{ path, message: message ?? expect.stringMatching(/makes 362[0-9] steps/) }]);
});

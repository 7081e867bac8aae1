import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttributeType } from '#contacts/domain/contact-attribute';
import { MATCHES_BY_KIND } from '#core/conditions/condition';
import type { JsonObject, JsonValue } from '#core/json';
import { cases } from '#testing/depth';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/* Whatever a write accepts, every way of reading works with: no value of one contact fails the lists of a tenant. */
let kit: TestService;
let tenant: TestTenant;

const TYPES: Readonly<Record<AttributeType, keyof typeof MATCHES_BY_KIND>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
  list: 'tags',
};
const keyOf = (type: string) => `of_${type}`;

beforeAll(async () => {
  kit = await startTestService({ config: { roles: 'api,receiver' } });
  tenant = await makeTestTenant(kit);
  for (const type of Object.keys(TYPES)) {
    expect((await tenant.call('POST', '/v1/contact-attributes', { key: keyOf(type), type })).status).toBe(201);
  }
});
afterAll(() => kit.close());

const days = fc.constantFrom(
  '0000-01-01',
  '0000-12-31',
  '0001-01-01',
  '0004-02-29',
  '1582-10-10',
  '9999-12-31',
  '10000-01-01',
);
const odd: Readonly<Record<AttributeType, fc.Arbitrary<JsonValue>>> = {
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('\u0000', '\ud800', '%_\\', '"', '\u202e', 'İ'),
  ),
  number: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(-0, 5e-324, 1.7976931348623157e308, 2 ** 63),
  ),
  boolean: fc.boolean(),
  date: fc.oneof(
    days,
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().split('T')[0] ?? ''),
  ),
  list: fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 3 }),
};
const points = fc.constantFrom(
  '-99999d',
  '-0m',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
);

function valueFor(type: AttributeType, match: string): fc.Arbitrary<JsonValue | undefined> {
  if (match === 'exists' || match === 'missing') return fc.constant(undefined);
  const one: fc.Arbitrary<JsonValue> = type === 'date' ? points : type === 'list' ? odd.text : odd[type];
  return match === 'between' ? fc.tuple(one, one) : one;
}

const anyOdd = fc.constantFrom(...(Object.keys(TYPES) as AttributeType[])).chain((type) =>
  fc.constantFrom(...MATCHES_BY_KIND[TYPES[type]]).chain((match) =>
    fc.record({
      type: fc.constant(type),
      match: fc.constant(match),
      stored: odd[type],
      value: valueFor(type, match),
    }),
  ),
);

/** Everything that judges contacts by a condition, or shows them. */
async function readEverywhere(when: JsonObject): Promise<readonly (readonly [string, number])[]> {
  const made = await tenant.call('POST', '/v1/segments', { name: `s${kit.rt.newId<string>()}`, when });
  const asked: [string, number][] = [['POST /v1/segments', made.status]];
  const ask = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const answer = await tenant.call(method, path, body);
    asked.push([`${method} ${path}`, answer.status]);
    return answer.body ?? {};
  };
  await ask('POST', '/v1/contacts/search', { when });
  if (made.status !== 201) return asked;
  const segment = `segment_id=${made.body.id}`;
  await ask('GET', `/v1/contacts?${segment}`);
  for (const format of ['csv', 'ndjson']) await ask('GET', `/v1/contacts/export?${segment}&format=${format}`);
  const template = { name: 'order_shipped', language: 'en' };
  const campaign = await ask('POST', '/v1/campaigns', {
    name: 'odd',
    template,
    audience: { segment_id: made.body.id },
  });
  await ask('POST', `/v1/campaigns/${campaign.id}/preflight`);
  await ask('POST', `/v1/campaigns/${campaign.id}/start`);
  return asked;
}

test('what a write accepts passes every condition, list, export and audience', async () => {
  const passes = async ({
    type,
    match,
    stored,
    value,
  }: {
    type: AttributeType;
    match: string;
    stored: JsonValue;
    value?: JsonValue | undefined;
  }) => {
    const attributes = { [keyOf(type)]: stored };
    const written = await tenant.call('POST', '/v1/contacts', { phone: freshPhone(), attributes });
    expect([201, 400, 409]).toContain(written.status);
    const answers = await readEverywhere({
      field: `contact.attributes.${keyOf(type)}`,
      match,
      ...(value === undefined ? {} : { value }),
    });
    expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(anyOdd, passes), { numRuns: cases(120) });
});

test.each([
  '0000-01-01',
  '0000-12-31',
])('the day %s, which the calendar of the database lacks, is refused', async (day) => {
  const refused = await tenant.call('POST', '/v1/contacts', { phone: freshPhone(), attributes: { of_date: day } });
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('of the years 0001 to 9999')]);
  expect((await tenant.call('GET', `/v1/analytics/summary?from=${day}`)).status).toBe(400);
});

test.each(['summary', 'timeseries', 'heatmap'])('a report %s begins on every day that it accepts', async (report) => {
  const edges = [
    ['0001-01-01', '0001-02-01'],
    ['0001-01-01T00:00:00+23:59', '0001-01-02'],
    ['9999-12-01', '9999-12-31'],
  ];
  for (const [from = '', to = ''] of edges) {
    const query = new URLSearchParams({ from, to, timezone: 'Pacific/Apia' });
    const answer = await tenant.call('GET', `/v1/analytics/${report}?${query}`);
    expect([from, answer.status]).toEqual([from, expect.toSatisfy((status: number) => status < 500)]);
  }
});

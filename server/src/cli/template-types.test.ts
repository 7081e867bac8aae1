import { describe, expect, test } from 'vitest';
import { runWith } from '#cli/testing/fake-context';
import { templateTypes } from './template-types.ts';

const named = (...keys: string[]) => keys.map((key) => ({ key, where: 'body', type: 'text', example: null }));
const template = (fields: object) => ({
  name: 'order_ready',
  language: 'en_US',
  network_template_id: '1',
  parameter_format: 'named',
  variables: named('first_name', 'order_no'),
  ...fields,
});
const linesOf = (...templates: object[]) =>
  templateTypes(templates as Parameters<typeof templateTypes>[0])
    .split('\n')
    .filter((line) => /^ {4,}\S/.test(line))
    .map((line) => line.trim());

describe('types of templates', () => {
  test('name every value that a template needs, by name and language', () => {
    const german = template({ language: 'de', variables: named('first_name') });
    expect(linesOf(template({}), german)).toEqual([
      '"order_ready": {',
      '"de": { variables: { "first_name": string } };',
      '"en_US": { variables: { "first_name": string; "order_no": string } };',
      '};',
    ]);
  });

  test.each([
    [
      'as many values as it has places',
      { parameter_format: 'positional', variables: named('1', '2') },
      '{ variables: readonly [string, string] }',
    ],
    ['nothing', { variables: [] }, 'Record<never, never>'],
    [
      'components when more than its text is filled in',
      { variables: [...named('a'), { key: 'header', where: 'header', type: 'image', example: null }] },
      '{ /** With image of header. */ components: readonly TemplateComponent[] }',
    ],
  ])('ask for %s', (_name, fields, expected) => {
    expect(linesOf(template(fields))[1]).toBe(`"en_US": ${expected};`);
  });

  test('leave out drafts, and take either of two accounts that differ', () => {
    const draft = template({ name: 'draft', network_template_id: null });
    const other = template({ variables: named('other') });
    expect(linesOf(draft, template({ variables: named('a') }), other)[1]).toBe(
      '"en_US": { variables: { "a": string } } | { variables: { "other": string } };',
    );
  });
});

test('templates types prints those of all pages', async () => {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    asked.push(String(input));
    const isLast = asked.length === 2;
    const page = { has_more: !isLast, next_cursor: isLast ? null : 'next page' };
    return Response.json({ data: [template({ name: isLast ? 'second' : 'first', variables: [] })], page });
  };
  const env = {
    MESSAGING_API_KEY: 'key',
    MESSAGING_BASE_URL: 'http://127.0.0.1:9',
    MESSAGING_DATA_DIR: '/nonexistent',
  };
  const run = await runWith({ env, fetch }, 'templates', 'types');
  expect(run.exitCode).toBe(0);
  expect(asked).toEqual([
    'http://127.0.0.1:9/v1/templates?limit=1000',
    'http://127.0.0.1:9/v1/templates?limit=1000&cursor=next+page',
  ]);
  expect(run.stdout).toMatch(/"first"[\s\S]*"second"/);
});

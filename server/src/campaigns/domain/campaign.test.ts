import { expect, test } from 'vitest';
import { personalise } from './campaign.ts';

const template = {
  name: 'sale',
  language: 'en',
  variables: { first: 'Dear {{name|customer}}', code: '{{code}}' },
} as const;

test('placeholders are filled with the values of the recipient, or with the text after the bar', () => {
  expect(personalise(template, { name: 'Ada', code: 'X1' })).toEqual({
    template: { ...template, variables: { first: 'Dear Ada', code: 'X1' } },
  });
  expect(personalise(template, { name: '  ', code: '{{name}}' })).toEqual({
    template: { ...template, variables: { first: 'Dear customer', code: '{{name}}' } },
  });
});

test('a placeholder without a value and without a fallback is named', () => {
  expect(personalise(template, { name: 'Ada' })).toEqual({ missing: 'code' });
  expect(personalise(template, { __proto__: 'x', code: '' } as never)).toEqual({ missing: 'code' });
});

test('placeholders are found in components at any depth, and the name of the template is left alone', () => {
  const components = [{ type: 'body', parameters: [{ type: 'text', text: '{{contact.name|you}}' }] }];
  expect(personalise({ name: 'x', language: 'en', components }, {})).toEqual({
    template: {
      name: 'x',
      language: 'en',
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'you' }] }],
    },
  });
});

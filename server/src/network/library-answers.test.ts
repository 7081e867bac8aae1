import fc from 'fast-check';
import { expect, test } from 'vitest';
import { libraryPageIn } from './library-answers.ts';

const node = {
  id: '7138055039625658',
  name: 'delivery_failed',
  language: 'en_US',
  category: 'UTILITY',
  topic: 'ORDER_MANAGEMENT',
  usecase: 'DELIVERY_FAILED',
  industry: ['E_COMMERCE'],
  body: 'Order {{1}} could not be delivered. Call {{2}}.',
  body_params: ['A-17', '+15550001111'],
  body_param_types: ['TEXT', 'PHONE NUMBER'],
  buttons: [{ type: 'URL', text: 'Another day', url: 'https://www.example.com' }],
};

test('an entry is read with the network’s words in lower case', () => {
  expect(libraryPageIn({ data: [node] })).toEqual({
    entries: [
      {
        entryId: '7138055039625658',
        name: 'delivery_failed',
        language: 'en_US',
        category: 'utility',
        topic: 'order_management',
        useCase: 'delivery_failed',
        industries: ['e_commerce'],
        header: null,
        body: node.body,
        variables: [
          { example: 'A-17', type: 'text' },
          { example: '+15550001111', type: 'phone_number' },
        ],
        buttons: [{ type: 'url', text: 'Another day', url: 'https://www.example.com', phoneNumber: null }],
      },
    ],
    after: null,
  });
});

test.each([
  ['without an id', { id: undefined }],
  ['with an id that is no number', { id: 'x' }],
  ['without a name', { name: '' }],
  ['without a language', { language: null }],
  ['without a body', { body: 7 }],
  ['of an unknown category', { category: 'POETRY' }],
])('an entry %s is left out', (_what, change) => {
  expect(libraryPageIn({ data: [{ ...node, ...change }, node] })?.entries).toHaveLength(1);
});

test('what an entry leaves out is empty', () => {
  const bare = { id: '1', name: 'a', language: 'en', category: 'utility', body: 'Hi.', body_params: ['x'] };
  expect(libraryPageIn({ data: [bare] })?.entries[0]).toMatchObject({
    ...{ topic: null, useCase: null, industries: [], header: null, buttons: [] },
    variables: [{ example: 'x', type: null }],
  });
});

test('only what has a next page goes on', () => {
  const cursors = { after: 'abc' };
  expect(libraryPageIn({ data: [], paging: { cursors, next: 'https://network.example/next' } })?.after).toBe('abc');
  expect(libraryPageIn({ data: [], paging: { cursors } })?.after).toBeNull();
});

test('nothing that the network answers makes reading it fail', () => {
  const member = fc.oneof(fc.anything(), fc.constantFrom(...Object.values(node)));
  const entry = fc.record(Object.fromEntries(Object.keys(node).map((name) => [name, member])));
  fc.assert(
    fc.property(fc.record({ data: fc.oneof(fc.anything(), fc.array(entry)), paging: fc.anything() }), (answer) => {
      const page = libraryPageIn(answer);
      expect(page === null || Array.isArray(page.entries)).toBe(true);
    }),
  );
});

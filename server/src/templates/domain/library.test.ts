import { expect, test } from 'vitest';
import { inputFaults, type LibraryInput, type LibraryTemplate, libraryDefinition, networkInputs } from './library.ts';

const url = { type: 'url', text: 'Find the way', url: 'https://www.example.com', phoneNumber: null };
const phone = { type: 'phone_number', text: 'Call the shop', url: null, phoneNumber: '+15550001111' };
const reply = { type: 'quick_reply', text: 'Good', url: null, phoneNumber: null };
const entry: LibraryTemplate = {
  entryId: '1',
  name: 'ready',
  language: 'en_US',
  category: 'utility',
  topic: null,
  useCase: null,
  industries: [],
  header: 'Ready',
  body: 'Your order {{1}} is ready.',
  variables: [{ example: 'A-17', type: 'text' }],
  buttons: [reply, url, phone],
};
const way: LibraryInput = { type: 'url', url: 'https://shop.example/{{1}}', example: 'https://shop.example/way' };
const call: LibraryInput = { type: 'phone_number', phone_number: '+4930123456' };

test('each button that leads somewhere takes the next input, and the others none', () => {
  expect(inputFaults(entry, [way, call])).toEqual([]);
  const { components } = libraryDefinition(entry, { name: 'mine', inputs: [way, call] });
  expect(components).toEqual([
    { type: 'HEADER', format: 'TEXT', text: 'Ready' },
    { type: 'BODY', text: 'Your order {{1}} is ready.', example: { body_text: [['A-17']] } },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Good' },
        { type: 'URL', text: 'Find the way', url: way.url, example: ['https://shop.example/way'] },
        { type: 'PHONE_NUMBER', text: 'Call the shop', phone_number: '+4930123456' },
      ],
    },
  ]);
});

test('an entry that says nothing but its text becomes a body alone', () => {
  const plain = { ...entry, header: null, variables: [], buttons: [] };
  expect(libraryDefinition(plain, { name: 'mine', inputs: [] })).toMatchObject({
    name: 'mine',
    language: 'en_US',
    category: 'utility',
    parameterFormat: 'positional',
    components: [{ type: 'BODY', text: 'Your order {{1}} is ready.' }],
  });
});

test.each<[string, readonly LibraryInput[], string, string]>([
  ['too few inputs', [way], 'buttons', 'must be url for "Find the way", then phone_number for "Call the shop"'],
  [
    'too many inputs',
    [way, call, call],
    'buttons',
    'must be url for "Find the way", then phone_number for "Call the shop"',
  ],
  ['another order', [call, way], 'buttons[0].type', 'must be url, for the button "Find the way"'],
  [
    'a variable without a sample',
    [{ type: 'url', url: 'https://shop.example/{{1}}' }, call],
    'buttons[0].example',
    'is required, because the URL has a variable',
  ],
  [
    'a variable in the middle',
    [{ ...way, url: 'https://shop.example/{{1}}/way' }, call],
    'buttons[0].url',
    'has at most one variable, at its end',
  ],
  [
    'two variables',
    [{ ...way, url: 'https://shop.example/{{1}}/{{2}}' }, call],
    'buttons[0].url',
    'has at most one variable, at its end',
  ],
])('%s is a fault with its place', (_what, inputs, at, message) => {
  expect(inputFaults(entry, inputs)[0]).toEqual({ at, message });
});

test('an entry whose buttons lead nowhere takes no inputs', () => {
  expect(inputFaults({ ...entry, buttons: [reply] }, [way])).toEqual([
    { at: 'buttons', message: 'must be empty: no button leads anywhere' },
  ]);
});

test('an entry with a button of another kind is not taken', () => {
  const otp = { ...reply, type: 'otp' };
  expect(inputFaults({ ...entry, buttons: [otp] }, [])).toEqual([
    { at: 'library_template', message: expect.stringContaining('a button of the type otp') },
  ]);
});

test('the network gets the name and the inputs in its own spelling', () => {
  expect(networkInputs({ name: 'ready', inputs: [way, { type: 'url', url: 'https://shop.example' }, call] })).toEqual({
    library_template_name: 'ready',
    library_template_button_inputs: [
      { type: 'URL', url: { base_url: way.url, url_suffix_example: 'https://shop.example/way' } },
      { type: 'URL', url: { base_url: 'https://shop.example' } },
      { type: 'PHONE_NUMBER', phone_number: '+4930123456' },
    ],
  });
  expect(networkInputs({ name: 'plain', inputs: [] })).toEqual({ library_template_name: 'plain' });
});

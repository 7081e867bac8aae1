import { expect, test } from 'vitest';
import { createdFlowIn, flowIn, flowPageIn, savedJsonIn } from './flow-answers.ts';

const ACCOUNT = '300400500600';
const node = { id: '1584929525414211', name: 'appointment', status: 'DRAFT', categories: ['SURVEY'] };

test('a node is a flow in words of lower case, without what the network did not say', () => {
  expect(flowIn(node, ACCOUNT)).toEqual({
    flowId: node.id,
    name: 'appointment',
    status: 'draft',
    categories: ['survey'],
    networkAccountId: ACCOUNT,
    jsonVersion: null,
    problems: [],
    preview: null,
    health: null,
  });
});

test.each([
  ['without an id', { ...node, id: undefined }, ACCOUNT],
  ['with an id that leads elsewhere', { ...node, id: '1/../2' }, ACCOUNT],
  ['of no account', node, ''],
])('a node %s is no flow', (_label, value, account) => {
  expect(flowIn(value, account)).toBeNull();
});

test('a mistake has the path that the network names, else the line and the column', () => {
  const pointers = [{ path: 'screens[0].id' }, { path: 'screens[1].id' }];
  const validation_errors = [
    { error: 'DUPLICATE', message: 'Twice.', line_start: 3, column_start: 5, pointers },
    { error: 'SYNTAX', message: 'Ends too early.', line_start: 3, column_start: 5 },
    { message: 'Somewhere.' },
    'nonsense',
  ];
  expect(savedJsonIn({ success: true, validation_errors })).toEqual({
    saved: true,
    problems: [
      { code: 'DUPLICATE', message: 'Twice.', places: ['screens[0].id', 'screens[1].id'] },
      { code: 'SYNTAX', message: 'Ends too early.', places: ['line 3, column 5'] },
      { code: null, message: 'Somewhere.', places: [] },
      { code: null, message: '', places: [] },
    ],
  });
  expect(savedJsonIn({ validation_errors })).toBeNull();
  expect(createdFlowIn({ success: true, validation_errors })).toBeNull();
});

test('health is said in the sentences of the network, each with its advice, and a preview has a time only when it is one', () => {
  const errors = [{ error_description: 'The endpoint is slow.', possible_solution: 'Answer faster.' }, {}];
  const shown = flowIn(
    {
      ...node,
      preview: { preview_url: 'https://business.example/1', expires_at: 'soon' },
      health_status: { can_send_message: 'LIMITED', entities: [{ errors }, { can_send_message: 'AVAILABLE' }] },
    },
    ACCOUNT,
  );
  expect(shown).toMatchObject({
    preview: { url: 'https://business.example/1', expiresAt: null },
    health: { canSend: 'limited', problems: ['The endpoint is slow. Answer faster.'] },
  });
});

test('a page leads on only when the network says that there is a next one', () => {
  const paging = { cursors: { after: 'QQ' } };
  expect(flowPageIn({ data: [node, {}], paging }, ACCOUNT)).toMatchObject({
    flows: [{ name: 'appointment' }],
    after: null,
  });
  expect(flowPageIn({ data: [], paging: { ...paging, next: 'https://…' } }, ACCOUNT)).toEqual({
    flows: [],
    after: 'QQ',
  });
  expect(flowPageIn({}, ACCOUNT)).toBeNull();
});

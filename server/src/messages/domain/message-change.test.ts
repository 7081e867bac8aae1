import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChangeableMessage, type ContentChange, changeMessage, MAX_EDITS } from './message-change.ts';

const sent: ChangeableMessage = {
  type: 'text',
  networkMs: 1_000,
  body: 'at first',
  content: { body: 'at first' },
  context: { quoted: { id: 'wamid.Q', from: null }, forwarded: null, product: null, error: null },
  versions: null,
  deletedMs: null,
};

function edit(name: string, atMs: number): ContentChange {
  return { changeId: name, atMs, edit: { body: name } };
}

const deletion = (name: string, atMs: number): ContentChange => ({ changeId: name, atMs, edit: null });
const after = (changes: readonly ContentChange[]) => changes.reduce(changeMessage, sent);

test('in any order and with any repetitions, changes end in the same message', () => {
  // Few times and more edits than are kept: many changes share a second, and the oldest are dropped.
  const change = fc.record({ isDeletion: fc.boolean(), atMs: fc.integer({ min: 1, max: 9 }) });
  const changes = fc.tuple(fc.array(change, { minLength: 1, maxLength: MAX_EDITS + 10 }), fc.constantFrom(true, false));
  const anyOrder = changes.chain(([drawn, withDeletions]) => {
    const made = drawn.map(({ isDeletion, atMs }, at) =>
      isDeletion && withDeletions ? deletion(`d${at}`, atMs) : edit(`e${at}`, atMs),
    );
    const shuffled = fc.shuffledSubarray(made, { minLength: made.length });
    return fc.tuple(fc.constant(made), shuffled, fc.subarray(made));
  });
  fc.assert(
    fc.property(anyOrder, ([made, shuffled, again]) => {
      expect(after([...shuffled, ...again])).toEqual(after(made));
    }),
    { numRuns: 400 },
  );
});

test('an edit keeps what the message said before, and says what it says now', () => {
  expect(after([edit('second', 3_000), edit('first', 2_000)])).toEqual({
    ...sent,
    body: 'second',
    content: { body: 'second' },
    versions: [
      { changeId: null, atMs: 1_000, body: 'at first' },
      { changeId: 'first', atMs: 2_000, body: 'first' },
      { changeId: 'second', atMs: 3_000, body: 'second' },
    ],
  });
});

test('a deletion leaves nothing of the message but its time, and nothing brings it back', () => {
  const gone = { ...sent, body: null, content: {}, context: null, versions: null, deletedMs: 2_000 };
  expect(after([edit('first', 1_500), deletion('gone', 2_000), edit('late', 9_000)])).toEqual(gone);
});

test('what says nothing new changes nothing', () => {
  const edited = after([edit('first', 2_000)]);
  expect(changeMessage(edited, edit('first', 2_000))).toBe(edited);
  const full = after(Array.from({ length: MAX_EDITS }, (_, at) => edit(`e${at}`, 5_000 + at)));
  expect(full.versions).toHaveLength(MAX_EDITS + 1);
  expect(changeMessage(full, edit('older', 2_000))).toBe(full);
});

test.each([
  ['image', { id: '1', caption: 'old' }, 'new', { id: '1', caption: 'new' }],
  ['image', { id: '1', caption: 'old' }, null, { id: '1' }],
  ['location', { latitude: 1 }, 'new', { latitude: 1 }],
])('an edit of type %s changes the text of %j to %j, and nothing else of it', (type, content, body, edited) => {
  const change = { ...edit('first', 2_000), edit: { body } };
  expect(changeMessage({ ...sent, type, content }, change)).toMatchObject({ body, content: edited });
});

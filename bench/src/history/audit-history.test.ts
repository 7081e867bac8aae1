import { expect, test } from 'vitest';
import { auditHistory, type HistoryEvidence } from './audit-history.ts';

const entry = (messageId: string) => ({
  networkId: `wamid.${messageId}`,
  to: '1',
  phoneNumberId: '1',
  messageId,
  acceptedAtMs: 0,
});
const row = (messageId: string, fields = {}) => ({ messageId, possibleDuplicate: false, isHeld: false, ...fields });
const posted = (id: string, isAfter: boolean) => ({ status: 202, id, isAfter });

/** One message was sent and lost, one was sent and is held, one came afterwards. */
const right: HistoryEvidence = {
  posted: [posted('lost', false), posted('held', false), posted('after', true)],
  ledger: [entry('lost'), entry('held'), entry('after')],
  rows: [row('held', { isHeld: true }), row('after')],
  reasons: ['first', 'other_server'],
};

test('a restore that repeats nothing passes, and what it cost is counted', () => {
  expect(auditHistory(right)).toEqual({
    violations: [],
    counts: { accepted: 3, lost: 1, held: 1, spared: 1, copies: 0 },
  });
});

test.each([
  ['a copy without a mark', { ledger: [...right.ledger, entry('held')] }, 'nothing says'],
  [
    'many copies',
    { ledger: [...right.ledger, entry('held')], rows: [row('held', { possibleDuplicate: true }), row('after')] },
    'more than once',
  ],
  ['a message that came afterwards and was never sent', { ledger: right.ledger.slice(0, 2) }, 'left 0 times'],
  ['a run in which nothing was held', { rows: [row('held'), row('after')] }, 'nothing was put to the test'],
  ['a service that noticed nothing', { reasons: ['first'] }, 'did not notice'],
])('%s is a violation', (_label, change, said) => {
  expect(auditHistory({ ...right, ...change }).violations.join()).toContain(said);
});

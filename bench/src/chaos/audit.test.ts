import { describe, expect, test } from 'vitest';
import { audit } from './audit.ts';
import type { ClientMessage, DatabaseEvidence, Evidence, LedgerEntry, MessageRow, ViolationKind } from './evidence.ts';

const ID = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;

function client(n: number, overrides: Partial<ClientMessage> = {}): ClientMessage {
  const answers = [{ status: 202, id: ID(n) }];
  return {
    clientRef: `ref-${n}`,
    to: '1555',
    phoneNumberId: '1',
    key: null,
    stream: null,
    sendAtMs: null,
    answers,
    ...overrides,
  };
}

function row(n: number, overrides: Partial<MessageRow> = {}): MessageRow {
  const reported = { sentKnown: true, deliveredKnown: true, readKnown: true };
  return {
    messageId: ID(n),
    clientRef: `ref-${n}`,
    status: 'sent',
    attempts: 1,
    errorCode: null,
    possibleDuplicate: false,
    resendsDecidedMs: [],
    hasHistory: false,
    ...reported,
    ...overrides,
  };
}

function accept(n: number, overrides: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    networkId: `wamid.${n}`,
    to: '1555',
    phoneNumberId: '1',
    messageId: ID(n),
    acceptedAtMs: n * 1_000,
    ...overrides,
  };
}

function evidence(
  overrides: Partial<Omit<Evidence, 'database'>> = {},
  database: Partial<DatabaseEvidence> = {},
): Evidence {
  return {
    client: [client(1), client(2)],
    inbound: [],
    silences: [],
    deafTimes: [],
    neighbour: [],
    ledger: [accept(1), accept(2)],
    unknownWaitMs: 4_000,
    unknownResends: 1,
    completeTimes: [],
    ...overrides,
    database: {
      messages: [row(1), row(2)],
      knownNetworkIds: new Set(['wamid.1', 'wamid.2', 'wamid.again']),
      reported: [],
      inbound: [],
      doubleConversations: [],
      remaining: { sendQueue: 0, callbackQueue: 0, example: null },
      ...database,
    },
  };
}

function kinds(given: Evidence): readonly ViolationKind[] {
  return audit(given).violations.map(({ kind }) => kind);
}

test('a run in which everything agrees has no violation', () => {
  expect(audit(evidence())).toMatchObject({
    violations: [],
    counts: { posted: 2, accepted: 2, ledger: 2, explainedDuplicates: 0, givenUp: 0 },
  });
});

describe('lost', () => {
  test('a message answered with 202 that is not in the database', () => {
    expect(kinds(evidence({ ledger: [accept(1)] }, { messages: [row(1)] }))).toEqual(['lost']);
  });

  test('a message that never left, or was given up', () => {
    expect(kinds(evidence({}, { messages: [row(1), row(2, { status: 'queued' })] }))).toEqual(['lost']);
    expect(kinds(evidence({}, { messages: [row(1), row(2, { status: 'failed' })] }))).toEqual(['lost']);
  });

  test('a message whose outcome stayed unknown is lost when it was given up before the copies it was allowed', () => {
    const unknown = { status: 'failed', errorCode: 'delivery_unknown', possibleDuplicate: true } as const;
    const given = (resendsDecidedMs: readonly number[]) =>
      evidence({}, { messages: [row(1), row(2, { ...unknown, resendsDecidedMs })] });
    expect(kinds(given([]))).toEqual(['lost']);
    expect(kinds(given([8_000]))).toEqual([]);
    expect(audit(given([8_000])).counts.givenUp).toBe(1);
  });

  test('a message that counts as sent and is not in the ledger', () => {
    expect(kinds(evidence({ ledger: [accept(1)] }))).toEqual(['lost']);
  });

  test('a post that was never answered with 202 may be missing', () => {
    expect(
      kinds(evidence({ client: [client(1), client(2), client(3, { answers: [{ status: 503, id: null }] })] })),
    ).toEqual([]);
  });
});

describe('duplicates', () => {
  const again = (acceptedAtMs: number): LedgerEntry => accept(1, { networkId: 'wamid.again', acceptedAtMs });
  const decidedAt = (...resendsDecidedMs: readonly number[]) => ({
    messages: [row(1, { possibleDuplicate: true, resendsDecidedMs, attempts: 2 }), row(2)],
  });
  const announced = decidedAt(8_900);

  test('a second accept that nothing announces', () => {
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(9_000)] }))).toEqual(['duplicate']);
  });

  test('an announced one before the wait was over', () => {
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(3_000)] }, announced))).toEqual(['duplicate']);
  });

  test('an announced copy that was not decided', () => {
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(9_000)] }, decidedAt()))).toEqual(['duplicate']);
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(9_000)] }, decidedAt(9_900)))).toEqual(['duplicate']);
  });

  test('an announced one although a status of the first had been stored long before it was decided', () => {
    const reported = [{ networkId: 'wamid.1', status: 'sent', receivedMs: 1_500 }];
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(9_000)] }, { ...announced, reported }))).toEqual([
      'duplicate',
    ]);
  });

  test('an announced one that waited for its turn while a status of the first was there to be read', () => {
    const reported = [{ networkId: 'wamid.1', status: 'sent', receivedMs: 6_000 }];
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(20_000)] }, { ...announced, reported }))).toEqual([
      'duplicate',
    ]);
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(12_000)] }, { ...announced, reported }))).toEqual([]);
  });

  test('an announced one after the wait, without any status, is explained and counted', () => {
    const report = audit(evidence({ ledger: [accept(1), accept(2), again(9_000)] }, announced));
    expect(report.violations).toEqual([]);
    expect(report.counts.explainedDuplicates).toBe(1);
  });

  test('a third accept, though each was announced after the wait', () => {
    const ledger = [accept(1), accept(2), again(9_000), { ...again(18_000), networkId: 'wamid.third' }];
    const knownNetworkIds = new Set(['wamid.1', 'wamid.2', 'wamid.again', 'wamid.third']);
    expect(kinds(evidence({ ledger }, { ...decidedAt(8_900), knownNetworkIds }))).toEqual(['duplicate']);
  });

  test('more copies decided on than allowed, even when the network never took them', () => {
    expect(kinds(evidence({}, decidedAt(8_900, 17_900)))).toEqual(['duplicate']);
  });

  test('the accept that could not become known may be unknown to the database, when its repetition is explained', () => {
    const known = { ...announced, knownNetworkIds: new Set(['wamid.2', 'wamid.again']) };
    expect(kinds(evidence({ ledger: [accept(1), accept(2), again(9_000)] }, known))).toEqual([]);
  });
});

test('a copy that is decided on while the service cannot hear the network is a duplicate', () => {
  const decided = (atMs: number) =>
    kinds(
      evidence(
        { deafTimes: [{ fromMs: 5_000, toMs: 6_000 }] },
        { messages: [row(1), row(2, { resendsDecidedMs: [atMs] })] },
      ),
    );
  expect([decided(4_999), decided(5_000), decided(6_000)]).toEqual([[], ['duplicate'], []]);
});

describe('unrecorded', () => {
  test('an accept without a message', () => {
    expect(kinds(evidence({ ledger: [accept(1), accept(2), accept(3, { messageId: null })] }))).toEqual(['unrecorded']);
  });

  test("a network's id that the database cannot place", () => {
    expect(kinds(evidence({}, { knownNetworkIds: new Set(['wamid.1']) }))).toEqual(['unrecorded']);
  });
});

describe('idempotency', () => {
  test('one key with two ids', () => {
    const answers = [
      { status: 202, id: ID(1) },
      { status: 202, id: ID(2) },
    ];
    expect(kinds(evidence({ client: [client(1, { key: 'k', answers })] }))).toEqual(['idempotency']);
  });

  test('one key that made two messages, one of them unanswered', () => {
    const messages = [row(1), row(2, { clientRef: 'ref-1' })];
    expect(kinds(evidence({ client: [client(1, { key: 'k' })] }, { messages }))).toEqual(['idempotency']);
  });
});

describe('slowed', () => {
  const beside = (overrides: object) => [
    { clientRef: 'n', postedMs: 1_000, id: ID(2), isApart: true, isCalm: false, ...overrides },
  ];

  test('a message of another tenant that was late or not accepted beside the fault', () => {
    expect(kinds(evidence({ neighbour: beside({}) }))).toEqual([]);
    expect(kinds(evidence({ neighbour: beside({ postedMs: -500 }) }))).toEqual(['slowed']);
    expect(kinds(evidence({ neighbour: beside({ id: null }) }))).toEqual(['slowed']);
  });

  test('as late as before the fault began does not count as later', () => {
    const before = { clientRef: 'c', postedMs: -500, id: ID(1), isApart: true, isCalm: true };
    expect(kinds(evidence({ neighbour: [before, ...beside({ postedMs: -500 })] }))).toEqual([]);
  });

  test("not one in a round whose fault is everybody's", () => {
    expect(kinds(evidence({ neighbour: beside({ id: null, isApart: false }) }))).toEqual([]);
  });
});

describe('early', () => {
  test('a message that left before the time that it was to be sent at', () => {
    const left = (sendAtMs: number) => kinds(evidence({ client: [client(1), client(2, { sendAtMs })] }));
    expect([left(2_000), left(2_200), left(2_300)]).toEqual([[], [], ['early']]);
  });
});

describe('suspended', () => {
  const silence = { fromMs: 1_000, toMs: 2_000, phoneNumberIds: ['1'] };
  const left = (acceptedAtMs: number, phoneNumberId = '1') =>
    kinds(evidence({ silences: [silence], ledger: [accept(1, { acceptedAtMs, phoneNumberId })] })).includes(
      'suspended',
    );

  test('nothing leaves by a number whose tenant is suspended', () => {
    expect([left(999), left(1_000), left(1_999), left(2_000)]).toEqual([false, true, true, false]);
  });

  test('the other numbers continue', () => {
    expect(left(1_500, '2')).toBe(false);
  });
});

describe('order', () => {
  const streamed = [client(1, { stream: 's' }), client(2, { stream: 's' })];

  test('a message that overtakes an earlier one of its stream', () => {
    expect(kinds(evidence({ client: streamed, ledger: [accept(2), accept(1)] }))).toEqual(['order']);
  });

  test('a retried message may be overtaken', () => {
    const messages = [row(1, { hasHistory: true }), row(2)];
    expect(kinds(evidence({ client: streamed, ledger: [accept(2), accept(1)] }, { messages }))).toEqual([]);
  });

  test('messages of different streams have no order', () => {
    const two = [client(1, { stream: 'a' }), client(2, { stream: 'b' })];
    expect(kinds(evidence({ client: two, ledger: [accept(2), accept(1)] }))).toEqual([]);
  });
});

describe('delivery state', () => {
  test('a status that was reported and is not shown, however often it was reported', () => {
    const reported = [1, 2].map((n) => ({ networkId: 'wamid.1', status: 'read', receivedMs: n }));
    expect(kinds(evidence({}, { reported, messages: [row(1, { readKnown: false }), row(2)] }))).toEqual([
      'delivery_state',
    ]);
  });

  test('an accept of a time without lost statuses that was not reported to the end', () => {
    const completeTimes = [{ fromMs: 0, toMs: 1_500 }];
    const messages = [row(1, { readKnown: false }), row(2, { readKnown: false })];
    expect(kinds(evidence({ completeTimes }, { messages }))).toEqual(['delivery_state']);
  });
});

describe('inbound', () => {
  test.each([0, 2])('a message of a customer that is stored %i times', (times) => {
    const stored = Array.from({ length: times }, () => 'wamid.in');
    expect(kinds(evidence({ inbound: [{ networkId: 'wamid.in' }] }, { inbound: stored }))).toEqual(['inbound']);
  });

  test('a contact with two open conversations', () => {
    expect(kinds(evidence({}, { doubleConversations: [{ contactId: 'c', phoneNumberId: '1', count: 2 }] }))).toEqual([
      'conversation',
    ]);
  });
});

test('what still waits at the end is a violation', () => {
  expect(kinds(evidence({}, { remaining: { sendQueue: 0, callbackQueue: 1, example: null } }))).toEqual([
    'not_at_rest',
  ]);
});

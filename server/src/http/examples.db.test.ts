import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiErrorCode, apiErrors } from '#core/errors';
import { ailingProvocations, ailingStage, withoutMediaStore } from '#http/testing/ailing-service';
import { type Call, isOfTus, send } from '#http/testing/calls';
import { type Described, type DescribedBody, described } from '#http/testing/described';
import { ownProvocations } from '#http/testing/own-provocations';
import { commonProvocations, targetOf } from '#http/testing/provocations';
import { readyCall, type Stage } from '#http/testing/scenes';
import { breakDatabase, callWithKey, strictProvocations, strictStage, unseenKey } from '#http/testing/strict-service';
import type { Clock } from '#runtime/clock';
import { systemClock } from '#runtime/clock';
import { restore, takeAway } from '#testing/database/database-away';
import { addExampleAgents } from '#testing/test-agents';
import { PAYMENT_CONFIG } from '#testing/test-payments';
import { type Answer, startTestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';

/** The examples name times: this is when they all make sense. */
const EXAMPLES_ARE_FROM_MS = Date.UTC(2030, 1, 15, 9);

/** Runs as every clock does, from that day on. */
function exampleClock(): Clock {
  const aheadMs = EXAMPLES_ARE_FROM_MS - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + aheadMs };
}

/** Times as fast runs the steady clock of a service that would wait 25 seconds for its network. */
const HURRY = 250;

/** The account that the simulator puts numbers into by itself. */
const SIMULATED_ACCOUNT = '300400500600';

let stage: Stage;
/** Of a tenant of its own: accounts that are linked would be in the way of templates, which belong to the one account. */
let linkingStage: Stage;
/** Of one whose number belongs to an account: what it syncs is all that it may send. */
let templateStage: Stage;
const LINKING = [
  'getLinkUrl',
  'completeLink',
  'listAccounts',
  'getAccount',
  'retryAccount',
  'unlinkAccount',
  'addPhoneNumber',
];

beforeAll(async () => {
  const kit = await startTestService({ clock: exampleClock(), config: PAYMENT_CONFIG });
  stage = { kit, tenant: await makeTestTenant(kit, { ratePerSecond: 0 }) };
  await addExampleAgents(kit.rt, kit.service.db, stage.tenant.tenantId);
  linkingStage = { kit, tenant: await makeTestTenant(kit, { ratePerSecond: 0 }) };
  templateStage = { kit, tenant: await makeTestTenant(kit, { networkAccountId: SIMULATED_ACCOUNT }) };
});
afterAll(() => stage.kit.close());

/** Its answer has no end, unless it is a failure; the test beside its route reads it. */
const endless = ['streamEvents'];

const operations = described.filter(({ id }) => !endless.includes(id));
const withBodies = operations.flatMap((operation) => {
  const bodies: readonly (DescribedBody | null)[] = operation.bodies.length > 0 ? operation.bodies : [null];
  return bodies.map((body) => ({ operation, body, id: operation.id, example: body?.name ?? 'no body' }));
});

/** The answer is one that the document describes: its status, its content type, and its fields. */
function expectDescribed(operation: Described, answer: Answer): void {
  const success = operation.successes().find(({ status }) => status === answer.status);
  if (!success) throw new Error(`${answer.status} is no success of ${operation.id}: ${answer.text}`);
  if (success.contentType !== '*/*' && answer.text !== '')
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe(success.contentType);
  success.validate(answer.body ?? answer.text);
  expect(success.validate.errors).toBeNull();
}

function stageOf({ id }: Described): Stage {
  if (/Template|Flow|^getNetwork/.test(id)) return templateStage;
  return LINKING.includes(id) ? linkingStage : stage;
}

function perform(operation: Described, call: Call): Promise<Answer> {
  const { kit, tenant } = stageOf(operation);
  return send(kit, tenant.key, call);
}

describe('every example of a request does what the document says', () => {
  test.each(withBodies)('$id with $example', async ({ operation, body }) => {
    expectDescribed(operation, await perform(operation, await readyCall(stageOf(operation), operation, body)));
  });
});

/**
 * A cursor is signed for its list, an event is one tenant's, a version is that of one moment, an agent is one that was made, and
 * the dialog gives a code and a state once: those that are shown can only look like one.
 */
const NOT_FOR_ALL = ['cursor', 'after', 'If-Match', 'X-Agent-Id', 'code', 'state', 'error', 'error_reason'];

/** Figures are those of a number that is in the account: what the example names belongs to nobody. */
const isOfFigures = (id: string, name: string) => /^getNetwork\w+Analytics$/.test(id) && name === 'phone_number_id';

const parameters = operations.flatMap((operation) =>
  operation.parameters
    .filter(
      ({ in: place, name, required }) => place !== 'path' && !required && !NOT_FOR_ALL.includes(name) && !isOfTus(name),
    )
    .filter(({ name }) => !isOfFigures(operation.id, name))
    .map((parameter) => ({ operation, parameter, id: operation.id, name: parameter.name })),
);

describe('every optional parameter is taken as the document shows it', () => {
  test.each(parameters)('$id with $name', async ({ operation, parameter }) => {
    const call = await readyCall(stageOf(operation), operation, operation.bodies[0] ?? null);
    const value = String(parameter.example);
    // An Idempotency-Key stands for one request: each operation gets one of its own, that looks like the example.
    const header = parameter.name === 'Idempotency-Key' ? `${value}-${operation.id}` : value;
    const changed =
      parameter.in === 'query'
        ? { ...call, target: `${call.target}?${new URLSearchParams({ [parameter.name]: value })}` }
        : { ...call, headers: { ...call.headers, [parameter.name]: header } };
    expectDescribed(operation, await perform(operation, changed));
  });
});

describe('the document', () => {
  test('shows an example of every parameter and every body', () => {
    const bare = operations.flatMap(({ id, parameters: all }) =>
      all.filter(({ example }) => example === undefined).map(({ name }) => `${id}: ${name}`),
    );
    expect(bare).toEqual([]);
  });
});

/** Examples that nothing here brings about, each with the reason. What they say is the sentence of their code. */
const notProvoked: Readonly<Record<string, string>> = {
  signInAgain: 'a person must have signed in long ago: sessions.db.test.ts brings it about',
  overloaded: '20,000 messages that wait to be written at one moment',
  tenantMoving: 'only a tenant of an installation with several cells moves: cells-move.pg.test.ts brings it about',
  secretsUnavailable: 'only a service on PostgreSQL can be without a key: keyless.pg.test.ts brings it about',
  linkingUnavailable: 'only a service on PostgreSQL can be without a key: keyless.pg.test.ts brings it about',
};

/** Those that name an id or a time that only the moment makes: everything else of them is compared. */
const OF_THE_MOMENT = [
  'anotherIsOpen',
  'contactExists',
  'handleUnavailable',
  'laterMerge',
  'mergedAlready',
  'templateEditLimit',
];

const failures = described.flatMap((operation) =>
  operation.failures.map((failure) => {
    const { id } = operation;
    return { operation, failure, id, name: failure.name, label: `${id} ${failure.name}` };
  }),
);
type Failure = (typeof failures)[number];

const LIKE_SENDING: readonly string[] = ['resendMessage', 'replyInConversation', 'createConversation'];
/** A resend and a reply make the same checks as a send: they show the same examples. */
const fromSending = failures.filter(({ id, label, name }) => {
  const provoked = ownProvocations[label] ?? commonProvocations[name];
  const fromStrict = name !== 'testKey' && strictProvocations[name];
  return LIKE_SENDING.includes(id) && !provoked && (ownProvocations[`sendMessage ${name}`] || fromStrict);
});
const ofDatabase = failures.filter(({ name }) => name === 'storageUnavailable');
const ofMistakes = failures.filter(({ name }) => name === 'internalError');
const strictly = ({ label, name }: Pick<Failure, 'label' | 'name'>) =>
  strictProvocations[label] ?? strictProvocations[name];
const ofStrict = failures.filter((item) => strictly(item) && !fromSending.includes(item));
const ofAiling = failures.filter(({ label }) => ailingProvocations[label]);
const ofMediaStore = failures.filter(({ name }) => name === 'mediaStoreUnavailable');
/** A version that nothing here ever has: somebody else must have changed it. */
const NO_VERSION = '"999999"';
const ofVersions = failures.filter(({ name }) => name === 'changedMeanwhile');
const ofAny = failures.filter(({ name, label }) => ownProvocations[label] ?? commonProvocations[name]);

function expectExample({ failure, name }: Failure, answer: Answer): void {
  const seen = { status: answer.status, body: answer.body };
  const shown = { status: failure.status, body: failure.body };
  if (OF_THE_MOMENT.includes(name)) expect(timeless(seen)).toEqual(timeless(shown));
  else expect(seen).toEqual(shown);
}

/** With what only the moment makes replaced. */
function timeless(answer: object): string {
  return JSON.stringify(answer)
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
}

describe('every example of a failure is what is really answered', () => {
  test.each(ofAny)('$label', async (item) => {
    const provoke = ownProvocations[item.label] ?? commonProvocations[item.name];
    if (provoke) expectExample(item, await provoke(targetOf(stageOf(item.operation), item.operation)));
  });

  test.each(ofVersions)('$label, whatever its version is', async ({ operation, failure }) => {
    const call = await readyCall(stageOf(operation), operation, operation.bodies[0] ?? null);
    const headers = { ...call.headers, 'if-match': NO_VERSION };
    const { status, text } = await perform(operation, { ...call, headers });
    const versionless = (body: string) => body.replace(/version is now \d+/, 'version is now N');
    expect([status, versionless(text)]).toEqual([failure.status, versionless(JSON.stringify(failure.body))]);
  });

  test.each(fromSending)('$label, as sendMessage', ({ name, failure }) => {
    const same = failures.find(({ label }) => label === `sendMessage ${name}`);
    // The first message of a conversation is a part of its body.
    expect(JSON.parse(JSON.stringify(failure).replaceAll('"body.message.', '"body.'))).toEqual(same?.failure);
  });

  test('or, where none brings it about, in the words that its code is answered with', () => {
    const words = failures
      .filter(({ name }) => notProvoked[name])
      .map(({ label, failure: { body } }) => [label, body.error, apiErrors[body.code as ApiErrorCode].sentence]);
    expect(words.filter(([, shown, said]) => shown !== said)).toEqual([]);
    expect(Object.keys(notProvoked).filter((name) => !failures.some((failure) => failure.name === name))).toEqual([]);
  });

  test('and none is left out', () => {
    const inBadShape = [...ofStrict, ...ofAiling, ...ofMediaStore];
    const seen = new Set([...fromSending, ...ofDatabase, ...ofMistakes, ...ofVersions, ...ofAny, ...inBadShape]);
    const left = failures.filter((item) => !seen.has(item) && !notProvoked[item.name]);
    expect(left.map(({ label }) => label)).toEqual([]);
  });
});

describe('in a service whose network and media store are away', () => {
  let ailing: Stage;
  beforeAll(async () => {
    const clock = exampleClock();
    ailing = await ailingStage({ clock: { ...clock, monotonic: () => clock.monotonic() * HURRY } });
  });
  afterAll(() => ailing.kit.close());

  test.each(ofAiling)('$label', async (item) => {
    const answer = await ailingProvocations[item.label]?.(targetOf(ailing, item.operation));
    if (answer) expectExample(item, answer);
  });

  test('every operation that needs the media store says so', async () => {
    const away = ofMediaStore.map(({ operation }) => operation);
    const answers = await withoutMediaStore(ailing, away);
    for (const [index, answer] of answers.entries()) expectExample(ofMediaStore[index] as Failure, answer);
    expect(answers.length).toBeGreaterThan(5);
  });
});

describe('in a service with a wallet, a quota and a real network', () => {
  let strict: Stage;
  let unseen: string;
  beforeAll(async () => {
    strict = await strictStage({ clock: exampleClock() });
    unseen = await unseenKey(strict);
  });
  afterAll(async () => {
    await restore(strict.kit);
    await strict.kit.close().catch(() => undefined);
  });

  test.each(ofStrict)('$label', async (item) => {
    const answer = await strictly(item)?.(targetOf(strict, item.operation));
    if (answer) expectExample(item, answer);
  });

  test('every operation that meets a mistake of ours says no more than that', async () => {
    const mend = await breakDatabase(strict);
    const withKey = ofMistakes.filter(({ operation }) => operation.scope !== null);
    for (const item of withKey) expectExample(item, await callWithKey(strict, item.operation, unseen));
    await mend();
    // Those that need no key meet none that could be brought about; they show the same.
    for (const { failure } of ofMistakes) expect(failure).toEqual(withKey[0]?.failure);
    expect(ofMistakes.length - withKey.length).toBeLessThan(10);
  });

  test('every operation that needs its database says so when that is away', async () => {
    await takeAway(strict.kit);
    for (const item of ofDatabase) expectExample(item, await callWithKey(strict, item.operation, unseen));
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '#runtime/clock';
import { systemClock } from '#runtime/clock';
import { bringBack, takeAway } from '#testing/database-away';
import { PAYMENT_CONFIG } from '#testing/test-payments';
import { type Answer, startTestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';
import { type Call, isOfTus, send } from './testing/calls.ts';
import { type Described, type DescribedBody, describedOperations } from './testing/described.ts';
import { ownProvocations } from './testing/own-provocations.ts';
import { commonProvocations, targetOf } from './testing/provocations.ts';
import { readyCall, type Stage } from './testing/scenes.ts';
import { callWhileAway, strictProvocations, strictStage, unseenKey } from './testing/strict-service.ts';

/** The examples name times: this is when they all make sense. */
const EXAMPLES_ARE_FROM_MS = Date.UTC(2030, 1, 15, 9);

/** Runs as every clock does, from that day on. */
function exampleClock(): Clock {
  const aheadMs = EXAMPLES_ARE_FROM_MS - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + aheadMs };
}

let stage: Stage;

beforeAll(async () => {
  const kit = await startTestService({ clock: exampleClock(), config: PAYMENT_CONFIG });
  stage = { kit, tenant: await makeTestTenant(kit, { ratePerSecond: 0 }) };
});
afterAll(() => stage.kit.close());

/** Their way leads through a person at the dialog of the network; the tests beside their routes walk it. */
const throughTheDialog = ['getLinkUrl', 'finishLink', 'getAccount', 'retryAccount', 'addPhoneNumber'];

const documented = describedOperations();
const operations = documented.filter(({ operationId }) => !throughTheDialog.includes(operationId));
const withBodies = operations.flatMap((operation) => {
  const bodies: readonly (DescribedBody | null)[] = operation.bodies.length > 0 ? operation.bodies : [null];
  return bodies.map((body) => ({ operation, body, id: operation.operationId, example: body?.name ?? 'no body' }));
});

/** The answer is one that the document describes: its status, its content type, and its fields. */
function expectDescribed(operation: Described, answer: Answer): void {
  const success = operation.successes.find(({ status }) => status === answer.status);
  if (!success) throw new Error(`${answer.status} is no success of ${operation.operationId}: ${answer.text}`);
  if (success.contentType !== '*/*' && answer.text !== '')
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe(success.contentType);
  success.validate(answer.body ?? answer.text);
  expect(success.validate.errors).toBeNull();
}

function perform(call: Call): Promise<Answer> {
  return send(stage.kit, stage.tenant.key, call);
}

describe('every example of a request does what the document says', () => {
  test.each(withBodies)('$id with $example', async ({ operation, body }) => {
    expectDescribed(operation, await perform(await readyCall(stage, operation, body)));
  });
});

/** A cursor is signed for its list, and a version is that of one moment: those that are shown can only look like one. */
const NOT_FOR_ALL = ['cursor', 'If-Match'];

const parameters = operations.flatMap((operation) =>
  operation.parameters
    .filter(
      ({ in: place, name, required }) => place !== 'path' && !required && !NOT_FOR_ALL.includes(name) && !isOfTus(name),
    )
    .map((parameter) => ({ operation, parameter, id: operation.operationId, name: parameter.name })),
);

describe('every optional parameter is taken as the document shows it', () => {
  test.each(parameters)('$id with $name', async ({ operation, parameter }) => {
    const call = await readyCall(stage, operation, operation.bodies[0] ?? null);
    const value = String(parameter.example);
    // An Idempotency-Key stands for one request: each operation gets one of its own, that looks like the example.
    const header = parameter.name === 'Idempotency-Key' ? `${value}-${operation.operationId}` : value;
    const changed =
      parameter.in === 'query'
        ? { ...call, target: `${call.target}?${new URLSearchParams({ [parameter.name]: value })}` }
        : { ...call, headers: { ...call.headers, [parameter.name]: header } };
    expectDescribed(operation, await perform(changed));
  });
});

describe('the document', () => {
  test('shows an example of every parameter and every body', () => {
    const bare = documented.flatMap(({ operationId, parameters: all }) =>
      all.filter(({ example }) => example === undefined).map(({ name }) => `${operationId}: ${name}`),
    );
    expect(bare).toEqual([]);
  });
});

/**
 * Examples that no request brings about in a healthy service, each with the reason. What they say is the sentence of
 * their code, and tests beside the code that raises them see to it.
 */
const notProvoked: Readonly<Record<string, string>> = {
  internalError: 'a mistake of ours',
  overloaded: 'more requests than one test makes',
  requestInProgress: 'a first request that still runs',
  mediaStoreUnavailable: 'a disk or bucket that is away',
  handleUnavailable: 'a network that gives no handle for 25 seconds',
  refusedByNetwork: 'a refusal of the network',
  networkUnreachable: 'a network that is away',
  'patchResumableUpload mediaQuotaExceeded': 'answered as to an upload in one form',
  changedMeanwhile: 'a change by somebody else in between',
  messagesWait: 'a number whose messages wait',
  paymentRefused: 'a refusal of the payment gateway',
  paymentUnavailable: 'a payment gateway that is away',
  'topUpWallet conflict': 'more open payments than one test makes',
};

const failures = operations.flatMap((operation) =>
  operation.failures.map((failure) => {
    const { operationId: id } = operation;
    return { operation, failure, id, name: failure.name, label: `${id} ${failure.name}` };
  }),
);
type Failure = (typeof failures)[number];

/** A resend makes the same checks as a send: it shows the same examples. */
const fromSending = failures.filter(({ id, label, name }) => {
  const provoked = ownProvocations[label] ?? commonProvocations[name] ?? strictProvocations[name];
  return id === 'resendMessage' && !provoked && ownProvocations[`sendMessage ${name}`];
});
const ofDatabase = failures.filter(({ name }) => name === 'storageUnavailable');
const ofStrict = failures.filter(({ id, name, label }) => {
  return strictProvocations[name] && !notProvoked[label] && !(id === 'resendMessage' && name !== 'testKey');
});
const ofAny = failures.filter(({ name, label }) => {
  return (ownProvocations[label] ?? commonProvocations[name]) && !notProvoked[label];
});

function expectExample({ failure }: Failure, answer: Answer): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status: failure.status, body: failure.body });
}

describe('every example of a failure is what is really answered', () => {
  test.each(ofAny)('$label', async (item) => {
    const provoke = ownProvocations[item.label] ?? commonProvocations[item.name];
    if (provoke) expectExample(item, await provoke(targetOf(stage, item.operation)));
  });

  test.each(fromSending)('$label, as sendMessage', ({ name, failure }) => {
    const same = failures.find(({ label }) => label === `sendMessage ${name}`);
    expect(failure).toEqual(same?.failure);
  });

  test('but for those that a healthy service does not answer', () => {
    const seen = new Set([...fromSending, ...ofDatabase, ...ofStrict, ...ofAny]);
    const left = failures.filter((item) => !seen.has(item) && !notProvoked[item.label] && !notProvoked[item.name]);
    expect(left.map(({ label }) => label)).toEqual(['resendMessage insufficientBalance']);
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
    await bringBack(strict.kit);
    await strict.kit.close().catch(() => undefined);
  });

  test.each(ofStrict)('$label', async (item) => {
    const answer = await strictProvocations[item.name]?.(targetOf(strict, item.operation));
    if (answer) expectExample(item, answer);
  });

  test('every operation that needs its database says so when that is away', async () => {
    await takeAway(strict.kit);
    for (const item of ofDatabase) expectExample(item, await callWhileAway(strict, item.operation, unseen));
  });
});

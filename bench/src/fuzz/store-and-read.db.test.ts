import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usePostgres } from '../harness/postgres.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { describeApi, isEndless, type Schema } from './describe-api.ts';
import { storeAndReadOnStage } from './fuzz-stage.ts';
import { storeAndReadLines } from './report.ts';
import type { StoreAndReadReport } from './store-and-read.ts';

/** It starts the built service, and sends thousands of requests. */
const TIMEOUT_MS = 600_000;
const SEED = 1;
/** Of each place and parameter; the program tries all. */
const EACH = 1;
/**
 * Operations whose bodies are always refused here: there is no payment gateway, no second number and no campaign that has ended;
 * an order of rules must name every rule; and drafts, signals and notifications need an agent, whom these requests do not name.
 * The others depend on the state that a template, a conversation or an endpoint is in by then.
 */
const NEVER_TAKEN = [
  ...['addPhoneNumber', 'orderChatbotRules', 'readNotifications', 'retryCampaign', 'setConversationDraft'],
  ...['setConversationSignal', 'topUpWallet'],
];
const BY_STATE = [
  'syncPhoneNumber',
  'updateTemplate',
  'previewTemplate',
  'snoozeConversation',
  'testWebhookEndpoint',
  'recoverWebhookEndpoint',
];
/** Reads that cannot succeed here: the link dialog returns only once, there is no payment gateway, and only agents have drafts and notifications. */
const NEVER_READ = ['completeLink', 'getConversationDraft', 'getTopUp', 'listDrafts', 'listNotifications'];

const contract = readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8');
const { operations } = describeApi(JSON.parse(contract) as Schema);
const workspace = makeWorkspace();
let report: StoreAndReadReport;
let lines: readonly string[];

beforeAll(async () => {
  const url = process.env.TEST_DATABASE_URL;
  const postgres = url ? await usePostgres(url) : null;
  const database = postgres === null ? 'pglite' : 'postgres';
  report = await storeAndReadOnStage({ database, postgres, workspace, name: 'store-and-read', seed: SEED, each: EACH });
  lines = storeAndReadLines(database, report).slice(1);
}, TIMEOUT_MS);
afterAll(() => workspace.close());

const without = (ids: readonly string[], those: readonly string[]) =>
  ids.filter((id) => !those.includes(id)).toSorted();
const countedOf = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts].filter(([, count]) => count > 0).map(([name]) => name);

describe('odd values that writes accept', () => {
  test('fail no list, filter, sort, condition, report or export, and every row is found, once', () => {
    expect(lines).toEqual([]);
  });

  test('are stored through every operation of the contract that takes a body', () => {
    const taking = operations.filter(({ bodyType }) => bodyType === 'json').map(({ id }) => id);
    const exempt = [...NEVER_TAKEN, ...BY_STATE];
    expect(without(countedOf(report.stored.bodies), BY_STATE)).toEqual(without(taking, exempt));
    expect(report.stored.bodies.size).toBe(taking.length);
  });

  test('are compared in every way that a condition of the contract can', () => {
    expect(report.stored.conditions.size).toBeGreaterThan(100);
    expect([...report.stored.conditions].filter(([, count]) => count === 0)).toEqual([]);
  });

  const reading = operations.filter((operation) => operation.method === 'GET' && !isEndless(operation));

  test('are read through every operation of the contract that reads', () => {
    const ids = reading.map(({ id }) => id);
    expect(countedOf(report.read.answers).toSorted()).toEqual(without(ids, NEVER_READ));
  });

  test('are read with every parameter of the contract; cursors are followed', () => {
    const named = reading
      .filter(({ id }) => !NEVER_READ.includes(id))
      .flatMap(({ id, parameters }) =>
        parameters.filter((one) => one.in === 'query' && one.name !== 'cursor').map(({ name }) => `${id}?${name}`),
      );
    expect([...report.read.parameters].filter((name) => !name.endsWith('?cursor')).toSorted()).toEqual(
      named.toSorted(),
    );
  });
});

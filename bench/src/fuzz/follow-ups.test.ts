import { expect, test } from 'vitest';
import type { FuzzCase } from './cases.ts';
import { describeApi } from './describe-api.ts';
import { followUp } from './follow-ups.ts';
import type { FuzzAnswer, FuzzRequest } from './request.ts';

/* The questions after a success find their fault, too: each check, against a service that breaks it. */
const responses = { 200: { content: { 'application/json': { schema: { type: 'object' } } } } };
const operation = (operationId: string) => ({ operationId, responses });
const api = describeApi({
  paths: {
    '/things': { post: operation('makeThing') },
    '/things/{id}': { get: operation('getThing'), delete: operation('removeThing') },
  },
  components: { schemas: {} },
});
const thing = { id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' };

function answerOf(status: number, json: object, headers: Record<string, string> = {}): FuzzAnswer {
  return { status, headers, text: JSON.stringify(json), json, cutOff: false };
}

function caseOf(id: string, request: Partial<FuzzRequest>): FuzzCase {
  const found = api.operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  const { method } = found;
  return {
    operation: found,
    trick: 'none',
    faults: [],
    request: { method, path: '/things', headers: {}, body: null, ...request },
  };
}

/** The names of what was found wrong, when every further request is answered so. */
async function found(one: FuzzCase, first: FuzzAnswer, next: FuzzAnswer, databaseFails = false) {
  const violations = await followUp(one, first, { api, situation: { databaseFails }, send: async () => next });
  return violations.map(({ check }) => check);
}

const made = caseOf('makeThing', {});
const repeated = caseOf('makeThing', { headers: { 'Idempotency-Key': 'k' } });
const removed = caseOf('removeThing', { path: `/things/${thing.id}?colour=red` });
const replayed = { 'idempotent-replayed': 'true' };
const away = answerOf(503, { error: 'No.' }, { 'retry-after': '1' });

test('ensure_resource_availability finds what was made and cannot be read', async () => {
  expect(await found(made, answerOf(201, thing), answerOf(404, {}))).toEqual(['ensure_resource_availability']);
  expect(await found(made, answerOf(201, thing), answerOf(200, thing))).toEqual([]);
});

test('idempotent_replay finds another answer, and one that does not say that it is a repetition', async () => {
  const first = answerOf(200, thing);
  expect(await found(repeated, first, answerOf(200, { id: 'other' }, replayed))).toContain('idempotent_replay');
  expect(await found(repeated, first, answerOf(201, thing, replayed))).toContain('idempotent_replay');
  expect(await found(repeated, first, answerOf(200, thing))).toEqual(['idempotent_replay']);
  expect(await found(repeated, first, answerOf(200, thing, replayed))).toEqual([]);
});

test('use_after_free finds what was deleted and is still there', async () => {
  const gone = answerOf(200, { ...thing, status: 'deleted' });
  expect(await found(removed, gone, answerOf(200, thing))).toEqual(['use_after_free']);
  expect(await found(removed, answerOf(204, {}), answerOf(200, thing))).toEqual(['use_after_free']);
  expect(await found(removed, gone, answerOf(404, {}))).toEqual([]);
  const partly = { username: null, status: 'approved' };
  expect(await found(removed, answerOf(204, {}), answerOf(200, partly))).toEqual(['use_after_free']);
  expect(await found(removed, answerOf(204, {}), answerOf(200, { ...partly, status: null }))).toEqual([]);
});

test('while the database fails, 503 with Retry-After says nothing against what was made, repeated or deleted', async () => {
  const first = answerOf(200, { ...thing, status: 'deleted' });
  for (const one of [made, repeated, removed]) {
    expect(await found(one, first, away, true)).toEqual([]);
    expect(await found(one, first, away)).not.toEqual([]);
  }
});

test('after a refusal nothing is asked', async () => {
  expect(await found(repeated, answerOf(400, {}), answerOf(500, {}))).toEqual([]);
});

import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { casesOf, type FuzzCase } from './cases.ts';
import { type CheckName, isAway, type Situation, type Violation, violationsOf } from './checks.ts';
import { type Api, describeApi, type FuzzOperation, isEndless, type Schema } from './describe-api.ts';
import type { Failure } from './failure.ts';
import { followUp } from './follow-ups.ts';
import type { KnownIds } from './known-ids.ts';
import { type FuzzAnswer, type FuzzRequest, sendRequest, toCurl } from './request.ts';

export interface FuzzSpec {
  readonly base: string;
  readonly key: string;
  readonly known: KnownIds;
  readonly seed: number;
  /** Requests per operation and round, before what follows from them. */
  readonly cases: number;
  /** Asked before each round. */
  readonly hasNextRound: (round: number) => boolean;
  /** Operations at a time. */
  readonly atOnce: number;
  /** Hurts the database, now and then, while requests run; null: nothing does. */
  readonly hurt: (() => Promise<void>) | null;
}

export interface FuzzReport {
  readonly rounds: number;
  readonly requests: number;
  readonly failures: readonly Failure[];
  /** Statuses that were seen, by operation. */
  readonly seen: ReadonlyMap<string, ReadonlySet<number>>;
  /** Messages that were answered with 202. */
  readonly accepted: number;
  /** Answers that the database was away. */
  readonly away: number;
}

/** Requests between two wounds of the database. */
const HURT_EVERY = 20;

/** After the last wound: more often than a service has connections that may have ended, and no more for ever. */
const TRIES_WHILE_AWAY = 20;

/** Runs every operation of the document that the service serves. */
export async function runFuzz(spec: FuzzSpec): Promise<FuzzReport> {
  const document = await sendRequest(spec.base, { method: 'GET', path: '/v1/openapi.json', headers: {}, body: null });
  const session = new Session(spec, describeApi(document.json as Schema));
  let rounds = 0;
  while (spec.hasNextRound(rounds)) {
    await session.round(spec.seed + rounds);
    rounds += 1;
  }
  return session.report(rounds);
}

/** Thrown inside a property, so that fast-check shrinks the request that shows the same. */
class Violated extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ check, sentence }) => `${check}: ${sentence}`).join('; '));
    this.violations = violations;
  }
}

class Session {
  readonly #spec: FuzzSpec;
  readonly #api: Api;
  readonly #situation: Situation;
  readonly #failures = new Map<string, Failure>();
  readonly #seen = new Map<string, Set<number>>();
  readonly #accepted = new Set<string>();
  #requests = 0;
  #away = 0;

  constructor(spec: FuzzSpec, api: Api) {
    this.#spec = spec;
    this.#api = api;
    this.#situation = { databaseFails: spec.hurt !== null };
  }

  async round(seed: number): Promise<void> {
    const waiting = inOrder(this.#api.operations.filter((operation) => !isEndless(operation)));
    const worker = async (): Promise<void> => {
      for (let operation = waiting.shift(); operation; operation = waiting.shift()) await this.#fuzz(operation, seed);
    };
    await Promise.all(Array.from({ length: this.#spec.atOnce }, worker));
  }

  async report(rounds: number): Promise<FuzzReport> {
    await this.#readBack();
    const failures = [...this.#failures.values()];
    const { size: accepted } = this.#accepted;
    return { rounds, requests: this.#requests, failures, seen: this.#seen, accepted, away: this.#away };
  }

  async #fuzz(operation: FuzzOperation, seed: number): Promise<void> {
    const { known, key, cases } = this.#spec;
    const property = fc.asyncProperty(casesOf(operation, this.#api, known, key), async (one) => {
      const violations = await this.#try(one);
      if (violations.length > 0) throw new Violated(violations);
    });
    // A separate one for each operation: otherwise the same draw would play the same trick on all of them.
    const result = await fc.check(property, { seed: seed + hashOf(operation.id), numRuns: cases });
    if (!result.failed || result.counterexample === null) return;
    const { errorInstance, counterexample } = result;
    const [smallest] = counterexample;
    if (!(errorInstance instanceof Violated)) throw errorInstance;
    for (const violation of errorInstance.violations) this.#fail(violation, smallest, seed);
  }

  async #try(one: FuzzCase): Promise<readonly Violation[]> {
    const answer = await this.#send(one.request);
    this.#note(one.operation.id, answer);
    const violations = violationsOf(one, answer, this.#situation);
    const send = (request: FuzzRequest): Promise<FuzzAnswer> => this.#send(request);
    return [...violations, ...(await followUp(one, answer, { api: this.#api, situation: this.#situation, send }))];
  }

  async #send(request: FuzzRequest): Promise<FuzzAnswer> {
    this.#requests += 1;
    const { base, hurt } = this.#spec;
    if (hurt === null || this.#requests % HURT_EVERY !== 0) return sendRequest(base, request);
    // In the middle of this request, as far as that can be arranged.
    const [answer] = await Promise.all([sendRequest(base, request), hurt()]);
    return answer;
  }

  #note(id: string, answer: FuzzAnswer): void {
    const statuses = this.#seen.get(id) ?? new Set();
    this.#seen.set(id, statuses.add(answer.status));
    if (isAway(answer, this.#situation)) this.#away += 1;
    for (const accepted of acceptedIn(id, answer)) this.#accepted.add(accepted);
  }

  #fail({ check, sentence }: Violation, { operation, request }: FuzzCase, seed: number): void {
    const name = `${operation.id} ${check}`;
    if (this.#failures.has(name)) return;
    const curl = toCurl(this.#spec.base, request);
    this.#failures.set(name, { operation: operation.id, check, sentence, curl, seed });
  }

  /** What a client does on a 503: it asks again after the time in the answer. */
  async #sendUntilBack(request: FuzzRequest, tries = TRIES_WHILE_AWAY): Promise<FuzzAnswer> {
    const answer = await sendRequest(this.#spec.base, request);
    if (tries <= 1 || answer.cutOff || !isAway(answer, this.#situation)) return answer;
    await setTimeout(Number(answer.headers['retry-after']) * 1000);
    return this.#sendUntilBack(request, tries - 1);
  }

  /** "Accepted" is a promise: whatever happened since, the message exists. */
  async #readBack(): Promise<void> {
    // Once more: whether the last one fell on the last request is chance, and this must hold then too.
    await this.#spec.hurt?.();
    const headers = { authorization: `Bearer ${this.#spec.key}` };
    for (const id of this.#accepted) {
      const request = { method: 'GET', path: `/v1/messages/${id}`, headers, body: null };
      const { status } = await this.#sendUntilBack(request);
      if (status === 200) continue;
      const check: CheckName = 'accepted_is_durable';
      const curl = toCurl(this.#spec.base, request);
      const sentence = `the message ${id} was accepted and answers ${status}`;
      this.#failures.set(id, { operation: 'sendMessage', check, sentence, curl, seed: this.#spec.seed });
    }
  }
}

/** What deletes comes last: the others would find nothing. */
function inOrder(operations: readonly FuzzOperation[]): FuzzOperation[] {
  const deletes = ({ method }: FuzzOperation): number => (method === 'DELETE' ? 1 : 0);
  return operations.toSorted((left, right) => deletes(left) - deletes(right));
}

/** A number for a name, the same in every run. */
function hashOf(name: string): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 0);
}

type Item = { readonly status?: unknown; readonly message?: { readonly id?: unknown } };

function acceptedIn(operationId: string, { status, json }: FuzzAnswer): readonly string[] {
  const { id, data } = (json ?? {}) as { readonly id?: unknown; readonly data?: readonly Item[] };
  const makes = operationId === 'sendMessage' || operationId === 'resendMessage';
  if (status === 202 && makes && typeof id === 'string') return [id];
  if (status !== 200 || operationId !== 'sendMessageBatch' || !Array.isArray(data)) return [];
  return data.flatMap((item) => (typeof item.message?.id === 'string' ? [item.message.id] : []));
}

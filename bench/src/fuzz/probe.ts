import type { BodyPart } from './cases.ts';
import { type CheckName, violationsOf } from './checks.ts';
import type { FuzzOperation } from './describe-api.ts';
import type { Failure } from './failure.ts';
import { type FuzzAnswer, sendRequest, toCurl } from './request.ts';

export interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: BodyPart;
  /** The type that is asked for, where an operation answers in several. */
  readonly accept?: string;
}

const CALM = { databaseFails: false };

/** Asks the service, checks every answer, and keeps the first failure of each kind. */
export class Probe {
  readonly #base: string;
  readonly #key: string;
  readonly #seed: number;
  readonly #failures = new Map<string, Failure>();
  requests = 0;

  constructor({ base, key, seed }: { readonly base: string; readonly key: string; readonly seed: number }) {
    this.#base = base;
    this.#key = key;
    this.#seed = seed;
  }

  get failures(): readonly Failure[] {
    return [...this.#failures.values()];
  }

  /** @returns null when no answer came in time */
  async ask(operation: FuzzOperation, question: Question): Promise<FuzzAnswer | null> {
    this.requests += 1;
    const request = this.#requestOf(operation, question);
    try {
      const answer = await sendRequest(this.#base, request);
      const one = { operation, trick: 'none', request, faults: question.body?.faults ?? [] } as const;
      for (const { check, sentence } of violationsOf(one, answer, CALM))
        this.fail(operation, question, check, sentence);
      return answer;
    } catch (error) {
      this.fail(operation, question, 'answers_in_time', error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  fail(operation: FuzzOperation, question: Question, check: CheckName, sentence: string): void {
    const name = `${operation.id} ${check}`;
    if (this.#failures.has(name)) return;
    const curl = toCurl(this.#base, this.#requestOf(operation, question));
    this.#failures.set(name, { operation: operation.id, check, sentence, curl, seed: this.#seed });
  }

  #requestOf({ method }: FuzzOperation, { path, query = {}, body, accept }: Question) {
    const search = new URLSearchParams(query).toString();
    return {
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body?.type ? { 'content-type': body.type } : {}),
        ...(accept === undefined ? {} : { accept }),
      },
      body: body?.bytes ?? null,
    };
  }
}

/** Whether the service did what it was asked. */
export function succeeded(answer: FuzzAnswer | null): answer is FuzzAnswer {
  return answer !== null && answer.status < 300;
}

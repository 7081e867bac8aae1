import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FailureStep } from '../failures.ts';
import { type JsonObject, parseJsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { answer, cut, refuse } from './answer.ts';
import { authorise } from './authorise.ts';
import { type NetworkError, networkError } from './errors.ts';
import type { GraphPath } from './graph-path.ts';

/** One request to the network whose body was read. */
export type GraphCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: GraphPath;
  readonly text: string;
};

/** One request whose body is still to come. */
export type StreamCall = Omit<GraphCall, 'text'>;

/** A refusal that is thrown where it is found and answered in one place. */
export class Refusal extends Error {
  readonly error: NetworkError;

  constructor(error: NetworkError) {
    super(error.details);
    this.error = error;
  }
}

/** Throws the refusal of `code`. */
export function refuseWith(code: number, details: string, subcode?: number): never {
  throw new Refusal({ ...networkError(code, details), ...(subcode === undefined ? {} : { subcode }) });
}

/** Throws unless the request carries a token that counts. */
export function requireToken(sim: Simulation, call: StreamCall): void {
  const denied = authorise(sim, call.request, call.path.query);
  if (denied !== null) throw new Refusal(denied);
}

/** Thrown to break the connection off without an answer. */
export class Cut extends Error {}

/** Fails this call when a failure was ordered for its step. */
export function requireStep(sim: Simulation, step: FailureStep): void {
  const failure = sim.failures.take(step);
  if (failure === null || failure.kind === 'corrupt') return;
  if (failure.kind === 'cut') throw new Cut(`${step} was to be cut`);
  const status = failure.httpStatus === undefined ? {} : { httpStatus: failure.httpStatus };
  throw new Refusal({ ...networkError(failure.code), ...status });
}

/** Runs a handler that returns the answer's body, and answers it or what it throws. */
export async function respond(sim: Simulation, call: StreamCall, run: () => unknown): Promise<void> {
  const { response } = call;
  try {
    const body = await run();
    answer(sim, response, 200, JSON.stringify(body));
  } catch (error) {
    if (error instanceof Refusal) refuse(sim, response, error.error);
    else if (error instanceof Cut) cut(sim, response);
    else if (!response.destroyed) {
      sim.log(`request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      refuse(sim, response, networkError(131000));
    }
  }
}

/** The parameters of a call: its query, and over it its body, as JSON or as a form. The token is not one of them. */
export function paramsOf(call: GraphCall): JsonObject {
  const { access_token: _token, ...params } = {
    ...Object.fromEntries(new URLSearchParams(call.path.query)),
    ...bodyOf(call),
  };
  return params;
}

function bodyOf({ request, text }: GraphCall): JsonObject {
  if (text.trim() === '') return {};
  if (/urlencoded/i.test(request.headers['content-type'] ?? '')) return Object.fromEntries(new URLSearchParams(text));
  const body = parseJsonObject(text);
  if (body === null) return refuseWith(100, 'The request body is not a JSON object.');
  return body;
}

/** A parameter that must be there. */
export function requiredText(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  return refuseWith(value === undefined || value === '' ? 131008 : 100, `The parameter ${name} is required.`);
}

/** A parameter that holds JSON, as text of a form or as it is. */
export function jsonParam(params: JsonObject, name: string): unknown {
  const value = params[name];
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return refuseWith(100, `Param ${name} must be valid JSON.`);
  }
}

/** The names in a `fields` parameter: `analytics.start(1).end(2),owner{name}` asks for `analytics` and `owner`. */
export function fieldNames(fields: string): readonly string[] {
  const plain = fields.replace(/\{[^}]*\}|\([^)]*\)/g, '').split(',');
  return plain.map((field) => (field.split('.', 1)[0] ?? '').trim()).filter((field) => field !== '');
}

/** Figures: a node without them would read as "nothing was sent". */
const FIGURES = /analytics$/;

/**
 * The members that `fields` asks for, with `id` always among them; all when it is absent. Fields that a node does not have are left
 * out, as the network does, unless nothing else was asked for.
 */
export function selectFields(node: JsonObject, fields: unknown): JsonObject {
  if (typeof fields !== 'string' || fields === '') return node;
  const wanted = new Set(['id', ...fieldNames(fields)]);
  const selected = Object.fromEntries(Object.entries(node).filter(([key]) => wanted.has(key)));
  const missing = [...wanted].filter((field) => !Object.hasOwn(selected, field));
  const misleading = missing.find((field) => FIGURES.test(field) || wanted.size === missing.length + 1);
  return misleading === undefined ? selected : refuseWith(100, `The field ${misleading} is not simulated.`);
}

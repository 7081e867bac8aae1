import type { FuzzCase } from './cases.ts';
import { isAway, type Situation, type Violation } from './checks.ts';
import type { Api } from './describe-api.ts';
import type { FuzzAnswer, FuzzRequest } from './request.ts';

export interface FollowUpDeps {
  readonly api: Api;
  readonly situation: Situation;
  readonly send: (request: FuzzRequest) => Promise<FuzzAnswer>;
}

type Body = Readonly<Record<string, unknown>>;

/** What must hold after a success: asked by further requests. */
export async function followUp(one: FuzzCase, answer: FuzzAnswer, parts: FollowUpDeps): Promise<readonly Violation[]> {
  if (answer.status >= 300) return [];
  const found = [await replay(one, answer, parts), await made(one, answer, parts), await gone(one, answer, parts)];
  return found.filter((violation) => violation !== null);
}

/** "Same key and body: the first answer again, with Idempotent-Replayed: true." */
async function replay({ request }: FuzzCase, answer: FuzzAnswer, parts: FollowUpDeps): Promise<Violation | null> {
  const takesKey = request.method === 'POST' && request.headers['Idempotency-Key'] !== undefined;
  const isDry = request.path.includes('dry_run=true') || request.headers['Tus-Resumable'] !== undefined;
  if (!takesKey || isDry) return null;
  const again = await parts.send(request);
  if (isAway(again, parts.situation)) return null;
  const same = again.status === answer.status && bodyWithoutKey(again) === bodyWithoutKey(answer);
  if (same && again.headers['idempotent-replayed'] === 'true') return null;
  return {
    check: 'idempotent_replay',
    sentence: `answers a repetition with ${again.status} ${again.text.slice(0, 200)}`,
  };
}

/** An API key is shown once: a repetition says null. */
function bodyWithoutKey({ json, text }: FuzzAnswer): string {
  return typeof json === 'object' && json !== null ? JSON.stringify({ ...json, key: null }) : text;
}

/** What was made can be read. */
async function made(
  { operation, request }: FuzzCase,
  answer: FuzzAnswer,
  parts: FollowUpDeps,
): Promise<Violation | null> {
  const reader = parts.api.operations.find(({ method, path }) => method === 'GET' && path === `${operation.path}/{id}`);
  const json = (answer.json ?? {}) as Body;
  const id = json.id ?? json[`${operation.path.split('/').at(-1)}_id`];
  if (request.method !== 'POST' || !reader || typeof id !== 'string') return null;
  const path = reader.path.replace('{id}', id);
  const read = await parts.send(reading(request, path));
  if (read.status === 200 || isAway(read, parts.situation)) return null;
  return { check: 'ensure_resource_availability', sentence: `made ${id}, which then answers ${read.status}` };
}

/** What was deleted is not there any more; a key that is revoked is still shown. */
async function gone(
  { operation, request }: FuzzCase,
  answer: FuzzAnswer,
  parts: FollowUpDeps,
): Promise<Violation | null> {
  const isGone = answer.status === 204 || ((answer.json ?? {}) as Body).status === 'deleted';
  const isReadable = parts.api.operations.some(({ method, path }) => method === 'GET' && path === operation.path);
  if (operation.method !== 'DELETE' || request.method !== 'DELETE' || !isGone || !isReadable) return null;
  const [path = ''] = request.path.split('?');
  const read = await parts.send(reading(request, path));
  if (read.status === 404 || saysThatNothingIsThere(read) || isAway(read, parts.situation)) return null;
  return { check: 'use_after_free', sentence: `was deleted and still answers ${read.status}` };
}

/** A part of something that is still there, such as the username of a number, is read as null after it was deleted. */
function saysThatNothingIsThere({ status, json }: FuzzAnswer): boolean {
  const fields = Object.values((json ?? {}) as Body);
  return status === 200 && fields.length > 0 && fields.every((value) => value === null);
}

function reading({ headers }: FuzzRequest, path: string): FuzzRequest {
  const agent = headers['X-Agent-Id'];
  const who = { authorization: headers.authorization ?? '', ...(agent === undefined ? {} : { 'X-Agent-Id': agent }) };
  return { method: 'GET', path, headers: who, body: null };
}

import { setTimeout } from 'node:timers/promises';
import { type Api, type FuzzOperation, isEndless, type Parameter } from './describe-api.ts';
import { idsForPath, type KnownIds } from './known-ids.ts';
import { oddValuesOf } from './odd-values.ts';
import { type Probe, type Question, succeeded } from './probe.ts';
import type { FuzzAnswer } from './request.ts';
import { rotated, untilSuccesses } from './samples.ts';
import { isCutShort, type Row, rowsOn, walkTwice } from './walk.ts';

export interface ReadSpec {
  readonly api: Api;
  readonly known: KnownIds;
  readonly probe: Probe;
  readonly seed: number;
  readonly each: number;
  /** Ids of what was made, by the path of their list. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** What was read. */
export interface Readings {
  /** Answers of each reading operation that succeeded. */
  readonly answers: ReadonlyMap<string, number>;
  /** Parameters that some of these named, as `listContacts?tag`. */
  readonly parameters: ReadonlySet<string>;
}

type Query = Readonly<Record<string, string>>;

/** Waiting for events costs the time that it is given. */
const MAX_WAIT_S = 1;
const SEALED_WITHIN_MS = 5_000;
/** Of a value in an address, before each byte becomes three: a server takes no head of any length. */
const MAX_URL_BYTES = 3_000;
/** Resources of one kind that are read in all ways; each is read at least once. */
const LOOKED_THROUGH = 3;

/** The operations that read. A stream is left out: it does not end. */
export function readsOf({ operations }: Api): readonly FuzzOperation[] {
  return operations.filter((operation) => operation.method === 'GET' && !isEndless(operation));
}

/** Filters that name a customer, where rows of the other direction have one of our numbers under the name. */
const OTHER_SIDES: ReadonlySet<string> = new Set(['listMessages?from', 'listMessages?to']);

/** Reads everything through every list, filter, sort, report and export that the document has. */
export async function readAll(spec: ReadSpec): Promise<Readings> {
  const reader = new Reader(spec);
  for (const operation of readsOf(spec.api)) await reader.read(operation);
  return reader;
}

class Reader {
  readonly answers = new Map<string, number>();
  readonly parameters = new Set<string>();
  readonly #spec: ReadSpec;
  /** Exports that were given time. */
  readonly #awaited = new Set<string>();

  constructor(spec: ReadSpec) {
    this.#spec = spec;
  }

  async read(operation: FuzzOperation): Promise<void> {
    this.answers.set(operation.id, 0);
    const paths = await this.#pathsOf(operation);
    for (const [index, path] of paths.entries()) {
      await this.#get(operation, { path });
      if (index < LOOKED_THROUGH) await this.#readAllWays(operation, path);
    }
  }

  async #readAllWays(operation: FuzzOperation, path: string): Promise<void> {
    const rows = isList(operation) ? await this.#walk(operation, path, {}) : [];
    this.#expectMade(operation, path, rows);
    await this.#compareExport(operation, path, {});
    // Cursors are followed, see walk.ts.
    for (const parameter of operation.parameters.filter((one) => one.in === 'query' && one.name !== 'cursor')) {
      await this.#tryParameter(operation, path, { parameter, rows });
    }
  }

  async #tryParameter(
    operation: FuzzOperation,
    path: string,
    { parameter, rows }: { readonly parameter: Parameter; readonly rows: readonly Row[] },
  ): Promise<void> {
    const { name } = parameter;
    const attempt = async (value: string): Promise<boolean> => {
      const query = { ...requiredOf(operation), [name]: value };
      const answer = await this.#get(operation, { path, query });
      if (!succeeded(answer)) return false;
      await this.#readFiltered(operation, path, query);
      return true;
    };
    const { seed, each } = this.#spec;
    const choices = choicesOf(parameter);
    const values = choices ?? rotated(this.#valuesOf(operation, parameter), seed);
    const taken = await untilSuccesses(values, choices?.length ?? each, attempt);
    for (const query of taken === 0 ? examplesOf(operation, parameter) : [])
      await this.#get(operation, { path, query });
    await this.#findByOwn(operation, path, { name, rows });
  }

  /** A row is found by what it says of itself under the name of the parameter. */
  async #findByOwn(
    operation: FuzzOperation,
    path: string,
    { name, rows }: { readonly name: string; readonly rows: readonly Row[] },
  ): Promise<void> {
    if (OTHER_SIDES.has(`${operation.id}?${name}`)) return;
    const own = new Map<string, Row>();
    for (const row of rows) {
      const value = row.json[name];
      // Half a character has no spelling in an address.
      if (typeof value === 'string' && value !== '' && Buffer.from(value).toString() === value) own.set(value, row);
    }
    const { seed, each, probe } = this.#spec;
    for (const [value, row] of rotated([...own], seed).slice(0, each)) {
      const question = { path, query: { ...requiredOf(operation), [name]: value, limit: '1000' } };
      const found = await this.#get(operation, question);
      if (found === null || isCutShort(found) || rowsOn(found.json).some(({ id }) => id === row.id)) continue;
      const now = (await this.#walk(operation, path, {})).find(({ id }) => id === row.id);
      if (now?.json[name] !== value) continue;
      probe.fail(operation, question, 'lists_every_row', `does not find ${row.id} by its own ${name}`);
    }
  }

  async #readFiltered(operation: FuzzOperation, path: string, query: Query): Promise<void> {
    // A page around an item is not the first of a walk.
    const isPage = ['limit', 'offset', 'cursor', 'around'].some((name) => name in query);
    if (isList(operation) && !isPage) await this.#walk(operation, path, query);
    await this.#compareExport(operation, path, query);
  }

  async #walk(operation: FuzzOperation, path: string, query: Query): Promise<readonly Row[]> {
    const ask = (more: Query) => this.#get(operation, { path, query: { ...query, ...more } });
    const { rows, sentence } = await walkTwice(ask);
    if (sentence !== null) this.#spec.probe.fail(operation, { path, query }, 'walks_each_row_once', sentence);
    return rows;
  }

  /** What was created is in its list, whatever was stored in it. */
  #expectMade(operation: FuzzOperation, path: string, rows: readonly Row[]): void {
    if (!isList(operation)) return;
    const listed = new Set(rows.map(({ id }) => id));
    const missing = (this.#spec.rows.get(operation.path) ?? []).filter((id) => !listed.has(id));
    if (missing.length === 0) return;
    const sentence = `lacks ${missing.length} of what was made, as ${missing[0]}`;
    this.#spec.probe.fail(operation, { path }, 'lists_every_row', sentence);
  }

  /** An export has what the list beside it has, in each of its formats. */
  async #compareExport(operation: FuzzOperation, path: string, query: Query): Promise<void> {
    const types = operation.answers.get(200)?.contentTypes ?? [];
    for (const accept of types.length > 1 ? types : []) await this.#get(operation, { path, query, accept });
    const list = this.#spec.api.operations.find((one) => one.method === 'GET' && `${one.path}/export` === path);
    if (!list || !Object.keys(query).every((name) => list.parameters.some((one) => one.name === name))) return;
    const listed = await this.#get(list, { path: list.path, query: { ...query, limit: '1000' } });
    const lacks = async (): Promise<readonly Row[]> => {
      const exported = await this.#get(operation, { path, query });
      if (!succeeded(exported)) return [];
      return rowsOn(listed?.json).filter(({ id }) => !exported.text.includes(id));
    };
    const missing = await lacks();
    // The audit log is exported as far as it is sealed, which takes a moment.
    if (missing.length > 0 && !this.#awaited.has(operation.id)) await setTimeout(SEALED_WITHIN_MS);
    this.#awaited.add(operation.id);
    const [still] = missing.length > 0 ? await lacks() : [];
    if (still === undefined) return;
    const sentence = `lacks rows of ${list.path}, as ${still.id}`;
    this.#spec.probe.fail(operation, { path, query }, 'exports_every_row', sentence);
  }

  #valuesOf({ path }: FuzzOperation, { name, schema }: Parameter): readonly string[] {
    if (name === 'wait') return ['0', String(MAX_WAIT_S)];
    const made = [...this.#spec.rows].filter(([list]) => name.endsWith('_id') && isListOf(list, name));
    const ids = [...made.flatMap(([, rows]) => rows), ...idsForPath(this.#spec.known, `${path}/`, name)];
    const odd = oddValuesOf(schema).map(String);
    return [...ids, ...odd].filter((value) => Buffer.byteLength(value) <= MAX_URL_BYTES);
  }

  /** Every thing that was made or is known, where the path names one. */
  async #pathsOf({ path, parameters }: FuzzOperation): Promise<readonly string[]> {
    const [first, ...others] = parameters.filter((one) => one.in === 'path');
    if (first === undefined) return [path];
    const [parent = ''] = path.split('/{');
    const ids = [...(this.#spec.rows.get(parent) ?? []), ...idsForPath(this.#spec.known, path, first.name)];
    const given = ids.length > 0 ? ids : await this.#idsOf(parent, first);
    // What lies below the first is known of one of them alone.
    const below = others.reduce((text, { name }) => {
      const [id = ''] = idsForPath(this.#spec.known, path, name);
      return text.replace(`{${name}}`, encodeURIComponent(id));
    }, path);
    return given.map((id) => below.replace(`{${first.name}}`, encodeURIComponent(id)));
  }

  /** What is there without our doing. */
  async #idsOf(parent: string, { schema }: Parameter): Promise<readonly string[]> {
    if (Array.isArray(schema.enum)) return schema.enum.map(String);
    const list = this.#spec.api.operations.find((one) => one.method === 'GET' && one.path === parent);
    const answer = list ? await this.#get(list, { path: parent }) : null;
    return succeeded(answer) ? rowsOn(answer.json).map(({ id }) => id) : [];
  }

  async #get(operation: FuzzOperation, question: Question): Promise<FuzzAnswer | null> {
    const answer = await this.#spec.probe.ask(operation, question);
    if (!succeeded(answer)) return answer;
    this.answers.set(operation.id, (this.answers.get(operation.id) ?? 0) + 1);
    for (const name of Object.keys(question.query ?? {})) this.parameters.add(`${operation.id}?${name}`);
    return answer;
  }
}

function isList({ method, parameters }: FuzzOperation): boolean {
  return method === 'GET' && parameters.some(({ name }) => name === 'cursor');
}

/** Whether a parameter like `rule_id` names things of a list like `/v1/chatbot-rules`. */
function isListOf(path: string, name: string): boolean {
  return path.endsWith(`${name.slice(0, -'_id'.length)}s`);
}

/** The values that there are; null when there are more than can be named. */
function choicesOf({ schema }: Parameter): readonly string[] | null {
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  return schema.type === 'boolean' ? ['true', 'false'] : null;
}

/** The example of a parameter, alone and with related ones: the first day of a report belongs to its last one. */
function examplesOf(operation: FuzzOperation, { name, example, schema }: Parameter): readonly Query[] {
  const like = operation.parameters.filter((one) => one.in === 'query' && one.schema.pattern === schema.pattern);
  const examples = like.flatMap((one) => (one.example === undefined ? [] : [[one.name, String(one.example)]]));
  const own = example === undefined ? [] : [{ ...requiredOf(operation), [name]: String(example) }];
  return [...own, { ...requiredOf(operation), ...Object.fromEntries(examples) }];
}

/** Also the account of figures that the network counts, which is required of a tenant that has several. */
function requiredOf({ path, parameters }: FuzzOperation): Query {
  const isNeeded = ({ name, required }: Parameter) =>
    required || (name === 'network_account_id' && path.startsWith('/v1/analytics/network/'));
  const required = parameters.filter((one) => one.in === 'query' && isNeeded(one));
  return Object.fromEntries(required.map(({ name, example }) => [name, String(example)]));
}

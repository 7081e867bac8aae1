import { jsonPart } from './cases.ts';
import type { Api, FuzzOperation } from './describe-api.ts';
import { idsForPath, type KnownIds } from './known-ids.ts';
import { oddValuesOf } from './odd-values.ts';
import { attributeKey, conditionOf, type Place, placesOf, withValue } from './places.ts';
import { type Probe, type Question, succeeded } from './probe.ts';
import { rotated, untilSuccesses } from './samples.ts';

export interface StoreSpec {
  readonly api: Api;
  readonly known: KnownIds;
  readonly probe: Probe;
  readonly seed: number;
  /** Values that are to be stored at each place, and asked for by each parameter. */
  readonly each: number;
}

/** What was stored. */
export interface Stored {
  /** Bodies that each operation with one took. */
  readonly bodies: ReadonlyMap<string, number>;
  /** Conditions that were taken, by field and match; 0: they were all refused. */
  readonly conditions: ReadonlyMap<string, number>;
  /** Ids of what was made, by the path of their list. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** Of the values of a place, so many less are compared by each field and match: there are hundreds of those. */
const CONDITION_SHARE = 10;
const CONDITION_TRIES = 12;
/** What was made that is acted upon. */
const ACTED_UPON = 8;

/** Stores odd values in every place of every body, and acts on what was made of them. */
export async function storeOdd(spec: StoreSpec): Promise<Stored> {
  const store = new Store(spec);
  await store.defineAttributes();
  for (const operation of writesOf(spec.api)) await store.fill(operation);
  for (const operation of actionsOf(spec.api)) await store.act(operation);
  return store;
}

/** The operations whose bodies are values to store. */
export function writesOf({ operations }: Api): readonly FuzzOperation[] {
  return operations.filter(({ bodyType }) => bodyType === 'json');
}

/** The operations that do something to what there is, which takes no value. */
export function actionsOf({ operations }: Api): readonly FuzzOperation[] {
  return operations.filter(({ method, bodyType }) => method === 'POST' && bodyType === null);
}

class Store {
  readonly bodies = new Map<string, number>();
  readonly conditions = new Map<string, number>();
  readonly rows = new Map<string, string[]>();
  readonly #spec: StoreSpec;
  readonly #attributeKeys: string[] = [];
  #made = 0;

  constructor(spec: StoreSpec) {
    this.#spec = spec;
  }

  /** An attribute of each type that there is: contacts take odd values of all of them. */
  async defineAttributes(): Promise<void> {
    const { api, probe } = this.#spec;
    const define = api.operations.find(({ id }) => id === 'createContactAttribute');
    const { type } = (api.resolve(define?.bodySchema ?? {}).properties ?? {}) as { type?: { enum?: string[] } };
    for (const name of type?.enum ?? []) {
      const key = attributeKey(name);
      this.#attributeKeys.push(key);
      if (define) await probe.ask(define, { path: define.path, body: jsonPart(define, { key, type: name }) });
    }
  }

  async fill(operation: FuzzOperation): Promise<void> {
    const seen = new Set<string>();
    this.bodies.set(operation.id, 0);
    for (const example of operation.examples) {
      const { tests: _tests, ...body } = withIds(example, this.#spec.known) as Readonly<Record<string, unknown>>;
      const base = await this.#taken(operation, body);
      if (base === null) continue;
      for (const place of this.#placesOf(operation, base)) {
        const name = place.path.join('/');
        if (!seen.has(name)) await this.#fillPlace(operation, base, place);
        seen.add(name);
      }
      await this.#ask(operation, base);
    }
  }

  async act(operation: FuzzOperation): Promise<void> {
    const { probe } = this.#spec;
    const [list = ''] = operation.path.split('/{');
    const made = rotated(this.rows.get(list) ?? [], this.#spec.seed).slice(0, ACTED_UPON);
    for (const id of made) await probe.ask(operation, { path: operation.path.replace('{id}', id) });
  }

  /** The body as it is, or with the ids that it may have as well; null when nothing that there is takes it. */
  async #taken(operation: FuzzOperation, body: object): Promise<unknown> {
    const { api, known } = this.#spec;
    const named = Object.keys((api.resolve(operation.bodySchema ?? {}).properties ?? {}) as object);
    const ids = Object.entries(idsByMember(known)).filter(([name]) => named.includes(name));
    const fuller = { ...Object.fromEntries(ids), ...body };
    for (const one of [body, body, body, body, fuller]) if (await this.#put(operation, one, [])) return one;
    return null;
  }

  #placesOf({ bodySchema }: FuzzOperation, body: unknown): readonly Place[] {
    const { resolve } = this.#spec.api;
    const freeKeys = [...this.#attributeKeys, "a'b", '$.x', '__proto__', ''];
    return placesOf(bodySchema ?? {}, body, { resolve, freeKeys });
  }

  async #fillPlace(operation: FuzzOperation, body: unknown, { path, values, conditions }: Place): Promise<void> {
    const { seed, each } = this.#spec;
    const put = (value: unknown): Promise<boolean> => this.#put(operation, withValue(body, path, value), path);
    for (const value of rotated(values, seed).slice(0, each)) await put(value);
    for (const one of conditions) {
      const name = `${one.field} ${one.match}`;
      const before = this.conditions.get(name) ?? 0;
      const tried = rotated(one.values, seed + this.conditions.size).slice(0, CONDITION_TRIES);
      const enough = Math.ceil(each / CONDITION_SHARE);
      const taken = await untilSuccesses(tried, enough, (value) => put(conditionOf(one, value)));
      this.conditions.set(name, before + taken);
    }
  }

  /** The same body with each parameter. */
  async #ask(operation: FuzzOperation, body: unknown): Promise<void> {
    const { probe, seed, each } = this.#spec;
    for (const { name, schema } of operation.parameters.filter((one) => one.in === 'query')) {
      const tried = rotated(oddValuesOf(schema), seed).slice(0, each);
      for (const value of tried) {
        const question = this.#question(operation, this.#fresh(body, [name]));
        await probe.ask(operation, { ...question, query: { [name]: String(value) } });
      }
    }
  }

  async #put(operation: FuzzOperation, body: unknown, path: readonly string[]): Promise<boolean> {
    const answer = await this.#spec.probe.ask(operation, this.#question(operation, this.#fresh(body, path)));
    if (!succeeded(answer)) return false;
    this.bodies.set(operation.id, (this.bodies.get(operation.id) ?? 0) + 1);
    const { id } = (answer.json ?? {}) as { readonly id?: unknown };
    const isRead = this.#spec.api.operations.some(
      (one) => one.method === 'GET' && one.path === `${operation.path}/{id}`,
    );
    if (operation.method === 'POST' && isRead && typeof id === 'string') {
      this.rows.set(operation.path, [...(this.rows.get(operation.path) ?? []), id]);
    }
    return true;
  }

  #question(operation: FuzzOperation, body: unknown): Question {
    const { known } = this.#spec;
    this.#made += 1;
    const fill = (_match: string, name: string): string => {
      const [list = ''] = operation.path.split('/{');
      const there = idsForPath(known, operation.path, name);
      const ids = there.length > 0 ? there : (this.rows.get(list) ?? []);
      return ids[this.#made % Math.max(1, ids.length)] ?? 'none';
    };
    return { path: operation.path.replace(/\{(\w+)\}/g, fill), body: jsonPart(operation, body) };
  }

  /** What must be unique is another one each time, but for the place that is filled. */
  #fresh(body: unknown, [filled]: readonly string[]): unknown {
    if (typeof body !== 'object' || body === null) return body;
    const unique: Readonly<Record<string, string>> = {
      phone: `447${String(800_000_000 + this.#made)}`,
      key: `k_${this.#made}`,
      shortcut: `s-${this.#made}`,
      external_id: `x-${this.#made}`,
    };
    const changed = Object.entries(unique).filter(([name]) => name in body && name !== filled);
    return { ...body, ...Object.fromEntries(changed) };
  }
}

/** What members of these names name. */
function idsByMember(known: KnownIds): Readonly<Record<string, unknown>> {
  return {
    media_id: known.media[0],
    contact_id: known.contacts[0],
    reply_to: known.inbound[0],
    message_id: known.inbound[0],
    agent_id: known.agents[0],
    assignee_id: known.agents[0],
    team_id: known.teams[0],
    segment_id: known.segments[0],
    business_hours_id: known.hours[0],
    network_account_id: known.networkAccount,
    phone_number_id: known.numbers[0],
    phone_number_ids: known.numbers,
    ids: known.conversations,
  };
}

/** A body whose members name what there is. */
function withIds(body: unknown, known: KnownIds): unknown {
  if (Array.isArray(body)) return body.map((item) => withIds(item, known));
  if (typeof body !== 'object' || body === null) return body;
  const ids = idsByMember(known);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, ids[name] ?? withIds(value, known)]));
}

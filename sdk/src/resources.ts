import { type Answered, Call, type CallOptions, List, type Page } from './call.ts';
import type { Connection } from './connection.ts';
import type { Resources } from './generated/resources.ts';
import { routes } from './generated/routes.ts';
import { request, type Wire } from './request.ts';

type Arguments = readonly unknown[];

/** By their letter in the table of routes. */
const methods: Readonly<Record<string, string>> = { d: 'DELETE', o: 'POST', p: 'PATCH', u: 'PUT' };

/** @returns every resource with its verbs, as the table of routes has them */
export function makeResources(connection: Connection): Resources {
  const resources = Object.entries(routes).map(([resource, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, route]) => {
      // A dot stands for the path of the resource.
      const whole = route.replace(/^\./, `/v1/${resource.replace(/[A-Z]/g, '-$&').toLowerCase()}`);
      const call = (...given: Arguments) => invoke(connection, whole, given, `${resource}.${verb}`);
      return [verb, call];
    });
    return [resource, Object.fromEntries(methods)];
  });
  return Object.fromEntries(resources) as Resources;
}

/** Arguments are the IDs of the path, then the body or the query, then the options. */
function invoke(connection: Connection, route: string, given: Arguments, name: string): Call<unknown> {
  const [template = '', flags = ''] = route.split(' ');
  const has = (flag: string) => flags.includes(flag);
  const method = methods[/[dopu]/.exec(flags)?.[0] ?? ''] ?? (has('k') ? 'POST' : 'GET');
  const rest = [...given];
  const path = fillIn(template, rest);
  const body = /[jfx]/.test(flags) ? rest.shift() : undefined;
  const query = has('q') ? (rest.shift() as object | undefined) : undefined;
  const options = (rest.shift() ?? {}) as CallOptions & { readonly query?: object };
  const wire: Wire = {
    method,
    path: path ?? '',
    query: query ?? options.query,
    body,
    isForm: has('f'),
    takesKey: has('k'),
    isRaw: has('r'),
  };
  const first =
    path === null
      ? Promise.reject(new TypeError(`${name} needs every ID of ${template}.`))
      : request(connection, wire, options);
  if (!has('l')) return new Call(first);
  const parameter = has('a') ? 'after' : 'cursor';
  const fetchPage = async (cursor: string) => {
    // What was asked to begin elsewhere continues from where it is.
    const following = { ...wire, query: { ...wire.query, offset: undefined, [parameter]: cursor } };
    // A key of the caller's belongs to the first page.
    const { data } = await request(connection, following, { ...options, idempotencyKey: undefined });
    return data as Page;
  };
  return new List(first as Promise<Answered<Page>>, fetchPage);
}

/** Null: an ID is missing, or would lead to another path. */
function fillIn(template: string, given: unknown[]): string | null {
  let isComplete = true;
  const path = template.replace(/\{\w+\}/g, () => {
    const id = given.shift();
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) isComplete = false;
    return encodeURIComponent(String(id));
  });
  return isComplete ? path : null;
}

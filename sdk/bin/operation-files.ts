import { type DescribedOperation, describeOperations } from './described-operations.ts';
import type { Document } from './document.ts';
import { kebabCase } from './operation-names.ts';
import { literal } from './typescript-text.ts';

const HEAD = '// Written by npm run gen from contract/openapi.json. Do not edit.\n';

const TABLE_HEAD = `${HEAD}
/** An operation of the service, and what it is called in this library. */
export interface Operation {
  readonly resource: string;
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  /** Names in the path, in the order of the arguments. */
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly takesIdempotencyKey: boolean;
  readonly takesIfMatch: boolean;
  readonly bodyKind: 'json' | 'form' | 'bytes' | null;
  readonly answerKind: 'json' | 'raw' | 'stream';
  /** Whether it is a list of which one page comes at a time. */
  readonly isPaged: boolean;
}

/** Every operation by its operation ID. The library itself does not need this table; tools do. */
export const operations: Readonly<Record<OperationId, Operation>> = {
`;

/** The table of every operation, for tools and tests. */
export function operationsFile(document: Document): string {
  const rows = describeOperations(document).map((operation) => {
    const { resource, verb, method, path, takesIdempotencyKey, takesIfMatch, bodyKind, answerKind } = operation;
    const fields = {
      resource,
      verb,
      method,
      path,
      pathParameters: operation.pathParameters,
      queryParameters: operation.queryParameters,
      takesIdempotencyKey,
      takesIfMatch,
      bodyKind,
      answerKind,
      isPaged: operation.cursor !== null,
    };
    const text = Object.entries(fields).map(([name, value]) => `    ${name}: ${valueText(value)},`);
    return `  ${operation.id}: {\n${text.join('\n')}\n  },`;
  });
  const ids = describeOperations(document).map(({ id }) => `\n  | ${literal(id)}`);
  return `${TABLE_HEAD}${rows.join('\n')}\n};\n\n/** The ID of an operation. */\nexport type OperationId =${ids.join('')};\n`;
}

function valueText(value: string | boolean | null | readonly string[]): string {
  if (typeof value === 'string') return literal(value);
  return Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : String(value);
}

const ROUTES_HEAD = `${HEAD}
/**
 * What the library needs to know at run time of each operation, by resource and verb, kept short because every page that
 * uses the library loads it: the path, in which a dot stands for that of the resource (\`/v1/phone-numbers\` for \`phoneNumbers\`), and one
 * letter for each of these:
 *
 * - d, o, p, u: the method is DELETE, POST, PATCH or PUT (left out: POST with a k, or GET)
 * - j, f, x: takes a body, as JSON, as a form, as bytes
 * - q: takes a query in the place of a body
 * - k: takes an Idempotency-Key
 * - l: is a list; its next page is asked for with \`cursor\`, or, with a, with \`after\`
 * - r: answers with something else than JSON, which is handed out as a response
 */
export const routes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
`;

const METHOD_FLAGS: Readonly<Record<string, string>> = { DELETE: 'd', POST: 'o', PATCH: 'p', PUT: 'u' };
const BODY_FLAGS = { json: 'j', form: 'f', bytes: 'x' } as const;

/** The table that the library reads at run time. */
export function routesFile(document: Document): string {
  const resources = Object.entries(byResource(document)).map(([resource, operations]) => {
    const verbs = operations.map((operation) => `    ${operation.verb}: ${literal(routeOf(operation))},`);
    return `  ${resource}: {\n${verbs.join('\n')}\n  },`;
  });
  return `${ROUTES_HEAD}${resources.join('\n')}\n};\n`;
}

function routeOf(operation: DescribedOperation): string {
  const { method, path, bodyKind, queryParameters, takesIdempotencyKey, isList, cursor, answerKind } = operation;
  const flags = [
    bodyKind ? BODY_FLAGS[bodyKind] : '',
    queryParameters.length > 0 && !bodyKind ? 'q' : '',
    takesIdempotencyKey ? 'k' : '',
    isList ? 'l' : '',
    cursor === 'after' ? 'a' : '',
    answerKind === 'raw' ? 'r' : '',
    method === 'POST' && takesIdempotencyKey ? '' : (METHOD_FLAGS[method] ?? ''),
  ].join('');
  const own = `/v1/${kebabCase(operation.resource)}`;
  const shown = path === own || path.startsWith(`${own}/`) ? `.${path.slice(own.length)}` : path;
  return flags === '' ? shown : `${shown} ${flags}`;
}

/** @returns the operations that are called and answered, by resource; those that are streams are written by hand */
export function byResource(document: Document): Readonly<Record<string, readonly DescribedOperation[]>> {
  const found: Record<string, DescribedOperation[]> = {};
  for (const operation of describeOperations(document)) {
    if (operation.answerKind === 'stream') continue;
    found[operation.resource] = [...(found[operation.resource] ?? []), operation];
  }
  return found;
}

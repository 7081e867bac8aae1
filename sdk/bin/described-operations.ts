import { type Document, type Operation, operationsOf, resolve, type Schema } from './document.ts';
import { nameOperation, type OperationName } from './operation-names.ts';

/** An operation with what the client library needs to know of it. */
export interface DescribedOperation extends Operation, OperationName {
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly takesIdempotencyKey: boolean;
  readonly takesIfMatch: boolean;
  /** How a plain object is sent; null when the operation takes no body. */
  readonly bodyKind: 'json' | 'form' | 'bytes' | null;
  /** `json` is parsed; `raw` is handed out as a response; `stream` never ends. */
  readonly answerKind: 'json' | 'raw' | 'stream';
  /** The query parameter that asks for the next page of a list; null when all of a list comes at once. */
  readonly cursor: 'cursor' | 'after' | null;
  /** Whether it answers with items under `data`. */
  readonly isList: boolean;
  readonly answerSchemas: readonly Schema[];
}

/**
 * @returns every operation of the document
 * @throws {Error} when two would have the same name in the client library
 */
export function describeOperations(document: Document): readonly DescribedOperation[] {
  const described = operationsOf(document).map((operation) => describe(document, operation));
  const seen = new Map<string, string>();
  for (const { id, resource, verb } of described) {
    const name = `${resource}.${verb}`;
    const other = seen.get(name);
    if (other !== undefined) throw new Error(`${other} and ${id} are both ${name}: give one another operation ID.`);
    seen.set(name, id);
  }
  return described;
}

function describe(document: Document, operation: Operation): DescribedOperation {
  const named = (place: string) => operation.parameters.filter((each) => each.in === place).map(({ name }) => name);
  const headers = named('header');
  const queryParameters = named('query');
  const answerSchemas = operation.answers.flatMap((content) => content['application/json']?.schema ?? []);
  const isList = isListOf(document, operation, answerSchemas);
  return {
    ...operation,
    ...nameOperation(operation),
    pathParameters: named('path'),
    queryParameters,
    takesIdempotencyKey: headers.includes('Idempotency-Key'),
    takesIfMatch: headers.includes('If-Match'),
    bodyKind: bodyKindOf(operation),
    answerKind: answerKindOf(operation),
    cursor: isList ? cursorOf(queryParameters) : null,
    isList,
    answerSchemas,
  };
}

function isListOf(document: Document, { id }: Operation, answers: readonly Schema[]): boolean {
  const [answer] = answers;
  if (answer === undefined || !/^(?:list|search)/.test(id)) return false;
  return resolve<Schema>(document, answer).properties?.data?.type === 'array';
}

function cursorOf(queryParameters: readonly string[]): 'cursor' | 'after' | null {
  if (queryParameters.includes('cursor')) return 'cursor';
  return queryParameters.includes('after') ? 'after' : null;
}

function bodyKindOf({ requestBody }: Operation): 'json' | 'form' | 'bytes' | null {
  if (requestBody === null) return null;
  if ('application/json' in requestBody.content) return 'json';
  return 'multipart/form-data' in requestBody.content ? 'form' : 'bytes';
}

function answerKindOf({ answers }: Operation): 'json' | 'raw' | 'stream' {
  const types = answers.flatMap((content) => Object.keys(content));
  if (types.includes('text/event-stream')) return 'stream';
  return types.includes('application/json') ? 'json' : 'raw';
}

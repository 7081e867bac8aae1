import type { DescribedOperation } from './described-operations.ts';
import type { Document, Schema } from './document.ts';
import { byResource } from './operation-files.ts';
import { pascalCase } from './operation-names.ts';
import { queryName } from './query-types.ts';
import { bodyType } from './schema-types.ts';
import { comment, indent, union } from './typescript-text.ts';

const HEAD = `// Written by npm run gen from contract/openapi.json. Do not edit.
import type { Call, CallOptions, List } from '../call.ts';
import type * as T from './types.ts';

/** Text or a file, for operations that take a table or bytes. */
type Bytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
`;

/** The file with the type of every resource: its verbs, with what they take and answer. */
export function resourcesFile(document: Document): string {
  const resources = Object.entries(byResource(document));
  const types = resources.map(([resource, operations]) => {
    const methods = operations.map((operation) => methodOf(document, operation));
    return `export interface ${interfaceName(resource)} {\n${indent(methods.join('\n'))}\n}\n`;
  });
  const fields = resources.map(([resource]) => `readonly ${resource}: ${interfaceName(resource)};`);
  const all = `/** Every resource of the service. */\nexport interface Resources {\n${indent(fields.join('\n'))}\n}\n`;
  return [HEAD, ...types, all].join('\n');
}

function interfaceName(resource: string): string {
  return `${pascalCase(resource)}Resource`;
}

function methodOf(document: Document, operation: DescribedOperation): string {
  const { verb, summary, method, path } = operation;
  const parameters = [
    ...operation.pathParameters.map((name) => `${camelCase(name)}: string`),
    ...bodyParameter(document, operation),
    ...queryParameter(operation),
    `options?: ${optionsType(operation)}`,
  ];
  return `${comment(`${summary}: \`${method} ${path}\`.`)}${verb}(${parameters.join(', ')}): ${answerType(document, operation)};`;
}

function bodyParameter(document: Document, { requestBody }: DescribedOperation): readonly string[] {
  if (requestBody === null) return [];
  const types = Object.entries(requestBody.content).map(([type, { schema = {} }]) =>
    /json$|form-data$/.test(type) && !/ndjson/.test(type) ? bodyOf(document, schema) : 'Bytes',
  );
  return [`body${requestBody.isRequired ? '' : '?'}: ${union(types)}`];
}

/** An optional body may be null in the document; here it is left out. */
function bodyOf(document: Document, schema: Schema): string {
  const parts = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema];
  return union(parts.map((part) => qualified(bodyType(document, part, 'request'))));
}

/** After a body the query is one of the options, so that both are objects with a name. */
function queryParameter(operation: DescribedOperation): readonly string[] {
  const name = queryName(operation);
  if (name === null || operation.bodyKind !== null) return [];
  const isRequired = operation.parameters.some(({ in: place, required }) => place === 'query' && required);
  return [`query${isRequired ? '' : '?'}: T.${name}`];
}

function optionsType(operation: DescribedOperation): string {
  const name = queryName(operation);
  if (name === null || operation.bodyKind === null) return 'CallOptions';
  return `CallOptions & { readonly query?: T.${name} | undefined }`;
}

function answerType(document: Document, { answerKind, answerSchemas, isList }: DescribedOperation): string {
  if (answerKind === 'raw') return 'Call<Response>';
  const answer = union(answerSchemas.map((schema) => qualified(bodyType(document, schema, 'answer'))));
  return `${isList ? 'List' : 'Call'}<${answer}>`;
}

/** Component types come from the file of types; what else there is stands for itself. */
function qualified(type: string): string {
  return /^[A-Z]\w*$/.test(type) ? `T.${type}` : type;
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

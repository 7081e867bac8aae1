import { type Document, operationsOf, type Parameter, type Schema } from './document.ts';
import { pascalCase } from './operation-names.ts';
import { comment, indent } from './typescript-text.ts';

/** @returns the name of the type of an operation's query; null when it takes none */
export function queryName(operation: {
  readonly id: string;
  readonly parameters: readonly Parameter[];
}): string | null {
  return operation.parameters.some(({ in: place }) => place === 'query') ? `${pascalCase(operation.id)}Query` : null;
}

/** @returns a declaration for the query of every operation that takes one */
export function queryTypes(document: Document, typeOf: (schema: Schema) => string): readonly string[] {
  return operationsOf(document).flatMap((operation) => {
    const name = queryName(operation);
    if (name === null) return [];
    const fields = operation.parameters
      .filter(({ in: place }) => place === 'query')
      .map((field) => line(field, typeOf));
    const help = comment(`Query of ${operation.method} ${operation.path}.`);
    return [`${help}export interface ${name} {\n${indent(fields.join('\n'))}\n}\n`];
  });
}

function line({ name, required, description, schema }: Parameter, typeOf: (schema: Schema) => string): string {
  const type = typeOf(schema);
  return `${comment(description)}readonly ${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};`;
}

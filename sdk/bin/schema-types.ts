import { CONDITION_HEAD, conditionTypes } from './condition-types.ts';
import { type Document, nameOf, operationsOf, partsOf, type Schema } from './document.ts';
import { queryTypes } from './query-types.ts';
import { comment, indent, literal, union } from './typescript-text.ts';

/** Names of components that would hide what every program knows under the same name. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody' };

const LONGEST_LINE = 80;

const HEAD = `// Written by npm run gen from contract/openapi.json. Do not edit.

/** One of the known values, or one that a newer service has added. */
export type Open<Known extends string> = Known | (string & Record<never, never>);
`;

/** What decides how a schema is written. */
interface Place {
  /** Written for what the service answers: values of enumerations may be added later. */
  readonly isRead: boolean;
  /** Written for what a caller passes: a missing field may also be undefined. */
  readonly isWritten: boolean;
  /** The field that says which member of a union an object is; it stays closed, so that a comparison narrows. */
  readonly discriminator: string | null;
}

/** The file of types: every component schema, and the query of every operation. */
export function typesFile(document: Document): string {
  const { schemas } = document.components;
  const isRead = reachable(document, answerSchemas(document));
  const isWritten = reachable(document, requestSchemas(document));
  const discriminators = discriminatorsOf(schemas);
  const conditions = Object.values(schemas).filter((schema) => schema['x-condition-fields']);
  const head = conditions.length > 0 ? HEAD + CONDITION_HEAD : HEAD;
  const write = (name: string, schema: Schema) =>
    declaration(document, typeName(name), schema, {
      isRead: isRead.has(name),
      isWritten: isWritten.has(name),
      discriminator: discriminators.get(name) ?? null,
    });
  const components = Object.entries(schemas).map(([name, schema]) => write(name, schema));
  const place = { isRead: false, isWritten: true, discriminator: null };
  const queries = queryTypes(document, (schema) => typeOf(document, schema, place));
  return [head, ...components, ...queries].join('\n');
}

/** @returns the name of the type of a component */
export function typeName(component: string): string {
  return RENAMED[component] ?? component;
}

/** @returns the type of what an operation takes or answers */
export function bodyType(document: Document, schema: Schema, direction: 'request' | 'answer'): string {
  const isRead = direction === 'answer';
  return typeOf(document, schema, { isRead, isWritten: !isRead, discriminator: null });
}

function declaration(document: Document, name: string, schema: Schema, place: Place): string {
  const { 'x-condition-fields': fields } = schema;
  if (fields) return conditionTypes(name, schema, fields);
  const help = comment(schema.description);
  const { allOf = [], properties, oneOf, anyOf } = schema;
  const parents = allOf.filter(({ $ref }) => $ref !== undefined && isInterface(document, $ref));
  const own = allOf.filter((part) => part.$ref === undefined);
  const canExtend = parents.length + own.length === allOf.length && parents.length > 0 && own.every(isPlainObject);
  if (!oneOf && !anyOf && (canExtend || (allOf.length === 0 && isPlainObject(schema) && properties))) {
    const names = parents.map(({ $ref = '' }) => typeName(nameOf($ref)));
    const heads = names.length > 0 ? ` extends ${names.join(', ')}` : '';
    const bodies = [...own, ...(properties ? [schema] : [])].flatMap((part) => fieldsOf(document, part, place));
    return `${help}export interface ${name}${heads} {\n${indent(bodies.join('\n'))}\n}\n`;
  }
  const type = typeOf(document, schema, { ...place, isRead: place.isRead && !schema.enum });
  return `${help}export type ${name} =${aliased(type)};\n`;
}

/** A long union has a line for each member, so that a change shows as one line. */
function aliased(type: string): string {
  const isLong = type.length > LONGEST_LINE && !/[{(]/.test(type);
  return isLong ? `\n  | ${type.split(' | ').join('\n  | ')}` : ` ${type}`;
}

function isPlainObject({ type, properties }: Schema): boolean {
  return type === 'object' || (type === undefined && properties !== undefined);
}

/** Whether the type of a component is an interface, which another can extend. */
function isInterface(document: Document, reference: string): boolean {
  const { allOf, anyOf, oneOf, ...schema } = document.components.schemas[nameOf(reference)] ?? {};
  if (anyOf || oneOf) return false;
  if (!allOf) return isPlainObject(schema) && schema.properties !== undefined;
  return allOf.every((part) => (part.$ref ? isInterface(document, part.$ref) : isPlainObject(part)));
}

function typeOf(document: Document, schema: Schema, place: Place): string {
  if (schema.$ref !== undefined) return referenceType(document, schema.$ref, place);
  if (schema.enum) return enumType(schema.enum, place.isRead);
  const inner = { ...place, discriminator: null };
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return union(choices.map((choice) => typeOf(document, choice, inner)));
  if (schema.allOf) {
    const own = schema.properties ? [objectType(document, schema, place)] : [];
    return [...schema.allOf.map((part) => typeOf(document, part, inner)), ...own].join(' & ');
  }
  if (schema.type === undefined) return schema.properties ? objectType(document, schema, place) : 'unknown';
  return union([schema.type].flat().map((type) => plainType(document, type, schema, place)));
}

function referenceType(document: Document, reference: string, { isRead }: Place): string {
  const name = nameOf(reference);
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`The document has no schema ${name}.`);
  const isOpen = isRead && target.enum !== undefined && target.enum.length > 1;
  return isOpen ? `Open<${typeName(name)}>` : typeName(name);
}

function enumType(values: readonly unknown[], isRead: boolean): string {
  const texts = values.filter((value) => typeof value === 'string');
  const known = union(texts.map(literal));
  const others = values.filter((value) => typeof value !== 'string').map((value) => JSON.stringify(value));
  return union([...(texts.length === 0 ? [] : [isRead && texts.length > 1 ? `Open<${known}>` : known]), ...others]);
}

function plainType(document: Document, type: string, schema: Schema, place: Place): string {
  switch (type) {
    case 'string':
      return schema.format === 'binary' || schema.contentMediaType ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return arrayType(document, schema, place);
    case 'object':
      return objectType(document, schema, place);
    default:
      throw new Error(`The generator does not know the type ${type}.`);
  }
}

const LONGEST_TUPLE = 3;

function arrayType(document: Document, { items = {}, minItems, maxItems = 0 }: Schema, place: Place): string {
  const item = typeOf(document, items, { ...place, discriminator: null });
  if (minItems === maxItems && maxItems <= LONGEST_TUPLE) return `readonly [${Array(maxItems).fill(item).join(', ')}]`;
  // A name, with arguments or not, and an object stand for themselves.
  return `readonly ${/^(?:\w+(?:<[^&]*>)?|\{[^&|]*\})$/.test(item) ? item : `(${item})`}[]`;
}

function objectType(document: Document, schema: Schema, place: Place): string {
  const { properties = {}, additionalProperties } = schema;
  if (Object.keys(properties).length > 0) return `{\n${indent(fieldsOf(document, schema, place).join('\n'))}\n}`;
  const values = typeof additionalProperties === 'object' ? typeOf(document, additionalProperties, place) : 'unknown';
  return `Readonly<Record<string, ${values}>>`;
}

function fieldsOf(document: Document, schema: Schema, place: Place): readonly string[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, property]) => {
    const isRead = place.isRead && name !== place.discriminator;
    const type = typeOf(document, property, { ...place, isRead, discriminator: null });
    const isRequired = required.includes(name);
    const missing = !isRequired && place.isWritten ? ' | undefined' : '';
    return `${comment(property.description)}readonly ${keyOf(name)}${isRequired ? '' : '?'}: ${type}${missing};`;
  });
  return additionalProperties === true ? [...fields, 'readonly [further: string]: unknown;'] : fields;
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : literal(name);
}

/** The field that tells the members of a union apart, by the name of the member. */
function discriminatorsOf(schemas: Readonly<Record<string, Schema>>): ReadonlyMap<string, string> {
  return new Map(
    Object.values(schemas).flatMap(({ discriminator, oneOf = [] }) =>
      discriminator ? oneOf.map(({ $ref = '' }) => [nameOf($ref), discriminator.propertyName] as const) : [],
    ),
  );
}

function answerSchemas(document: Document): readonly Schema[] {
  const { schemas } = document.components;
  const answers = operationsOf(document).flatMap(({ answers }) => answers.flatMap((content) => Object.values(content)));
  const always = [schemas.Event, schemas.Error].filter((schema) => schema !== undefined);
  return [...answers.flatMap(({ schema }) => schema ?? []), ...always];
}

function requestSchemas(document: Document): readonly Schema[] {
  return operationsOf(document).flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => schema ?? []),
  );
}

/** Names of the components that these schemas consist of. */
function reachable(document: Document, roots: readonly Schema[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...roots];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (schema.$ref !== undefined && !found.has(nameOf(schema.$ref))) {
      found.add(nameOf(schema.$ref));
      const target = document.components.schemas[nameOf(schema.$ref)];
      if (target) open.push(target);
    }
    open.push(...partsOf(schema));
  }
  return found;
}

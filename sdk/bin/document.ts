/** A field that a condition may name. */
export interface FieldDescription {
  readonly kind: string;
  /** The only values that there are; of an `id`, the words that stand for one. */
  readonly values?: readonly string[];
}

/** What the document says of a condition: its fields, and how each kind of them is compared, the usual way first. */
export interface ConditionFields {
  readonly fields: Readonly<Record<string, FieldDescription>>;
  readonly matches: Readonly<Record<string, readonly string[]>>;
}

/** A schema of the document, as far as the generator reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly description?: string;
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly 'x-condition-fields'?: ConditionFields;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Reference {
  readonly $ref?: string;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Answer {
  readonly content?: Content;
}

interface Body {
  readonly required?: boolean;
  readonly content: Content;
}

/** An operation as the document has it. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Body | Reference;
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

type PathItem = Readonly<Record<string, DocumentedOperation>>;

/** The document of contract/openapi.json, as far as the generator reads it. */
export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** An operation with where it is. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: { readonly isRequired: boolean; readonly content: Content } | null;
  /** Contents of the successful answers, by media type. */
  readonly answers: readonly Content[];
}

/** @returns every operation of the document, in its order */
export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      summary: operation.summary,
      tag: operation.tags[0] ?? '',
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter)),
      requestBody: operation.requestBody ? bodyOf(resolve<Body>(document, operation.requestBody)) : null,
      answers: Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([, answer]) => resolve<Answer>(document, answer).content ?? {}),
    })),
  );
}

function bodyOf({ required, content }: Body): Operation['requestBody'] {
  return { isRequired: required === true, content };
}

/** @returns the thing itself, or what its reference names */
export function resolve<Thing extends object>(document: Document, thing: Thing | Reference): Thing {
  const { $ref } = thing as Reference;
  if ($ref === undefined) return thing as Thing;
  const [, , kind = '', name = ''] = $ref.split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`The document has no ${$ref}.`);
  return resolve(document, found as Thing | Reference);
}

/** @returns the name at the end of a reference to a component */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** @returns the schemas directly inside a schema */
export function partsOf(schema: Schema): readonly Schema[] {
  const { properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema;
  const further = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...Object.values(properties), ...(items ? [items] : []), ...further, ...allOf, ...anyOf, ...oneOf];
}

import type { JsonObject, JsonValue } from '#core/json';
import { NAME, NO_NUL, PATTERN_SENTENCE, RULES, VARIANTS } from '#http/schemas/fields';

/** What the document does not show: our own annotations, and what is written anew here. */
const UNPUBLISHED: ReadonlySet<string> = new Set([
  NAME,
  PATTERN_SENTENCE,
  RULES,
  VARIANTS,
  'discriminator',
  'default',
  // What excludes what, the descriptions say.
  'dependentSchemas',
]);

/** Collects `components.schemas` while the document is written. */
export interface Components {
  /** A schema as the document shows it: by reference when it, or one with the same content, has a name. */
  readonly show: (schema: unknown, fallbackName?: string) => JsonValue;
  /** All that were shown by name, in the order of the alphabet. */
  readonly schemas: () => JsonObject;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Writes schemas for the document. Every schema with a name stands in it once; generators make their types from these.
 * @param replacements by name: what the document shows, when it can say more than what serializes the answer
 * @throws Error while showing, when two schemas that differ have the same name
 */
export function makeComponents(replacements: Readonly<Record<string, Schema>> = {}): Components {
  const known = new Map<string, JsonObject>();
  const names = new Map<string, string>();

  function show(schema: unknown, fallbackName?: string): JsonValue {
    if (Array.isArray(schema)) return schema.map((item) => show(item));
    if (!isSchema(schema)) return schema as JsonValue;
    const name = nameOf(schema) ?? fallbackName;
    return name === undefined ? write(schema) : refer(name, replacements[name] ?? schema, nameOf(schema) === undefined);
  }

  function refer(name: string, schema: Schema, mayShare: boolean): JsonObject {
    const { description = '', ...written } = write(schema, name);
    const { isNullable, content } = withoutNull(written);
    const text = contentText(content);
    const found = (mayShare ? names.get(text) : undefined) ?? name;
    const first = known.get(found) ?? { description, ...content };
    if (contentText(first) !== text) throw new Error(`${found} is the name of two schemas that differ.`);
    known.set(found, { ...('examples' in content ? { examples: content.examples } : {}), ...first });
    names.set(text, names.get(text) ?? found);
    const reference = { $ref: `#/components/schemas/${found}` };
    const own = description === first.description ? {} : { description };
    return isNullable ? { anyOf: [reference, { type: 'null' }], ...own } : { ...reference, ...own };
  }

  function write(schema: Schema, name?: string): JsonObject {
    const kept = Object.entries(schema).filter(([key, value]) => !UNPUBLISHED.has(key) && value !== NO_NUL.pattern);
    const written = Object.fromEntries(
      kept.map(([key, value]) => [key, key === 'examples' ? (value as JsonValue) : show(value)]),
    );
    const withDefault = { ...written, ...defaultSentence(schema) };
    return Array.isArray(schema.oneOf) ? writeUnion(withDefault, schema.oneOf, name) : withDefault;
  }

  /** With the property that tells its branches apart. OpenAPI knows that of named branches alone. */
  function writeUnion(written: JsonObject, branches: readonly Schema[], name?: string): JsonObject {
    const property = discriminating(branches);
    if (property === null || !branches.every((branch) => name ?? nameOf(branch))) return written;
    const mapping: Record<string, string> = {};
    const oneOf = branches.map((branch) => {
      const tags = tagsOf(branch, property);
      const reference = show(branch, `${name}${pascalCase(tags[0] ?? '')}`) as { readonly $ref: string };
      for (const tag of tags) mapping[tag] = reference.$ref;
      return reference;
    });
    const { type: _type, required: _required, ...rest } = written;
    return { ...rest, oneOf, discriminator: { propertyName: property, mapping } };
  }

  return { show, schemas: () => Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** `message.received`, `getTemplate` or `X-Agent-Id` as the name of a type. */
export function pascalCase(text: string): string {
  return text.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function nameOf(schema: Schema): string | undefined {
  return typeof schema[NAME] === 'string' ? schema[NAME] : undefined;
}

/** Each place may describe it, and show an example, in its own way; the first one of each stands in the component. */
function contentText({ description: _description, examples: _examples, ...content }: JsonObject): string {
  return JSON.stringify(content);
}

/** A component is never null: where it may be, that is said beside the reference. */
function withoutNull(schema: JsonObject): { readonly isNullable: boolean; readonly content: JsonObject } {
  const { type } = schema;
  if (!Array.isArray(type) || !type.includes('null')) return { isNullable: false, content: schema };
  const others = type.filter((name) => name !== 'null');
  return { isNullable: true, content: { ...schema, type: others.length === 1 ? (others[0] as string) : others } };
}

/** Some generators require a property that has a default, so it stands in the description instead. */
function defaultSentence({ default: value, description }: Schema): { readonly description?: string } {
  if (value === undefined || /default/i.test(String(description))) return {};
  return { description: `${description} Default: ${JSON.stringify(value)}.` };
}

/** The property that every branch requires and that has other values in each; null: there is none. */
function discriminating(branches: readonly Schema[]): string | null {
  const names = partsOf(branches[0] ?? {}).flatMap(({ properties = {} }) => Object.keys(properties as object));
  const isFit = (name: string) => {
    const tags = branches.map((branch) => tagsOf(branch, name));
    return tags.every(({ length }) => length > 0) && new Set(tags.flat()).size === tags.flat().length;
  };
  return names.find(isFit) ?? null;
}

function tagsOf(branch: Schema, name: string): readonly string[] {
  const requiring = partsOf(branch).filter(({ required = [] }) => (required as readonly string[]).includes(name));
  return requiring.flatMap(({ properties = {} }) => {
    const property = (properties as Readonly<Record<string, Schema>>)[name];
    return (property?.enum ?? (typeof property?.const === 'string' ? [property.const] : [])) as readonly string[];
  });
}

/** What a schema consists of: itself, and the schemas that it adds up. */
function partsOf(schema: Schema): readonly Schema[] {
  return [schema, ...((schema.allOf ?? []) as readonly Schema[])];
}

import type { Ajv, ErrorObject } from 'ajv';
import { VARIANTS } from '#http/schemas/fields';
import { separateVariants } from './discriminated.ts';
import { compileQuick } from './quick.ts';

/** Bodies that one of their fields tells apart, each with a schema of its own. */
export interface Variants {
  readonly property: string;
  /** The variant of a body that does not have the property. */
  readonly fallback: string;
  readonly schemas: Readonly<Record<string, object>>;
  /** Checks a body whose property names no variant. */
  readonly otherwise: object;
}

/** As Fastify calls it: the faults stand on the function itself. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/**
 * The validator of a schema. With VARIANTS only the schema that is meant is run, so that its faults are the only ones
 * named, and a text pays nothing for the other types. Those are compiled when they are first needed; and what names the
 * faults, when there is one: that something is right is seen by a quicker validator.
 */
export function compileSchema(ajv: Ajv, schema: object): Validator {
  const variants = (schema as { readonly [VARIANTS]?: Variants })[VARIANTS];
  return variants === undefined ? compileOne(ajv, schema) : variantValidator(ajv, variants);
}

function compileOne(ajv: Ajv, schema: object): Validator {
  return ajv.compile(separateVariants(ajv, schema));
}

function variantValidator(ajv: Ajv, { property, fallback, schemas, otherwise }: Variants): Validator {
  const known = new Map<unknown, () => Variant>(
    Object.entries(schemas).map(([name, schema]) => [name, lazily(() => compileVariant(ajv, schema))]),
  );
  const unknown = lazily(() => compileVariant(ajv, otherwise));
  // The most frequent one is ready before the first request.
  known.get(fallback)?.();
  const validate: Validator = (data) => {
    const { isValid, thorough } = (known.get(tagOf(data, property) ?? fallback) ?? unknown)();
    if (isValid(data)) {
      validate.errors = null;
      return true;
    }
    const judge = thorough();
    const valid = judge(data);
    validate.errors = judge.errors ?? null;
    return valid;
  };
  return validate;
}

interface Variant {
  readonly isValid: (data: unknown) => boolean;
  /** Names every fault of what is not. */
  readonly thorough: () => Validator;
}

function compileVariant(ajv: Ajv, schema: object): Variant {
  return { isValid: compileQuick(schema), thorough: lazily(() => compileOne(ajv, schema)) };
}

/** Undefined when the body does not have the property, or is no object. */
function tagOf(data: unknown, property: string): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  return (data as Readonly<Record<string, unknown>>)[property];
}

/** @returns what `compile` makes when it is first called, and the same ever after */
export function lazily<T>(compile: () => T): () => T {
  let compiled: T | null = null;
  return () => {
    compiled ??= compile();
    return compiled;
  };
}

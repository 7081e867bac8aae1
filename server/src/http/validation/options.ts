import type { Ajv, Options } from 'ajv';
import { validateSchemaDeps } from 'ajv/dist/vocabularies/applicator/dependencies.js';
import { CONDITION_FIELDS, NAME, PATTERN_SENTENCE, TAGS, VARIANTS } from '#http/schemas/fields';
import { parseRfc3339 } from './rfc3339.ts';

const ANY_CASE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What every validator of requests has in common. */
export const baseOptions: Options = {
  // All faults at once: a caller fixes a request in one go.
  allErrors: true,
  // An unknown field is a 400, never dropped in silence.
  removeAdditional: false,
  useDefaults: true,
  // Faults carry the schema they broke, so that their sentence can name the limit.
  verbose: true,
  allowUnionTypes: true,
  // Of several objects only the one that its tag names is checked, so that its faults alone are named.
  discriminator: true,
  // What a reference names is a function of its own, see separateVariants.
  inlineRefs: false,
  keywords: [NAME, PATTERN_SENTENCE, VARIANTS, TAGS, CONDITION_FIELDS],
  formats: {
    uuid: ANY_CASE_UUID,
    'date-time': (text: string) => parseRfc3339(text) !== null,
  },
};

/** The dialect of OpenAPI 3.1 has it; Ajv's own, which is older, calls it dependencies. */
export function knowDependentSchemas(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: 'dependentSchemas',
    type: 'object',
    schemaType: 'object',
    code: (context) => validateSchemaDeps(context),
  });
}

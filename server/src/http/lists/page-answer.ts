import type { TSchema } from 'typebox';
import type { JsonObject } from '#core/json';
import type { Answer } from '#http/operation';
import { pageExample } from '#http/schemas/examples';
import { listOf } from '#http/schemas/lists';

/**
 * The answer of a list, newest first, as an operation declares it.
 * @param items what is listed, in the plural, for sentences
 * @param view schema of one item
 * @param example one item
 */
export function pageAnswer(items: string, view: TSchema, example: JsonObject): Answer {
  return {
    status: 200,
    description: `A page of ${items}.`,
    schema: listOf(view, `A page of ${items}, newest first.`),
    example: pageExample(example),
    headers: ['Link'],
  };
}

import { cutText, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, shortTextOf, textOf, timeOf } from '#core/json-fields';
import { type TemplateCategory, templateCategories } from '#templates/domain/definition';
import { qualityOfWord, statusOfWord } from '#templates/domain/status';
import type { TemplateChange, TemplateItem } from '#templates/domain/template-item';

const MAX_REASON = 500;
/** The network's own limit of a name, and room for its longest code of a language. */
const MAX_NAME = 512;
const MAX_LANGUAGE = 15;

type OutcomeReader = (value: JsonObject) => TemplateChange | null;

const READERS: ReadonlyMap<string, OutcomeReader> = new Map<string, OutcomeReader>([
  ['message_template_status_update', readStatus],
  ['message_template_quality_update', readQuality],
  ['template_category_update', readCategory],
  ['message_template_components_update', readComponents],
]);

/** The fields that are about a template. */
export const templateFields: readonly string[] = [...READERS.keys()];

/**
 * A change of a template; null when the field is about something else, or does not say which template or what.
 * @param entry names the account and the time: "entry[].time only on non-messages fields"
 */
export function readTemplateChange(
  field: string,
  entry: JsonObject,
  value: JsonValue | undefined,
): TemplateItem | null {
  const read = READERS.get(field);
  if (read === undefined) return null;
  const fields = objectOf(value);
  const change = read(fields);
  const networkAccountId = idOf(entry.id);
  const networkTemplateId = idOf(fields.message_template_id);
  const name = shortTextOf(fields.message_template_name, MAX_NAME);
  const language = shortTextOf(fields.message_template_language, MAX_LANGUAGE);
  if (
    change === null ||
    networkAccountId === null ||
    networkTemplateId === null ||
    name === null ||
    language === null
  ) {
    return null;
  }
  return {
    kind: 'template',
    networkAccountId,
    networkTemplateId,
    name,
    // "en_US in fixtures, en-US in the table's sample: normalise both".
    language: language.replace('-', '_'),
    at: timeOf(entry.time),
    change,
    raw: { entry_id: entry.id ?? null, entry_time: entry.time ?? null, field, value: value ?? null },
  };
}

function readStatus(value: JsonObject): TemplateChange | null {
  const word = textOf(value.event);
  if (word === null) return null;
  return { about: 'status', word: cutText(word, MAX_REASON), status: statusOfWord(word), reason: reasonOf(value) };
}

/**
 * The most informative part of what the network says: a reason with its advice, the title of a pause, or its bare word.
 */
function reasonOf(value: JsonObject): string | null {
  const rejection = objectOf(value.rejection_info);
  const other = objectOf(value.other_info);
  const word = textOf(value.reason);
  const said = [
    word === 'NONE' ? null : word,
    textOf(other.title),
    textOf(rejection.reason),
    textOf(rejection.recommendation),
  ].filter((text) => text !== null && text !== '');
  return said.length === 0 ? null : cutText(said.join(': '), MAX_REASON);
}

function readQuality(value: JsonObject): TemplateChange | null {
  const word = textOf(value.new_quality_score);
  return word === null ? null : { about: 'quality', quality: qualityOfWord(word) };
}

/** "previous_category (changed) or correct_category (announced)" */
function readCategory(value: JsonObject): TemplateChange | null {
  const announced = categoryOfWord(textOf(value.correct_category));
  if (announced !== null) return { about: 'category_announced', category: announced };
  const category = categoryOfWord(textOf(value.new_category));
  return category === null ? null : { about: 'category', category };
}

/** Null for a word that is not a category. */
export function categoryOfWord(word: string | null): TemplateCategory | null {
  return templateCategories.find((category) => category === word?.toLowerCase()) ?? null;
}

function readComponents(value: JsonObject): TemplateChange | null {
  const text = textOf(value.message_template_element);
  if (text === null) return null;
  const [header, footer] = [textOf(value.message_template_title), textOf(value.message_template_footer)];
  return { about: 'components', body: text, header, footer };
}

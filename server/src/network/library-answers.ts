import { cutText } from '#core/json';
import { categoryOfWord } from '#inbound/domain/callback-template';
import type { LibraryButton, LibraryTemplate } from '#templates/domain/library';
import { afterIn, type Fields, fieldsOf } from './graph.ts';

/*
 * Reads what the network answers about its template library.
 */

const ENTRY_ID = /^[0-9]{1,32}$/;
/** Far above every word and text of the network's templates. */
const MAX_WORD = 512;
const MAX_TEXT = 4_000;
const MAX_ITEMS = 100;

export interface LibraryPage {
  readonly entries: readonly LibraryTemplate[];
  /** Null on the last page. */
  readonly after: string | null;
}

/** Null for what is no list. */
export function libraryPageIn({ data, paging }: Fields): LibraryPage | null {
  if (!Array.isArray(data)) return null;
  return {
    entries: data.map((item) => entryIn(fieldsOf(item))).filter((entry) => entry !== null),
    after: afterIn(paging),
  };
}

/** Null for an entry that no template could be made of. */
function entryIn(node: Fields): LibraryTemplate | null {
  const [entryId, name, language, body] = [node.id, node.name, node.language, node.body].map(textOf);
  const category = categoryOfWord(textOf(node.category));
  if (!entryId || !ENTRY_ID.test(entryId) || !name || !language || !body || category === null) return null;
  const types = itemsOf(node.body_param_types).map(wordOf);
  const variables = itemsOf(node.body_params).map((sample, index) => ({
    example: textOf(sample) ?? '',
    type: types[index] ?? null,
  }));
  return {
    ...{ entryId, name, language, category, body, variables },
    topic: wordOf(node.topic),
    useCase: wordOf(node.usecase),
    industries: itemsOf(node.industry)
      .map(wordOf)
      .filter((word) => word !== null),
    header: textOf(node.header),
    buttons: itemsOf(node.buttons)
      .map((item) => buttonIn(fieldsOf(item)))
      .filter((button) => button !== null),
  };
}

function buttonIn({ type, text, url, phone_number: phone }: Fields): LibraryButton | null {
  const word = wordOf(type);
  if (word === null) return null;
  return { type: word, text: textOf(text) ?? '', url: textOf(url), phoneNumber: textOf(phone) };
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cutText(value.toLowerCase().replaceAll(' ', '_'), MAX_WORD) : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_TEXT) : null;
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}

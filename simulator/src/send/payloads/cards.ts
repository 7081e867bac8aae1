/** Cards of a carousel that needs no template. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { checkButtons, checkCtaUrl } from './actions.ts';
import { checkOptionalString, firstFault, isRefusal, requireObject } from './text.ts';

const MIN_CARDS = 2;
const MAX_CARDS = 10;
const MAX_CARD_BREAKS = 2;
const MAX_CARD_BODY = 160;

/** Two to ten cards, each with its own place, a short body, and buttons of the same kind and number. */
export function checkCards({ cards }: JsonObject): NetworkError | null {
  if (!Array.isArray(cards) || cards.length < MIN_CARDS || cards.length > MAX_CARDS) {
    return networkError(131009, `Param interactive['action']['cards'] must hold ${MIN_CARDS} to ${MAX_CARDS} cards.`);
  }
  return firstFault(cards as readonly unknown[], checkCard) ?? checkAlike(cards as readonly JsonObject[]);
}

function checkCard(card: unknown, i: number): NetworkError | null {
  const object = requireObject(`cards[${i}]`, card);
  if (isRefusal(object)) return object;
  const action = requireObject(`cards[${i}]['action']`, object.action);
  if (isRefusal(action)) return action;
  const isReply = Array.isArray(action.buttons);
  if (isReply && action.parameters !== undefined) {
    return networkError(131009, `Param cards[${i}]['action'] takes one URL button or quick-reply buttons.`);
  }
  return checkText(object, i) ?? (isReply ? checkButtons(action, 'quick_reply') : checkCtaUrl(action));
}

function checkText(object: JsonObject, i: number): NetworkError | null {
  const text = isJsonObject(object.body) ? object.body.text : undefined;
  const fault = checkOptionalString(`cards[${i}]['body']['text']`, text, MAX_CARD_BODY);
  if (fault !== null || String(text).split('\n').length - 1 <= MAX_CARD_BREAKS) return fault;
  return networkError(131009, `Param cards[${i}]['body']['text'] has at most ${MAX_CARD_BREAKS} line breaks.`);
}

function checkAlike(cards: readonly JsonObject[]): NetworkError | null {
  if (new Set(cards.map((card) => card.card_index)).size < cards.length) {
    return networkError(131009, 'Each card needs a card_index of its own.');
  }
  const kinds = cards.map(({ action }) =>
    isJsonObject(action) && Array.isArray(action.buttons) ? action.buttons.length : 0,
  );
  return new Set(kinds).size === 1
    ? null
    : networkError(131009, 'Button types and numbers must match across all cards.');
}

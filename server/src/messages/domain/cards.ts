import { isJsonList, isJsonObject, type JsonObject } from '#core/json';
import { type ContentRule, exactlyOne, objectAt, objectsAt, type RuleFault, repeated } from '#core/rule-fault';
import { distinctReplies } from './interactive.ts';

/** "Cards must include either one URL button, or one or more quick-reply buttons." */
export const cardAction: ContentRule = (action) => [
  ...exactlyOne(action, ['parameters', 'buttons']),
  ...misnamed(action),
  ...distinctReplies(action, 'quick_reply'),
];

/** An address is opened by its own action; buttons have none. */
const misnamed: ContentRule = (action) => {
  if (!isJsonObject(action)) return [];
  const [named, opens] = [action.name !== undefined, action.parameters !== undefined];
  if (named === opens) return [];
  return [{ at: 'name', message: named ? 'is allowed only with parameters' : 'is required beside parameters' }];
};

/** "Unique index for each card"; "button types and numbers must match across all cards". */
export const alikeCards: ContentRule = (action) => {
  const cards = objectsAt(action, 'cards');
  return [
    ...repeated(cards, {
      textOf: ({ item }) => (typeof item.card_index === 'number' ? String(item.card_index) : undefined),
      at: ({ index }) => `cards[${index}].card_index`,
      named: 'the card_index of another card',
    }),
    ...unlikeTheFirst(cards),
  ];
};

function unlikeTheFirst(cards: ReturnType<typeof objectsAt>): readonly RuleFault[] {
  const kinds = cards.map(({ item, index }) => ({ index, buttons: buttonsOf(item) }));
  const [first, ...others] = kinds.filter(({ buttons }) => buttons !== null);
  return others
    .filter(({ buttons }) => buttons !== first?.buttons)
    .map(({ index }) => ({
      at: `cards[${index}].action`,
      message: `must have the same kind and number of buttons as cards[${first?.index}].action`,
    }));
}

/** What must be the same in all cards; null for a card that is faulty. */
function buttonsOf(card: JsonObject): string | null {
  const { buttons, parameters } = objectAt(card, 'action');
  if ((buttons === undefined) === (parameters === undefined)) return null;
  if (buttons === undefined) return 'an address';
  return isJsonList(buttons) ? `${buttons.length} replies` : null;
}

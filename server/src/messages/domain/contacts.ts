import type { JsonObject } from '#core/json';
import { type ContentRule, objectAt } from '#core/rule-fault';

/** "accept ≤ 257": the largest of the figures that are known of the network. */
export const MAX_CONTACT_CARDS = 257;
/** Of each list and text of a card; the network names none. */
export const MAX_CARD_ENTRIES = 30;
export const MAX_CARD_CHARACTERS = 500;

/** Contact cards: each has the network's own shape, see messages/http/schemas/content/contacts.ts. */
export interface ContactsContent {
  readonly type: 'contacts';
  readonly contacts: readonly JsonObject[];
}

const PARTS_OF_A_NAME = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix'] as const;

/** "formatted_name (required), first_name, last_name, middle_name, prefix, suffix — at least one". */
export const nameHasAPart: ContentRule = (card) => {
  const name = objectAt(card, 'name');
  if (name.formatted_name === undefined || PARTS_OF_A_NAME.some((part) => name[part] !== undefined)) return [];
  return [{ at: 'name', message: `needs at least one of ${PARTS_OF_A_NAME.join(', ')} in addition to formatted_name` }];
};

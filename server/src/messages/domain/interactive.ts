import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { type ContentRule, exactlyOne, objectAt, objectsAt, type RuleFault, repeated } from '#core/rule-fault';
import { isMediaType, type MediaVisitor } from '#media/domain/media-content';

/** The network's limits of interactive messages, in characters or pieces. */
export const interactiveLimits = {
  body: 1024,
  listBody: 4096,
  footer: 60,
  headerText: 60,
  buttons: 3,
  buttonId: 256,
  buttonTitle: 20,
  listButton: 20,
  sections: 10,
  sectionTitle: 24,
  rows: 10,
  rowId: 200,
  rowTitle: 24,
  rowDescription: 72,
  displayText: 20,
  url: 2000,
  flowCta: 30,
  flowToken: 1024,
  products: 30,
  cards: 10,
  fewestCards: 2,
  cardBody: 160,
  cardBreaks: 2,
  /** The network states none for its names of catalogues, products, flows and screens. */
  name: 256,
} as const;

/** An interactive message: the network's own shape, but for media, which may be ours (`media_id`). */
export interface InteractiveContent {
  readonly type: 'interactive';
  readonly interactive: JsonObject;
}

/** "id … unique …; title … unique". */
export const distinctButtons: ContentRule = (action) => distinctReplies(action, 'reply');

/** The same for buttons whose id and title are in this member. */
export function distinctReplies(action: JsonValue, member: 'reply' | 'quick_reply'): readonly RuleFault[] {
  const buttons = objectsAt(action, 'buttons');
  const distinct = (key: 'id' | 'title') =>
    repeated(buttons, {
      textOf: ({ item }) => objectAt(item, member)[key],
      at: ({ index }) => `buttons[${index}].${member}.${key}`,
      named: `the ${key} of another button`,
    });
  const [ids, titles] = [distinct('id'), distinct('title')];
  return ids.length + titles.length === 0 ? ids : [...ids, ...titles];
}

/** "≤ 10 rows over all sections; section title required if > 1 section; row id unique". */
export const listSections: ContentRule = (action) => {
  const sections = objectsAt(action, 'sections');
  const rows = sections.flatMap(({ item, index }) =>
    objectsAt(item, 'rows').map((row) => ({ section: index, row: row.index, id: row.item.id })),
  );
  return [
    ...tooMany({ at: 'sections', count: rows.length, limit: interactiveLimits.rows, what: 'rows' }),
    ...repeated(rows, {
      textOf: ({ id }) => id,
      at: ({ section, row }) => `sections[${section}].rows[${row}].id`,
      named: 'the id of another row',
    }),
    ...untitled(sections),
  ];
};

/** "≤ 30 products, ≤ 10 sections". */
export const productSections: ContentRule = (action) => {
  const sections = objectsAt(action, 'sections');
  const count = sections.reduce((sum, { item }) => sum + objectsAt(item, 'product_items').length, 0);
  return [
    ...tooMany({ at: 'sections', count, limit: interactiveLimits.products, what: 'products' }),
    ...untitled(sections),
  ];
};

/** "flow_id ⊕ flow_name". */
export const oneFlow: ContentRule = (parameters) => exactlyOne(parameters, ['flow_id', 'flow_name']);

/** "card body ≤ 160 chars, ≤ 2 line breaks". */
export const fewLineBreaks: ContentRule = (card) => {
  const { text } = objectAt(card, 'body');
  const breaks = typeof text === 'string' ? text.split('\n').length - 1 : 0;
  const { cardBreaks } = interactiveLimits;
  return breaks <= cardBreaks ? [] : [{ at: 'body.text', message: `may have at most ${cardBreaks} line breaks` }];
};

interface Amount {
  readonly at: string;
  readonly count: number;
  readonly limit: number;
  readonly what: string;
}

function tooMany({ at, count, limit, what }: Amount): readonly RuleFault[] {
  return count <= limit ? [] : [{ at, message: `have ${count} ${what} in total; they may have at most ${limit}` }];
}

function untitled(sections: ReturnType<typeof objectsAt>): readonly RuleFault[] {
  if (sections.length < 2) return [];
  return sections
    .filter(({ item }) => item.title === undefined)
    .map(({ index }) => ({ at: `sections[${index}].title`, message: 'is required when there are several sections' }));
}

/** The interactive message with each media of its header and of its cards' headers visited. */
export function mapInteractiveMedia(interactive: JsonObject, visit: MediaVisitor): JsonObject {
  const whole = mapHeader(interactive, { visit, path: 'body.interactive' });
  const cards = objectsAt(whole.action, 'cards');
  if (cards.length === 0) return whole;
  const mapped = cards.map(({ item, index }) =>
    mapHeader(item, { visit, path: `body.interactive.action.cards[${index}]` }),
  );
  return { ...whole, action: { ...objectAt(whole, 'action'), cards: mapped } };
}

function mapHeader(
  part: JsonObject,
  { visit, path }: { readonly visit: MediaVisitor; readonly path: string },
): JsonObject {
  const header = objectAt(part, 'header');
  const { type } = header;
  if (!isMediaType(type)) return part;
  const media = header[type];
  if (!isJsonObject(media)) return part;
  return { ...part, header: { ...header, [type]: visit(media, type, `${path}.header.${type}`) } };
}

import { isUuid } from './ids.ts';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** Replaces a text that cannot be null. */
export const ERASED = 'erased';

/** What becomes of one kind of data when a person is erased. */
export interface ErasureItem {
  readonly what: string;
  /** `pending`: it is erased in the background. `kept`: it stays, for the reason given. */
  readonly outcome: 'erased' | 'pending' | 'kept';
  /** When what is pending or kept is gone at the latest, in milliseconds since 1970; null: no such time. */
  readonly untilMs: number | null;
  readonly why: string;
}

/** How long each kind of data lives that is not searched for a person. */
export interface Retentions {
  readonly callbackMs: number;
  readonly idempotencyMs: number;
  readonly deliveryMs: number;
  readonly blobMs: number;
}

/**
 * What the erasure of a person comes to: every place of the product that can name one.
 * @param suppressed whether the number was blocked or opted out
 */
export function erasureItems(nowMs: number, retentions: Retentions, suppressed: boolean): readonly ErasureItem[] {
  const erased = (what: string, why: string): ErasureItem => ({ what, outcome: 'erased', untilMs: null, why });
  const kept = (what: string, forMs: number | null, why: string): ErasureItem => {
    return { what, outcome: 'kept', untilMs: forMs === null ? null : nowMs + forMs, why };
  };
  return [
    erased('contact', 'Names, numbers, attributes, tags, search terms and merges. Its ID is kept.'),
    erased(
      'messages',
      'Both directions: numbers, texts, references and IDs of the network. IDs, times and price are kept.',
    ),
    erased('conversations', 'Previews, notes, drafts, tags and the values in their history. IDs and times are kept.'),
    erased('rule_decisions', 'What chatbot rules evaluated and replied. Which rules matched is kept.'),
    erased('campaign_recipients', 'The number and its values, in every campaign. The outcome is kept.'),
    { ...kept('received_media', retentions.blobMs, 'The bytes are removed in the background.'), outcome: 'pending' },
    { ...kept('search', null, 'Its words in the search index are removed in the background.'), outcome: 'pending' },
    { ...kept('events', null, 'Events are searched and stripped in the background.'), outcome: 'pending' },
    kept('callbacks', retentions.callbackMs, 'Raw callbacks from the network, including unreadable ones.'),
    kept('idempotency', retentions.idempotencyMs, 'Responses to requests with an Idempotency-Key, for retries.'),
    kept(
      'webhook_attempts',
      retentions.deliveryMs,
      "The start of the responses of your webhook receivers, and callbacks for receivers that take the network's form.",
    ),
    kept('consent', null, 'When and where the contact agreed or refused, without the wording: your proof.'),
    kept(
      'uploads',
      null,
      'Files that you uploaded, with their names and the errors of imports: delete them, or they expire.',
    ),
    kept('reports', null, 'Daily totals: they contain tags of conversations, but no personal data.'),
    kept(
      'settings',
      null,
      'Rules, segments, views, templates, campaigns and canned replies are yours, and are not searched.',
    ),
    ...(suppressed
      ? [
          kept(
            'suppression',
            null,
            'The number was blocked or opted out: no one may message it. A block at the network stays as well.',
          ),
        ]
      : []),
  ];
}

/** Words of ours, and names of what the tenant has set up. */
const KEPT_FIELDS: ReadonlySet<string> = new Set([
  ...['type', 'status', 'state', 'kind', 'cause', 'code', 'priority', 'handled_by', 'marketing', 'direction'],
  ...['phone_number_id', 'category', 'model', 'template', 'campaign_name'],
]);
/** References of the caller and of the network: they may look like ids of ours. */
const FOREIGN_IDS: ReadonlySet<string> = new Set(['external_id', 'client_ref', 'user_id', 'from_user_id']);
/** Fields of which an event always has a text. */
const NEVER_NULL: ReadonlySet<string> = new Set('to from body message network_message_id'.split(' '));
/** Objects whose keys are personal data. */
const FREE_FORM: ReadonlySet<string> = new Set(['attributes', 'content', 'data', 'referral']);
const NAMES_IDS = /(^|_)ids?$|^mentions$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The data of an event without what a person is called, reached by or wrote. Its shape, ids, times and states stay. */
export function eraseEventData(data: JsonObject): JsonObject {
  return mapFields(data, (field, value) => {
    // What the network sent is under the name of the type; numbers in it, such as those of a location, are erased as
    // well. A call has times and an outcome, and nothing that anybody said.
    if (field === data.type && field !== 'call' && isJsonObject(value)) return {};
    return field === 'changes' && isJsonObject(value) ? mapFields(value, erasedChange) : erasedValue(field, value);
  });
}

function mapFields(object: JsonObject, map: (field: string, value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([field, value]) => [field, map(field, value)]));
}

/** The old and the new value keep their places. */
function erasedChange(field: string, change: JsonValue): JsonValue {
  return isJsonList(change) ? change.map((value) => erasedValue(field, value)) : erasedValue(field, change);
}

function erasedValue(field: string, value: JsonValue): JsonValue {
  if (typeof value === 'string') return erasedText(field, value);
  if (isJsonList(value)) return value.map((item) => erasedValue(field, item)).filter((item) => item !== null);
  if (!isJsonObject(value)) return value;
  return FREE_FORM.has(field) ? {} : mapFields(value, erasedValue);
}

function erasedText(field: string, value: string): string | null {
  const isId = NAMES_IDS.test(field) && !FOREIGN_IDS.has(field) && isUuid(value);
  if (isId || KEPT_FIELDS.has(field) || TIME.test(value)) return value;
  return NEVER_NULL.has(field) ? ERASED : null;
}

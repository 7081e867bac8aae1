/** `interactive`: a body with something to tap. One row per kind says what its action must hold. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import type { JsonObject } from '../../json.ts';
import { checkButtons, checkCtaUrl, checkFlow, checkList, checkNamed, checkProducts } from './actions.ts';
import { checkCards } from './cards.ts';
import { checkMedia } from './media.ts';
import { checkOptionalString, checkString, isRefusal, requireObject } from './text.ts';

const MAX_BODY = 1024;
const MAX_LIST_BODY = 4096;
const MAX_FOOTER = 60;
const MAX_HEADER = 60;

type HeaderType = 'text' | 'image' | 'video' | 'document';
const ANY_HEADER: readonly HeaderType[] = ['text', 'image', 'video', 'document'];

type Kind = {
  readonly action: (action: JsonObject) => NetworkError | null;
  /** Headers that the kind takes. */
  readonly headers: readonly HeaderType[];
  readonly needsHeader?: boolean;
  readonly optionalBody?: boolean;
  readonly maxBody?: number;
};

const FREE = (): null => null;

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['button', { action: (action) => checkButtons(action), headers: ANY_HEADER }],
  ['list', { action: checkList, headers: ['text'], maxBody: MAX_LIST_BODY }],
  ['cta_url', { action: checkCtaUrl, headers: ANY_HEADER }],
  ['flow', { action: checkFlow, headers: ANY_HEADER }],
  ['product', { action: (action) => checkProducts(action, false), headers: [], optionalBody: true }],
  ['product_list', { action: (action) => checkProducts(action, true), headers: ['text'], needsHeader: true }],
  ['catalog_message', { action: (action) => checkNamed('catalog_message', action), headers: [] }],
  ['location_request_message', { action: (action) => checkNamed('send_location', action), headers: [] }],
  ['address_message', { action: (action) => checkNamed('address_message', action), headers: ANY_HEADER }],
  ['call_permission_request', { action: (action) => checkNamed('call_permission_request', action), headers: [] }],
  ['voice_call', { action: (action) => checkNamed('voice_call', action), headers: ANY_HEADER }],
  ['request_contact_info', { action: (action) => checkNamed('request_contact_info', action), headers: [] }],
  ['carousel', { action: checkCards, headers: [] }],
  ['order_details', { action: FREE, headers: ANY_HEADER }],
  ['order_status', { action: FREE, headers: ANY_HEADER }],
]);

/** Checks type, header, body, footer and action, in this order. */
export function checkInteractive(payload: JsonObject): NetworkError | null {
  const { type } = payload;
  if (typeof type !== 'string' || type === '')
    return networkError(131008, "Parameter interactive['type'] is required.");
  const kind = KINDS.get(type);
  if (kind === undefined) {
    return networkError(131009, `Param interactive['type'] must be one of {${[...KINDS.keys()].join(', ')}}.`);
  }
  return (
    checkHeader(type, kind, payload.header) ??
    checkBody(kind, payload.body) ??
    checkFooter(payload.footer) ??
    checkAction(kind, payload.action)
  );
}

function checkHeader(type: string, kind: Kind, value: unknown): NetworkError | null {
  if (value === undefined) {
    return kind.needsHeader === true ? networkError(131008, "Parameter interactive['header'] is required.") : null;
  }
  const header = requireObject("interactive['header']", value);
  if (isRefusal(header)) return header;
  const form = kind.headers.find((name) => name === header.type);
  if (form === undefined) {
    const takes = kind.headers.length === 0 ? 'no header' : `a header of type ${kind.headers.join(', ')}`;
    return networkError(131009, `An interactive message of type ${type} takes ${takes}.`);
  }
  if (form === 'text') return checkString("interactive['header']['text']", header.text, 1, MAX_HEADER);
  const media = requireObject(`interactive['header']['${form}']`, header[form]);
  return isRefusal(media) ? media : checkMedia(form, media);
}

function checkBody(kind: Kind, value: unknown): NetworkError | null {
  if (value === undefined && kind.optionalBody === true) return null;
  const body = requireObject("interactive['body']", value);
  if (isRefusal(body)) return body;
  return checkString("interactive['body']['text']", body.text, 1, kind.maxBody ?? MAX_BODY);
}

function checkFooter(value: unknown): NetworkError | null {
  if (value === undefined) return null;
  const footer = requireObject("interactive['footer']", value);
  return isRefusal(footer) ? footer : checkOptionalString("interactive['footer']['text']", footer.text, MAX_FOOTER);
}

function checkAction(kind: Kind, value: unknown): NetworkError | null {
  const action = requireObject("interactive['action']", value);
  return isRefusal(action) ? action : kind.action(action);
}

/** What the network asks of a template before it is even reviewed. */
import { refuseWith } from '../graph/call.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { checkButtons } from './check-buttons.ts';
import {
  type Format,
  requireExamples,
  requirePlain,
  requireText,
  requireVariables,
  requireWordsAround,
  SUBCODE,
  variablesOf,
} from './check-text.ts';
import type { Category } from './template-store.ts';

const MAX_HEADER = 60;
const MAX_BODY = 1024;
const MAX_FOOTER = 60;
/** Of a card, as in a carousel that needs no template. */
const MAX_CARD_BODY = 160;
const MAX_CARD_BREAKS = 2;
const MAX_OFFER = 16;
const MIN_CARDS = 2;
const MAX_CARDS = 10;
const MAX_CODE_MINUTES = 90;
const HEADER_FILES: Readonly<Record<string, RegExp>> = {
  IMAGE: /^image\//,
  VIDEO: /^video\//,
  DOCUMENT: /^application\/pdf$/,
  GIF: /^(video|image)\//,
};
/** What a template for one-time codes consists of. */
const CODE_PARTS = ['BODY', 'FOOTER', 'BUTTONS'];
const CARD_PARTS = ['HEADER', 'BODY', 'BUTTONS'];
const CARD_HEADERS = ['IMAGE', 'VIDEO', 'PRODUCT'];
const PLAIN_HEADERS = ['LOCATION', 'PRODUCT'];

type Rules = { readonly category: Category; readonly format: Format };

/** Throws the refusal of the first fault; gives the components as they are kept, types in upper case. */
export function checkComponents(sim: Simulation, value: unknown, rules: Rules): readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isJsonObject)) {
    return refuseWith(100, 'Param components must be an array of components.');
  }
  const components: readonly JsonObject[] = value.map((one) => ({ ...one, type: String(one.type).toUpperCase() }));
  const types = components.map((component) => component.type);
  if (new Set(types).size !== types.length) refuseWith(100, 'A template has each component at most once.');
  if (!types.includes('BODY')) refuseWith(100, 'A template needs a component of type BODY.', SUBCODE.body);
  for (const component of components) checkComponent(sim, component, rules);
  if (rules.category === 'AUTHENTICATION') requireOtp(components);
  return components.map((component) => publicHeader(component));
}

function checkComponent(sim: Simulation, component: JsonObject, rules: Rules): void {
  if (rules.category === 'AUTHENTICATION' && !CODE_PARTS.includes(String(component.type))) {
    refuseWith(100, `An authentication template has no ${String(component.type)}.`);
  }
  const check = CHECKS.get(String(component.type));
  if (check === undefined) refuseWith(100, `The component type ${String(component.type)} is not known.`);
  check(sim, component, rules);
}

type Check = (sim: Simulation, component: JsonObject, rules: Rules) => void;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['HEADER', checkHeader],
  ['BODY', checkBody],
  ['FOOTER', checkFooter],
  ['BUTTONS', checkButtonsOf],
  ['CAROUSEL', checkCarousel],
  ['LIMITED_TIME_OFFER', (_sim, component) => void checkOffer(component)],
]);

function checkButtonsOf(_sim: Simulation, { buttons }: JsonObject, { category }: Rules): void {
  checkButtons(buttons);
  const kinds = (buttons as readonly unknown[]).map((button) => String(objectOf(button).type).toUpperCase());
  if (category !== 'AUTHENTICATION' && kinds.includes('OTP')) {
    refuseWith(100, 'A button of type OTP belongs to an authentication template.');
  }
}

function checkOffer(component: JsonObject): string {
  return requireText("limited_time_offer['text']", objectOf(component.limited_time_offer).text, MAX_OFFER);
}

function checkHeader(sim: Simulation, header: JsonObject, { format }: Rules): void {
  const kind = String(header.format).toUpperCase();
  if (PLAIN_HEADERS.includes(kind)) return;
  if (kind === 'TEXT') {
    const text = requireText("HEADER['text']", header.text, MAX_HEADER);
    requirePlain('The header', text, 'no formatting');
    const variables = requireVariables('the header', text, format);
    if (variables.length > 1) refuseWith(100, 'The header has at most one variable.', SUBCODE.header);
    requireExamples('header_text', header.example, variables, format);
    return;
  }
  const file = Object.hasOwn(HEADER_FILES, kind) ? HEADER_FILES[kind] : undefined;
  if (file === undefined) refuseWith(100, `The header format ${kind} is not known.`, SUBCODE.header);
  else requireHandle(sim, kind, file, header);
}

function requireHandle(sim: Simulation, kind: string, type: RegExp, header: JsonObject): void {
  const handles = objectOf(header.example).header_handle;
  const handle: unknown = Array.isArray(handles) ? handles[0] : undefined;
  if (typeof handle !== 'string')
    refuseWith(100, `A header of format ${kind} needs example.header_handle.`, SUBCODE.header);
  const uploaded = sim.uploads.fileOf(handle, sim.clock.now());
  if (uploaded === null) refuseWith(100, 'The header handle is not known or has expired.', SUBCODE.header);
  if (!type.test(uploaded.fileType)) {
    refuseWith(
      100,
      `The file of the header handle has the type ${uploaded.fileType}, which is no ${kind}.`,
      SUBCODE.header,
    );
  }
}

function checkBody(_sim: Simulation, body: JsonObject, { category, format }: Rules): void {
  if (category === 'AUTHENTICATION') {
    // The text of these templates is the network's own.
    if (body.text !== undefined)
      refuseWith(100, 'The body of an authentication template has no text of its own.', SUBCODE.body);
    return;
  }
  const text = requireText("BODY['text']", body.text, MAX_BODY);
  const variables = requireVariables('the body', text, format);
  requireWordsAround(text, variables);
  requireExamples('body_text', body.example, variables, format);
}

function checkFooter(_sim: Simulation, footer: JsonObject, { category }: Rules): void {
  if (category === 'AUTHENTICATION') {
    const minutes = footer.code_expiration_minutes;
    const inRange = typeof minutes === 'number' && minutes >= 1 && minutes <= MAX_CODE_MINUTES;
    if (!inRange)
      refuseWith(100, `code_expiration_minutes must be a number from 1 to ${MAX_CODE_MINUTES}.`, SUBCODE.footer);
    return;
  }
  const text = requireText("FOOTER['text']", footer.text, MAX_FOOTER);
  if (variablesOf(text).length > 0) refuseWith(100, 'The footer cannot have variables.', SUBCODE.footer);
  requirePlain('The footer', text, 'formatting');
}

function checkCarousel(sim: Simulation, { cards }: JsonObject, rules: Rules): void {
  if (!Array.isArray(cards) || cards.length < MIN_CARDS || cards.length > MAX_CARDS) {
    refuseWith(100, `A carousel has ${MIN_CARDS} to ${MAX_CARDS} cards.`);
  }
  const shapes = new Set<string>();
  for (const card of cards as readonly unknown[]) {
    const components = objectOf(card).components;
    if (!Array.isArray(components) || !components.every(isJsonObject)) {
      refuseWith(100, 'A card needs an array of components.');
    }
    const kept: readonly JsonObject[] = components.map((one) => ({ ...one, type: String(one.type).toUpperCase() }));
    requireCardParts(kept);
    for (const component of kept) checkComponent(sim, component, rules);
    requireShortBody(kept.find((part) => part.type === 'BODY')?.text);
    shapes.add(kept.map(shapeOf).join());
  }
  if (shapes.size > 1) refuseWith(100, 'All cards of a carousel must have the same components.');
}

/** "each HEADER (image, video or product), BODY at will, BUTTONS" */
function requireCardParts(parts: readonly JsonObject[]): void {
  const types = parts.map((part) => String(part.type));
  if (new Set(types).size !== types.length) refuseWith(100, 'A card has each component at most once.');
  if (types.some((type) => !CARD_PARTS.includes(type))) {
    refuseWith(100, `A card consists of ${CARD_PARTS.join(', ')}.`);
  }
  const header = parts.find((part) => part.type === 'HEADER');
  if (!CARD_HEADERS.includes(String(header?.format).toUpperCase())) {
    refuseWith(100, `A card needs a header of the format ${CARD_HEADERS.join(', ')}.`, SUBCODE.header);
  }
  if (!types.includes('BUTTONS')) refuseWith(100, 'A card needs buttons.');
}

/** "card body ≤ 160 chars, ≤ 2 line breaks" */
function requireShortBody(text: unknown): void {
  if (typeof text !== 'string') return;
  requireText("BODY['text'] of a card", text, MAX_CARD_BODY);
  if (text.split('\n').length - 1 > MAX_CARD_BREAKS) {
    refuseWith(100, `The body of a card has at most ${MAX_CARD_BREAKS} line breaks.`, SUBCODE.body);
  }
}

function shapeOf(part: JsonObject): string {
  const buttons: readonly unknown[] = Array.isArray(part.buttons) ? part.buttons : [];
  const kinds = buttons.map((button) => String(objectOf(button).type).toUpperCase());
  return `${String(part.type)}:${String(part.format).toUpperCase()}:${kinds.join('+')}`;
}

function requireOtp(components: readonly JsonObject[]): void {
  const buttons = components.find((component) => component.type === 'BUTTONS')?.buttons;
  const list: readonly unknown[] = Array.isArray(buttons) ? buttons : [];
  if (list.length !== 1 || String(objectOf(list[0]).type).toUpperCase() !== 'OTP') {
    refuseWith(100, 'An authentication template needs exactly one button, of type OTP.');
  }
}

/** The handle that a header was made with comes back as the address of the file. */
function publicHeader(component: JsonObject): JsonObject {
  const handles = objectOf(component.example).header_handle;
  if (!Array.isArray(handles)) return component;
  const address = `https://scontent.example/v/t61.${Buffer.from(String(handles[0])).toString('base64url').slice(-32)}`;
  return { ...component, example: { ...objectOf(component.example), header_handle: [address] } };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

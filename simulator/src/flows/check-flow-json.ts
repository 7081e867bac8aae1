/** The rules of the JSON of flows that do not depend on its version: screens, the end of the form, and the way between screens. */
import { isJsonObject, type JsonObject } from '../json.ts';

const VERSION = /^\d+\.\d+$/;
const SCREEN_ID = /^[A-Za-z_]+$/;
/** The network shows it when the form has ended. */
const RESERVED = 'SUCCESS';
/** Deeper than components nest. */
const MAX_DEPTH = 30;

type Screen = { readonly place: string; readonly node: JsonObject };

/** What is wrong with it, as the network words it; empty: it can be published. */
export function flowProblems(json: JsonObject): readonly JsonObject[] {
  if (typeof json.version !== 'string' || !VERSION.test(json.version))
    return [problem('INVALID_PROPERTY_VALUE', "The property 'version' must be a version such as 7.2.", 'version')];
  if (!Array.isArray(json.screens) || json.screens.length === 0)
    return [problem('REQUIRED_PROPERTY', "The property 'screens' must be an array of at least one screen.", 'screens')];
  const screens = json.screens.map((node: unknown, index) => ({
    place: `screens[${index}]`,
    node: isJsonObject(node) ? node : {},
  }));
  const ids = screens.map(({ node }) => String(node.id));
  return [
    ...screens.flatMap((screen, index) => screenProblems(screen, ids.slice(0, index))),
    ...(screens.some(({ node }) => node.terminal === true)
      ? []
      : [problem('MISSING_TERMINAL_SCREEN', "One screen must be the last: 'terminal' must be true.", 'screens')]),
    ...screens.flatMap(({ place, node }) => wayProblems(node.layout, `${place}.layout`, ids, 0)),
    ...routingProblems(json, ids),
  ];
}

function screenProblems({ place, node }: Screen, before: readonly string[]): readonly JsonObject[] {
  const { id, layout } = node;
  const problems: JsonObject[] = [];
  if (typeof id !== 'string' || !SCREEN_ID.test(id) || id === RESERVED)
    problems.push(problem('INVALID_PROPERTY_VALUE', 'A screen is named by letters and underscores.', `${place}.id`));
  else if (before.includes(id))
    problems.push(problem('DUPLICATE_SCREEN_ID', `There is another screen ${id}.`, `${place}.id`));
  const children = isJsonObject(layout) && Array.isArray(layout.children) ? layout.children : [];
  if (children.length === 0)
    problems.push(problem('REQUIRED_PROPERTY', 'A screen needs a layout with children.', `${place}.layout`));
  else if (node.terminal === true && !hasFooter(children, 0))
    problems.push(problem('MISSING_FOOTER', 'The last screen needs a Footer.', `${place}.layout.children`));
  return problems;
}

function hasFooter(children: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH || typeof children !== 'object' || children === null) return false;
  if (isJsonObject(children) && children.type === 'Footer') return true;
  return Object.values(children).some((child) => hasFooter(child, depth + 1));
}

/** Every step to another screen leads to one that exists. */
function wayProblems(value: unknown, place: string, ids: readonly string[], depth: number): readonly JsonObject[] {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => wayProblems(item, `${place}[${at}]`, ids, depth + 1));
  const node = value as JsonObject;
  const { next } = node;
  const leads = node.name === 'navigate' && isJsonObject(next) && next.type === 'screen' ? String(next.name) : null;
  const own = leads === null || ids.includes(leads) ? [] : [unknownScreen(leads, `${place}.next.name`)];
  const below = Object.entries(node).flatMap(([key, item]) => wayProblems(item, `${place}.${key}`, ids, depth + 1));
  return [...own, ...below];
}

/** `{"A": ["B"]}`; it is needed by flows that ask the business for data. */
function routingProblems(json: JsonObject, ids: readonly string[]): readonly JsonObject[] {
  const { routing_model: routing, data_api_version: dataVersion } = json;
  if (routing === undefined)
    return dataVersion === undefined
      ? []
      : [problem('REQUIRED_PROPERTY', "'routing_model' is required with 'data_api_version'.", 'routing_model')];
  if (!isJsonObject(routing))
    return [problem('INVALID_PROPERTY_TYPE', "'routing_model' must be an object.", 'routing_model')];
  return Object.entries(routing).flatMap(([from, to]) => {
    const named = [from, ...(Array.isArray(to) ? to.map(String) : [])];
    return named.filter((id) => !ids.includes(id)).map((id) => unknownScreen(id, `routing_model.${from}`));
  });
}

function unknownScreen(id: string, place: string): JsonObject {
  return problem('INVALID_ROUTING', `There is no screen ${id}.`, place);
}

/** Lines and columns are not counted here. */
export function problem(error: string, message: string, path: string): JsonObject {
  return { error, error_type: 'FLOW_JSON_ERROR', message, pointers: [{ path }] };
}

/** What the action of each kind of interactive message must hold. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { checkOptionalString, checkString, firstFault, isRefusal, isWebAddress, requireObject } from './text.ts';

const MAX_BUTTONS = 3;
const MAX_BUTTON_ID = 256;
const MAX_BUTTON_TITLE = 20;
const MAX_LABEL = 20;
const MAX_SECTIONS = 10;
const MAX_ROWS = 10;
const MAX_ROW_ID = 200;
const MAX_ROW_TITLE = 24;
const MAX_ROW_DESCRIPTION = 72;
const MAX_PRODUCTS = 30;
const MAX_URL = 2000;
const MAX_FLOW_LABEL = 30;
const MAX_ID = 256;

/** One to three reply buttons; ids and titles differ, and no id begins or ends with a space. */
export function checkButtons({ buttons }: JsonObject, member = 'reply'): NetworkError | null {
  if (!Array.isArray(buttons) || buttons.length < 1 || buttons.length > MAX_BUTTONS) {
    return networkError(131009, `Param interactive['action']['buttons'] must hold 1 to ${MAX_BUTTONS} buttons.`);
  }
  const replies = (buttons as readonly unknown[]).map((button) => (isJsonObject(button) ? button[member] : undefined));
  return (
    firstFault(replies, checkReply) ??
    checkDistinct(replies, 'id', 'Button') ??
    checkDistinct(replies, 'title', 'Button')
  );
}

function checkReply(reply: unknown): NetworkError | null {
  if (!isJsonObject(reply)) return networkError(131008, "Each button needs a 'reply' with 'id' and 'title'.");
  const { id, title } = reply;
  const fault =
    checkString("reply['id']", id, 1, MAX_BUTTON_ID) ?? checkString("reply['title']", title, 1, MAX_BUTTON_TITLE);
  if (fault !== null) return fault;
  if (String(id).trim() !== id) return networkError(131009, 'A button id must not begin or end with a space.');
  return /[\r\n]/.test(String(title)) ? networkError(131009, 'A button title must be one line.') : null;
}

function checkDistinct(items: readonly unknown[], member: string, thing: string): NetworkError | null {
  const values = new Set(items.map((item) => (isJsonObject(item) ? item[member] : undefined)));
  return values.size === items.length ? null : networkError(131009, `${thing} ${member}s must differ from each other.`);
}

/** A label, sections with titles, and at most ten rows over all of them. */
export function checkList(action: JsonObject): NetworkError | null {
  const fault = checkString("interactive['action']['button']", action.button, 1, MAX_LABEL);
  if (fault !== null) return fault;
  const sections = sectionsOf(action);
  if (sections === null) return sectionsFault();
  const titles = checkTitles(sections);
  if (titles !== null) return titles;
  const rows = sections.flatMap((section) => membersOf(section, 'rows'));
  if (rows.length < 1 || rows.length > MAX_ROWS) {
    return networkError(131009, `A list holds 1 to ${MAX_ROWS} rows over all sections.`);
  }
  return firstFault(rows, checkRow) ?? checkDistinct(rows, 'id', 'Row');
}

function checkRow(row: unknown): NetworkError | null {
  if (!isJsonObject(row)) return networkError(100, 'A row must be a JSON object.');
  return (
    checkString("row['id']", row.id, 1, MAX_ROW_ID) ??
    checkString("row['title']", row.title, 1, MAX_ROW_TITLE) ??
    checkOptionalString("row['description']", row.description, MAX_ROW_DESCRIPTION)
  );
}

/** One product, or sections of products. */
export function checkProducts(action: JsonObject, many: boolean): NetworkError | null {
  const fault = checkString("interactive['action']['catalog_id']", action.catalog_id, 1, MAX_ID);
  if (fault !== null) return fault;
  if (!many) return checkString("action['product_retailer_id']", action.product_retailer_id, 1, MAX_ID);
  const sections = sectionsOf(action);
  if (sections === null) return sectionsFault();
  const items = sections.flatMap((section) => membersOf(section, 'product_items'));
  if (items.length < 1 || items.length > MAX_PRODUCTS) {
    return networkError(131009, `A product list holds 1 to ${MAX_PRODUCTS} products over all sections.`);
  }
  return (
    checkTitles(sections) ??
    firstFault(items, (item) =>
      checkString(
        "product_items['product_retailer_id']",
        isJsonObject(item) ? item.product_retailer_id : null,
        1,
        MAX_ID,
      ),
    )
  );
}

/** One button that opens an address. */
export function checkCtaUrl(action: JsonObject): NetworkError | null {
  const fault = checkNamed('cta_url', action);
  if (fault !== null) return fault;
  const parameters = requireObject("action['parameters']", action.parameters);
  if (isRefusal(parameters)) return parameters;
  const { display_text: label, url } = parameters;
  const wrong =
    checkString("parameters['display_text']", label, 1, MAX_LABEL) ?? checkString("parameters['url']", url, 1, MAX_URL);
  if (wrong !== null) return wrong;
  return isWebAddress(String(url))
    ? null
    : networkError(131009, "Param parameters['url'] must be an http or https address.");
}

/** A flow by id or by name, its label, and where it begins. */
export function checkFlow(action: JsonObject): NetworkError | null {
  const fault = checkNamed('flow', action);
  if (fault !== null) return fault;
  const parameters = requireObject("action['parameters']", action.parameters);
  if (isRefusal(parameters)) return parameters;
  const { flow_id: id, flow_name: name, mode, flow_action: step, flow_message_version: version } = parameters;
  if (version !== '3' && version !== 3)
    return networkError(131009, "Param parameters['flow_message_version'] must be 3.");
  if ((id === undefined) === (name === undefined)) {
    return networkError(131009, "Give one of parameters['flow_id'] and parameters['flow_name'].");
  }
  if (mode !== undefined && mode !== 'draft' && mode !== 'published') {
    return networkError(131009, "Param parameters['mode'] must be one of {draft, published}.");
  }
  if (step !== undefined && step !== 'navigate' && step !== 'data_exchange') {
    return networkError(131009, "Param parameters['flow_action'] must be one of {navigate, data_exchange}.");
  }
  return checkString("parameters['flow_cta']", parameters.flow_cta, 1, MAX_FLOW_LABEL) ?? checkFlowPayload(parameters);
}

function checkFlowPayload({ flow_action_payload: payload }: JsonObject): NetworkError | null {
  if (payload === undefined) return null;
  if (!isJsonObject(payload))
    return networkError(100, "Param parameters['flow_action_payload'] must be a JSON object.");
  const { data } = payload;
  if (data === undefined || (isJsonObject(data) && Object.keys(data).length > 0)) return null;
  return networkError(131009, "Param flow_action_payload['data'] must be an object that is not empty.");
}

/** An action that is known by its `name`. */
export function checkNamed(name: string, action: JsonObject): NetworkError | null {
  if (action.name === undefined) return networkError(131008, "Parameter interactive['action']['name'] is required.");
  return action.name === name
    ? null
    : networkError(131009, `Param interactive['action']['name'] must be '${name}' for this type.`);
}

function sectionsOf({ sections }: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(sections) || sections.length < 1 || sections.length > MAX_SECTIONS) return null;
  return sections.every(isJsonObject) ? sections : null;
}

function sectionsFault(): NetworkError {
  return networkError(131009, `Param interactive['action']['sections'] must hold 1 to ${MAX_SECTIONS} sections.`);
}

/** A title may be absent only when there is one section. */
function checkTitles(sections: readonly JsonObject[]): NetworkError | null {
  return firstFault(sections, ({ title }, i) =>
    title === undefined && sections.length === 1
      ? null
      : checkString(`sections[${i}]['title']`, title, sections.length === 1 ? 0 : 1, MAX_ROW_TITLE),
  );
}

function membersOf(section: JsonObject, member: string): readonly unknown[] {
  const items = section[member];
  return Array.isArray(items) ? items : [];
}

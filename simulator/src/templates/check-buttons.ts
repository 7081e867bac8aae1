/** The buttons of a template: how many of each kind, and what each must hold. */
import { refuseWith } from '../graph/call.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isWebAddress } from '../send/payloads/text.ts';
import { requirePlain, requireText, variablesOf } from './check-text.ts';

const MAX_BUTTONS = 10;
const MAX_LABEL = 25;
const MAX_URL = 2000;
const MAX_PHONE = 20;
const MAX_CODE = 15;
const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'];
/** Kinds and how many a template may have of each. */
const MOST: Readonly<Record<string, number>> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
  OTP: 1,
  CATALOG: 1,
  MPM: 1,
  SPM: 1,
  VOICE_CALL: 1,
  APP: 1,
  CALL_PERMISSION_REQUEST: 1,
  REQUEST_CONTACT_INFO: 1,
};
/** Kinds whose label the network writes itself. */
const OWN_LABEL = new Set(['COPY_CODE', 'OTP', 'CALL_PERMISSION_REQUEST', 'REQUEST_CONTACT_INFO']);

/** Throws the refusal of the first fault. */
export function checkButtons(value: unknown): void {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_BUTTONS || !value.every(isJsonObject)) {
    refuseWith(100, `Param components['buttons'] must hold 1 to ${MAX_BUTTONS} buttons.`);
  }
  const buttons: readonly JsonObject[] = value;
  const kinds = buttons.map((button) => String(button.type).toUpperCase());
  for (const kind of new Set(kinds)) {
    const most = Object.hasOwn(MOST, kind) ? MOST[kind] : undefined;
    if (most === undefined) refuseWith(100, `A button's type must be one of {${Object.keys(MOST).join(', ')}}.`);
    else if (kinds.filter((one) => one === kind).length > most)
      refuseWith(100, `A template has at most ${most} buttons of type ${kind}.`);
  }
  requireGrouped(kinds);
  const labels = buttons.map((button) => button.text).filter((label) => typeof label === 'string');
  if (new Set(labels).size < labels.length) refuseWith(100, 'Two buttons cannot have the same text.');
  for (const [i, button] of buttons.entries()) checkButton(kinds[i] ?? '', button);
}

/** Quick replies are adjacent: before all other buttons or after them. */
function requireGrouped(kinds: readonly string[]): void {
  const runs = kinds.filter((kind, i) => (kind === 'QUICK_REPLY') !== (kinds[i - 1] === 'QUICK_REPLY') || i === 0);
  if (runs.length > 2) refuseWith(100, 'Quick reply buttons must stand next to each other.');
}

function checkButton(kind: string, button: JsonObject): void {
  if (!OWN_LABEL.has(kind)) {
    const label = requireText("buttons['text']", button.text, MAX_LABEL);
    if (variablesOf(label).length > 0) refuseWith(100, 'The text of a button cannot have variables.');
    requirePlain("buttons['text']", label, 'no formatting');
  }
  switch (kind) {
    case 'URL':
      checkUrl(button);
      break;
    case 'PHONE_NUMBER':
      requireText("buttons['phone_number']", button.phone_number, MAX_PHONE);
      break;
    case 'COPY_CODE':
      requireText("buttons['example']", Array.isArray(button.example) ? button.example[0] : button.example, MAX_CODE);
      break;
    case 'FLOW':
      if (button.flow_id === undefined && button.flow_name === undefined && button.flow_json === undefined) {
        refuseWith(100, 'A flow button needs flow_id, flow_name or flow_json.');
      }
      break;
    case 'OTP':
      if (!OTP_TYPES.includes(String(button.otp_type).toUpperCase())) {
        refuseWith(100, `Param buttons['otp_type'] must be one of {${OTP_TYPES.join(', ')}}.`);
      }
      break;
  }
}

function checkUrl(button: JsonObject): void {
  const url = requireText("buttons['url']", button.url, MAX_URL);
  const variables = variablesOf(url);
  if (!isWebAddress(url.replace(/\{\{.*?\}\}/g, 'x')))
    refuseWith(100, "Param buttons['url'] must be an http or https address.");
  if (variables.length === 0) return;
  if (variables.length > 1 || !url.trimEnd().endsWith('}}')) {
    refuseWith(100, 'The address of a button has at most one variable, at its end.');
  }
  const example: unknown = Array.isArray(button.example) ? button.example[0] : button.example;
  if (typeof example !== 'string' || example === '')
    refuseWith(100, "The variable of a button's address needs an example.");
}

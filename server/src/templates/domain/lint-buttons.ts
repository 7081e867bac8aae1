import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { type RuleFault, repeated } from '#core/rule-fault';
import { definitionLimits, firstOf, objectsOf, textAt } from './definition.ts';
import { lengthFaults, plainFaults } from './lint-text.ts';
import { variablesIn } from './variables.ts';

/** Kinds of buttons, and how many of each a template may have. */
export const buttonLimits = {
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
} as const;

const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'];
/** Their label is the network's own. */
const LABELLED_BY_NETWORK: readonly JsonValue[] = [
  'COPY_CODE',
  'OTP',
  'CALL_PERMISSION_REQUEST',
  'REQUEST_CONTACT_INFO',
];

/** Every fault of the buttons of a component. */
export function buttonsFaults(value: JsonValue | undefined): readonly RuleFault[] {
  const { buttons: most } = definitionLimits;
  if (!isJsonList(value) || value.length === 0 || value.length > most || !value.every((one) => isJsonObject(one))) {
    return [{ at: 'buttons', message: `must have 1 to ${most} buttons` }];
  }
  const buttons = objectsOf(value);
  return [
    ...countFaults(buttons),
    ...groupFaults(buttons),
    ...repeated(buttons, {
      textOf: (button) => button.text,
      at: (_button, index) => `buttons[${index}].text`,
      named: 'the label of another button',
    }),
    ...buttons.flatMap((button, index) =>
      buttonFaults(button).map(({ at, message }) => ({ at: `buttons[${index}].${at}`, message })),
    ),
  ];
}

function countFaults(buttons: readonly JsonObject[]): readonly RuleFault[] {
  const kinds = [...new Set(buttons.map((button) => textAt(button, 'type')))];
  return kinds.flatMap((kind) => {
    if (!Object.hasOwn(buttonLimits, kind)) return [];
    const most = buttonLimits[kind as keyof typeof buttonLimits];
    const count = buttons.filter((button) => button.type === kind).length;
    return count <= most
      ? []
      : [{ at: 'buttons', message: `has ${count} buttons of type ${kind}; it may have ${most}` }];
  });
}

/** "Quick replies must be contiguous." */
function groupFaults(buttons: readonly JsonObject[]): readonly RuleFault[] {
  const isReply = buttons.map((button) => button.type === 'QUICK_REPLY');
  const changes = isReply.filter((one, index) => index > 0 && one !== isReply[index - 1]).length;
  return changes <= 1 ? [] : [{ at: 'buttons', message: 'must have its quick replies next to each other' }];
}

function buttonFaults(button: JsonObject): readonly RuleFault[] {
  const kind = textAt(button, 'type');
  if (!Object.hasOwn(buttonLimits, kind)) {
    return [{ at: 'type', message: `must be one of ${Object.keys(buttonLimits).join(', ')}` }];
  }
  return [...labelFaults(button, kind), ...kindFaults(button, kind)];
}

function labelFaults(button: JsonObject, kind: string): readonly RuleFault[] {
  if (LABELLED_BY_NETWORK.includes(kind)) return [];
  const text = textAt(button, 'text');
  return [
    ...lengthFaults(button, 'text', definitionLimits.label),
    ...(variablesIn(text).length > 0 ? [{ at: 'text', message: 'must not contain a variable' }] : []),
    ...plainFaults(text, 'text', { markup: true }),
  ];
}

function kindFaults(button: JsonObject, kind: string): readonly RuleFault[] {
  switch (kind) {
    case 'URL':
      return urlFaults(button);
    case 'PHONE_NUMBER':
      return lengthFaults(button, 'phone_number', definitionLimits.phone);
    case 'COPY_CODE':
      return lengthFaults({ example: firstOf(button.example) ?? null }, 'example', definitionLimits.code);
    case 'FLOW': {
      const named = ['flow_id', 'flow_name', 'flow_json'].some((key) => button[key] !== undefined);
      return named ? [] : [{ at: 'flow_id', message: 'is required, or flow_name, or flow_json' }];
    }
    case 'OTP':
      return OTP_TYPES.includes(textAt(button, 'otp_type'))
        ? []
        : [{ at: 'otp_type', message: `must be one of ${OTP_TYPES.join(', ')}` }];
    default:
      return [];
  }
}

/** "url ≤ 2000, one variable at the end", with a sample for it. */
function urlFaults(button: JsonObject): readonly RuleFault[] {
  const missing = lengthFaults(button, 'url', definitionLimits.url);
  if (missing.length > 0) return missing;
  const url = textAt(button, 'url');
  if (!isWebAddress(url.replace(/\{\{.*?\}\}/g, 'x'))) {
    return [{ at: 'url', message: 'must be an http or https URL' }];
  }
  const variables = variablesIn(url);
  if (variables.length === 0) return [];
  const sample = firstOf(button.example);
  return [
    ...(variables.length === 1 && url.trimEnd().endsWith('}}')
      ? []
      : [{ at: 'url', message: 'may have one variable, at its end' }]),
    ...(typeof sample === 'string' && sample !== ''
      ? []
      : [{ at: 'example', message: 'has no sample for the variable' }]),
  ];
}

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

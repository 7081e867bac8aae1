import type { JsonObject } from '#core/json';
import type { RuleFault } from '#core/rule-fault';
import type { TemplateCategory, TemplateDefinition } from './definition.ts';
import { variablesIn } from './variables.ts';

/*
 * The network's library of ready-made templates. What is taken from it as it is needs no review.
 */

/** An entry of the library in one language. Words are in lower case here. */
export interface LibraryTemplate {
  /** The network's. */
  readonly entryId: string;
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  readonly topic: string | null;
  readonly useCase: string | null;
  readonly industries: readonly string[];
  readonly header: string | null;
  readonly body: string;
  /** The variables of the body, `{{1}}` first. */
  readonly variables: readonly LibraryVariable[];
  readonly buttons: readonly LibraryButton[];
}

export interface LibraryVariable {
  readonly example: string;
  /** What the network lets stand there: `text`, `date`, `amount`, …; null: it does not say. */
  readonly type: string | null;
}

export interface LibraryButton {
  /** `url`, `phone_number`, `quick_reply`, … */
  readonly type: string;
  readonly text: string;
  /** Samples: whoever takes the template says where it leads. */
  readonly url: string | null;
  readonly phoneNumber: string | null;
}

/** Where a button leads. A url ends in at most one variable, of which `example` is a whole address. */
export type LibraryInput =
  | { readonly type: 'url'; readonly url: string; readonly example?: string }
  | { readonly type: 'phone_number'; readonly phone_number: string };

/** Where the text of a template is from. */
export interface LibrarySource {
  /** Of the entry. */
  readonly name: string;
  /** For each button that leads somewhere, in their order. */
  readonly inputs: readonly LibraryInput[];
}

/** What is looked for; what is left out does not matter. */
export interface LibraryFilter {
  readonly search?: string;
  readonly name?: string;
  readonly topic?: string;
  readonly useCase?: string;
  readonly industry?: string;
  readonly language?: string;
}

/** Far above what the library has in one language; a list of the network that never ends does end. */
export const MAX_LIBRARY = 2_000;

export const inputTypes = ['url', 'phone_number'] as const;
type InputType = (typeof inputTypes)[number];
/** The network fills these in itself. */
const WITHOUT_INPUT: readonly string[] = ['quick_reply'];

/** Whether someone who takes the template has to say where the button leads. */
export function needsInput({ type }: LibraryButton): boolean {
  return inputTypes.includes(type as InputType);
}

/** What is wrong with a wish for an entry; paths are those of the request. */
export function inputFaults({ buttons }: LibraryTemplate, inputs: readonly LibraryInput[]): readonly RuleFault[] {
  const other = buttons.find((button) => !needsInput(button) && !WITHOUT_INPUT.includes(button.type));
  if (other !== undefined) {
    const message = `has a button of the type ${other.type}, which cannot be taken from the library here; create the template with components`;
    return [{ at: 'library_template', message }];
  }
  const wanted = buttons.filter(needsInput);
  if (wanted.length !== inputs.length) {
    const list = wanted.map(({ type, text }) => `${type} for "${text}"`).join(', then ');
    return [
      { at: 'buttons', message: wanted.length === 0 ? 'must be empty: no button leads anywhere' : `must be ${list}` },
    ];
  }
  return inputs.flatMap((input, index) => inputFault(input, wanted[index], `buttons[${index}]`));
}

function inputFault(input: LibraryInput, button: LibraryButton | undefined, at: string): readonly RuleFault[] {
  if (button?.type !== input.type) {
    return [{ at: `${at}.type`, message: `must be ${button?.type}, for the button "${button?.text}"` }];
  }
  if (input.type !== 'url') return [];
  const variables = variablesIn(input.url);
  if (variables.length === 0) return [];
  if (variables.length > 1 || !input.url.endsWith('}}')) {
    return [{ at: `${at}.url`, message: 'has at most one variable, at its end' }];
  }
  if (input.example !== undefined) return [];
  return [{ at: `${at}.example`, message: 'is required, because the URL has a variable' }];
}

/** The template that an entry makes, as the network will have it. */
export function libraryDefinition(
  entry: LibraryTemplate,
  { name, inputs }: { readonly name: string; readonly inputs: readonly LibraryInput[] },
): TemplateDefinition {
  const { language, category, header, body, variables, buttons } = entry;
  const samples = variables.map(({ example }) => example);
  const left = [...inputs];
  const filled = buttons.map((button) => filledButton(button, needsInput(button) ? left.shift() : undefined));
  const components: readonly JsonObject[] = [
    ...(header === null ? [] : [{ type: 'HEADER', format: 'TEXT', text: header }]),
    { type: 'BODY', text: body, ...(samples.length === 0 ? {} : { example: { body_text: [samples] } }) },
    ...(filled.length === 0 ? [] : [{ type: 'BUTTONS', buttons: filled }]),
  ];
  return { name, language, category, parameterFormat: 'positional', components, messageTtlS: null };
}

function filledButton({ type, text }: LibraryButton, input: LibraryInput | undefined): JsonObject {
  const button = { type: type.toUpperCase(), text };
  if (input === undefined) return button;
  if (input.type === 'phone_number') return { ...button, phone_number: input.phone_number };
  return { ...button, url: input.url, ...(input.example === undefined ? {} : { example: [input.example] }) };
}

/** The network's spelling of what is taken from its library. */
export function networkInputs({ name, inputs }: LibrarySource): JsonObject {
  return {
    library_template_name: name,
    ...(inputs.length === 0 ? {} : { library_template_button_inputs: inputs.map(networkInput) }),
  };
}

function networkInput(input: LibraryInput): JsonObject {
  if (input.type === 'phone_number') return { type: 'PHONE_NUMBER', phone_number: input.phone_number };
  const { url, example } = input;
  return { type: 'URL', url: { base_url: url, ...(example === undefined ? {} : { url_suffix_example: example }) } };
}

import type { JsonObject } from '#core/json';
import { buttonsOf, componentOf, type TemplateText, textAt } from './definition.ts';
import { fillIn, templateVariables } from './variables.ts';

/** A template as a customer would see it. */
export interface RenderedTemplate {
  /** Null: it has no header. The format of a header that is not text. */
  readonly header: { readonly format: string; readonly text: string | null } | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly RenderedButton[];
  /** Variables that got neither a value nor a sample; they are left in the texts as they are written. */
  readonly missing: readonly string[];
}

export interface RenderedButton {
  readonly type: string;
  readonly text: string;
  /** Where it leads: an address, a number, a code. */
  readonly target: string | null;
}

/**
 * Shows a template with these values, and with its samples where none is given.
 * @param values by name or number; of a button by `buttons[0]` too, as header and body may use the same number
 */
export function renderTemplate(text: TemplateText, values: Readonly<Record<string, string>>): RenderedTemplate {
  const { components } = text;
  const variables = templateVariables(text);
  const valueIn = (where: string) => (key: string) => {
    const given = Object.hasOwn(values, where) ? values[where] : Object.hasOwn(values, key) ? values[key] : undefined;
    const sample = variables.find((variable) => variable.where === where && variable.key === key)?.example;
    return given ?? sample ?? null;
  };
  const header = componentOf(components, 'HEADER');
  const missing = variables.filter(({ type, where, key }) => type === 'text' && valueIn(where)(key) === null);
  return {
    header:
      header === undefined
        ? null
        : {
            format: textAt(header, 'format').toLowerCase(),
            text: header.format === 'TEXT' ? fillIn(textAt(header, 'text'), valueIn('header')) : null,
          },
    body: fillIn(bodyOf(text), valueIn('body')),
    footer: footerOf(componentOf(components, 'FOOTER')),
    buttons: buttonsOf(components).map((button, index) => renderButton(button, valueIn(`buttons[${index}]`))),
    missing: missing.map(({ key, where }) => `${where}.${key}`),
  };
}

/** The network's own words around a code, in English: it sends them in the template's language. */
function bodyOf({ category, components }: TemplateText): string {
  const body = componentOf(components, 'BODY');
  if (category !== 'authentication') return textAt(body, 'text');
  const advice = body?.add_security_recommendation === true ? ' For your security, do not share this code.' : '';
  return `{{1}} is your verification code.${advice}`;
}

function footerOf(footer: JsonObject | undefined): string | null {
  if (footer === undefined) return null;
  const minutes = footer.code_expiration_minutes;
  return typeof minutes === 'number' ? `This code expires in ${minutes} minutes.` : textAt(footer, 'text');
}

function renderButton(button: JsonObject, value: (key: string) => string | null): RenderedButton {
  const type = textAt(button, 'type').toLowerCase();
  const text = textAt(button, 'text');
  switch (button.type) {
    case 'URL': {
      // The sample of an address is a whole address; a value is only its end.
      const filled = fillIn(textAt(button, 'url'), (key) => suffixOf(textAt(button, 'url'), value(key)));
      return { type, text, target: filled };
    }
    case 'PHONE_NUMBER':
      return { type, text, target: textAt(button, 'phone_number') };
    case 'COPY_CODE':
      return { type, text: text || 'Copy code', target: value('code') };
    case 'OTP':
      return { type, text: text || 'Copy code', target: null };
    default:
      return { type, text, target: null };
  }
}

function suffixOf(url: string, value: string | null): string | null {
  const before = url.split('{{', 1)[0] ?? '';
  return value?.startsWith(before) === true ? value.slice(before.length) : value;
}

/** Where a canned reply takes a value: `{{contact.name|there}}` from the contact, `{{?order number}}` from the agent. */
const PLACEHOLDER = /\{\{\s*(\?)?\s*([^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g;

export interface FilledReply {
  readonly text: string;
  /** What has no value and no text to take its place, as it is written: `contact.city`, `?order number`. Each once. */
  readonly missing: readonly string[];
}

/** What the agent is asked for, in the order of the text, each once. */
export function askedFor(text: string): readonly string[] {
  const names = [...text.matchAll(PLACEHOLDER)].flatMap(([, asks, name = '']) => (asks === undefined ? [] : [name]));
  return [...new Set(names)];
}

/** The fields of the contact that a text names. */
export function contactFieldsOf(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, asks, name = '']) => (asks === undefined ? [name] : []));
}

/**
 * Puts values in the places of a text. Values are put in as they are: what looks like a placeholder in one is not filled.
 * @param readField what is known of the contact, by the name of the field; null: nothing
 * @param values what the agent gave, by what was asked for
 */
export function fillReply(
  text: string,
  readField: (field: string) => string | null,
  values: Readonly<Record<string, string>>,
): FilledReply {
  const missing = new Set<string>();
  const filled = text.replace(PLACEHOLDER, (_match, asks: string | undefined, name: string, fallback?: string) => {
    const given = Object.hasOwn(values, name) ? values[name]?.trim() : undefined;
    const value = asks === undefined ? readField(name) : given;
    if (value) return value;
    if (fallback === undefined) missing.add(asks === undefined ? name : `?${name}`);
    return fallback?.trim() ?? '';
  });
  return { text: filled, missing: [...missing] };
}

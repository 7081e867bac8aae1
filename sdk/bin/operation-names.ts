/** What an operation is called in the client library: `pr.<resource>.<verb>(…)`. */
export interface OperationName {
  readonly resource: string;
  readonly verb: string;
}

interface Named {
  readonly id: string;
  readonly path: string;
  readonly tag: string;
}

const PREPOSITIONS = new Set(['in', 'of', 'to', 'for', 'from', 'on', 'with']);

/**
 * The rule, in this order:
 *
 * 1. The resource is the first fixed part of the path after `/v1`: `/v1/phone-numbers/{id}` → `phoneNumbers`. Operations
 *    about the service itself (tag System) belong to `system`.
 * 2. The verb is the operation ID without the words of the resource, singular or plural: `sendMessage` → `send`,
 *    `listWebhookDeliveries` of `webhookEndpoints` → `listDeliveries`. Its first word always stays.
 * 3. A preposition left at the end goes: `replyInConversation` → `reply`.
 * 4. What is done to several at once, at a path that ends in `/bulk`, gets `Many`: `updateConversations` → `updateMany`.
 */
export function nameOperation({ id, path, tag }: Named): OperationName {
  const segment = tag === 'System' ? 'system' : firstFixedPart(path);
  const nouns = segment.split('-');
  const stems = new Set(nouns.map(stemOf));
  const [verb = '', ...others] = wordsOf(id);
  const rest = others.filter((word) => !stems.has(stemOf(word)));
  if (PREPOSITIONS.has(rest.at(-1)?.toLowerCase() ?? '')) rest.pop();
  return { resource: camelCase(nouns), verb: [verb, ...rest, ...(path.endsWith('/bulk') ? ['Many'] : [])].join('') };
}

function firstFixedPart(path: string): string {
  const part = path.split('/').find((each) => each !== '' && each !== 'v1' && !each.startsWith('{'));
  if (part === undefined) throw new Error(`${path} has no fixed part that could name a resource.`);
  return part;
}

/** listTopUps → list, Top, Ups */
function wordsOf(id: string): readonly string[] {
  return id.split(/(?=[A-Z])/);
}

/** Singular and plural of a word have the same. */
function stemOf(word: string): string {
  return word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
}

function camelCase(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : pascalCase(word))).join('');
}

/** @returns the words of a name as paths have them: phoneNumbers → phone-numbers */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @returns the text with its first letter in upper case */
export function pascalCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

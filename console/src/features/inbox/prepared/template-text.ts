import type { Template } from '../../../app/resources.ts';

/** What a customer reads of a template: its header, body and footer, with the values that were sent. */
export function templateText({ components }: Pick<Template, 'components'>, variables: unknown): string {
  const texts = components
    .filter(({ type }) => ['header', 'body', 'footer'].includes(type.toLowerCase()))
    .flatMap(({ text }) => (typeof text === 'string' && text !== '' ? filled(text, variables) : []));
  return texts.join('\n');
}

function filled(text: string, variables: unknown): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, key: string) => valueFor(variables, key) ?? whole);
}

/** Values are given by name, or in order. */
function valueFor(variables: unknown, key: string): string | null {
  if (variables === null || typeof variables !== 'object') return null;
  const value = Array.isArray(variables) ? variables[Number(key) - 1] : (variables as Record<string, unknown>)[key];
  return value === undefined || value === null ? null : String(value);
}

import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';

const HEAD = `// Written by \`postrider templates types\`. Write it again when templates change.
import type { TemplateComponent } from '@postrider/sdk';

declare module '@postrider/sdk' {
  interface Templates {
`;
const TAIL = '  }\n}\n';

/**
 * The text of a declaration file for `template()` of @postrider/sdk: what each template needs to be sent, by name and
 * language. Drafts are left out: they cannot be sent.
 * @param templates as `GET /v1/templates` has them
 */
export function templateTypes(templates: readonly JsonObject[]): string {
  const names = new Map<string, Map<string, Set<string>>>();
  for (const template of templates) {
    if (template.network_template_id === null) continue;
    const { name, language } = template;
    const languages = names.get(String(name)) ?? new Map<string, Set<string>>();
    names.set(String(name), languages);
    // Accounts may have templates of the same name that differ.
    languages.set(String(language), (languages.get(String(language)) ?? new Set()).add(contentOf(template)));
  }
  const blocks = [...names].sort(byName).map(([name, languages]) => {
    const lines = [...languages].sort(byName).map(([language, contents]) => {
      return `      ${literal(language)}: ${[...contents].sort().join(' | ')};\n`;
    });
    return `    ${literal(name)}: {\n${lines.join('')}    };\n`;
  });
  return HEAD + blocks.join('') + TAIL;
}

/** What a send says beside the name: nothing, values of the body, or components when there is more to fill in. */
function contentOf({ variables, parameter_format: format }: JsonObject): string {
  const all = Array.isArray(variables) ? variables.filter(isJsonObject) : [];
  if (all.length === 0) return 'Record<never, never>';
  const outside = all.filter(({ where }) => where !== 'body').map(({ where, type }) => `${type} of ${where}`);
  if (outside.length > 0) return `{ /** With ${words(outside)}. */ components: readonly TemplateComponent[] }`;
  const keys = [...new Set(all.map(({ key }) => String(key)))];
  if (format === 'positional') return `{ variables: readonly [${keys.map(() => 'string').join(', ')}] }`;
  return `{ variables: { ${keys.map((key) => `${literal(key)}: string`).join('; ')} } }`;
}

function words(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ').replaceAll('*/', '*\\/');
}

function literal(value: JsonValue): string {
  return JSON.stringify(value);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

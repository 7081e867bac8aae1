import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const source = new URL('./', import.meta.url);
const page = readFileSync(new URL('../../docs/logs.md', import.meta.url), 'utf8');
const documented = new Map(
  [...page.matchAll(/^\| `([a-z_.]+)` \| ([a-z ]+) \|/gm)].map(([, name = '', level = '']) => [name, level]),
);
/** `name` or `name: a sentence` in any quotes, behind a call or a choice within one. */
const NAME = /['"`]([a-z_]+(?:\.[a-z_]+)+)(?=['"`]|: )/g;
/** Names that are put together while the service runs. */
const MADE_WHERE_RUN = ['topup.refused', 'topup.unavailable'];

/** What stands between the brackets of each call of the log. */
function callsIn(text: string): readonly { readonly level: string; readonly args: string }[] {
  return [...text.matchAll(/\blog\.(debug|info|warn|error)\(/g)].map(({ 1: level = '', 0: call, index }) => {
    const start = index + call.length;
    let end = start;
    for (let depth = 1; depth > 0; end += 1) {
      if (text[end] === '(') depth += 1;
      if (text[end] === ')') depth -= 1;
    }
    return { level, args: text.slice(start, end - 1) };
  });
}

const written = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing'))
  .flatMap((file) => {
    const text = readFileSync(new URL(file, source), 'utf8');
    const constants = new Map(
      [...text.matchAll(/^const ([A-Z_]+) =\s*['"`]([^'"`]*)/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    return callsIn(text).map(({ level, args }) => {
      const named = args.replace(/\b[A-Z][A-Z_]+\b/g, (name) =>
        constants.has(name) ? `'${constants.get(name)}'` : name,
      );
      return { file, level, args, names: [...named.matchAll(NAME)].map(([, name = '']) => name) };
    });
  });

test('every line of the log has a name, which docs/logs.md explains with its level', () => {
  for (const { file, level, args, names } of written) {
    if (args.includes('`topup.$')) continue;
    expect(names, `${file}: log.${level}(${args})`).not.toEqual([]);
    for (const name of names) expect(documented.get(name)?.split(' or '), `${name} in ${file}`).toContain(level);
  }
});

test('docs/logs.md names no line that nothing writes', () => {
  const names = new Set([...written.flatMap((call) => call.names), ...MADE_WHERE_RUN]);
  expect([...documented.keys()].filter((name) => !names.has(name))).toEqual([]);
});

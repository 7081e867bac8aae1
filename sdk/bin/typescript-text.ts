const INDENT = '  ';

/** @returns the lines of a text, one step further to the right */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, INDENT);
}

/** @returns a comment that documents what follows; empty without a description */
export function comment(description: string | undefined): string {
  if (!description) return '';
  const lines = description.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** @returns the text as a literal of TypeScript */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/** @returns the union of these types, each named once */
export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

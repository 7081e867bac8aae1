import { settings } from '#runtime/config';

const HEAD = `<!-- Written by npm run gen from server/src/runtime/config.ts. Do not edit. -->

# Settings

Settings are environment variables. A value that cannot be used ends the start with exit code 2 and a sentence; a \`MESSAGING_\` variable that
is not in this table causes a warning. \`postrider config\` prints the values in force, without secrets. [Operating](operating.md) says which of
them matter for what.

| Setting | Default | Meaning |
| --- | --- | --- |
`;

/** The page docs/settings.md: every setting. Markdown. */
export function settingsPage(): string {
  const rows = Object.values(settings).map(({ key, fallback, meaning, secret }) => {
    const shown = fallback === '' ? 'empty' : `\`${fallback}\``;
    return `| \`${key}\` | ${shown} | ${meaning.replaceAll('|', '\\|')}${secret === true ? ' Secret.' : ''} |\n`;
  });
  return HEAD + rows.join('');
}

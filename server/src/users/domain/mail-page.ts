/** What every mail of ours consists of: a greeting, a reason, one link, and notes. */
export interface MailPage {
  readonly hello: string;
  readonly why: string;
  /** What the button says. */
  readonly go: string;
  readonly url: string;
  readonly notes: readonly string[];
}

/** Names are chosen by callers: what is longer is no name, but an advertisement. */
const MAX_NAME = 80;

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; background: #ffffff; color: #1c1f26; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 520px; margin: 0 auto; }
a.go { display: inline-block; padding: 10px 18px; border-radius: 8px; background: #2451d6; color: #ffffff; text-decoration: none; }
.note { color: #565c69; font-size: 14px; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { background: #14161b; color: #e6e8ee; }
  a.go { background: #9db4ff; color: #10131a; }
  .note, .note a { color: #a4abba; }
}`;

/** The plain text. */
export function mailText({ hello, why, go, url, notes }: MailPage): string {
  return [hello, why, `${go}:\n${url}`, ...notes].join('\n\n');
}

/** The page for mail programs: no picture, nothing from elsewhere, readable in both themes. */
export function mailHtml(page: MailPage): string {
  const [hello, why, go, url] = [page.hello, page.why, page.go, page.url].map(escapeHtml);
  const [first = '', ...others] = page.notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>${STYLE}</style>
</head>
<body>
<main>
<p dir="auto">${hello}</p>
<p dir="auto">${why}</p>
<p><a class="go" href="${url}">${go}</a></p>
${first}
<p class="note">Or open this address: <a href="${url}">${url}</a></p>
${others.join('\n')}
</main>
</body>
</html>
`;
}

/** A time as people of any time zone read it. */
export function mailTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Control characters would end the header of the subject; links in a name would pass for ours. */
export function mailName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').replace(/[<>]|:\/\//g, ' ');
  const characters = [...plain.replace(/\s+/g, ' ').trim()];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : characters.join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

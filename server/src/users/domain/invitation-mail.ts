import type { Mail } from './mail.ts';

/** What the mail of an invitation says. */
export interface InvitationMail {
  readonly to: string;
  /** Of the agent whom the person becomes. */
  readonly name: string;
  readonly tenantName: string;
  /** Null: a program invites. */
  readonly invitedBy: string | null;
  readonly url: string;
  readonly expiresMs: number;
}

/** Names are chosen by callers: what is longer is no name, but an advertisement. */
const MAX_NAME = 80;

/** An invitation as plain text and as a page for mail programs: no picture, nothing from elsewhere, readable in both themes. */
export function invitationMail({ to, url, expiresMs, ...names }: InvitationMail): Mail {
  const [name, tenant] = [oneLine(names.name), oneLine(names.tenantName)];
  const { invitedBy } = names;
  const invited =
    invitedBy === null ? `You are invited to ${tenant}.` : `${oneLine(invitedBy)} has invited you to ${tenant}.`;
  const until = `${new Date(expiresMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const once = `The link works once, until ${until}. Whoever has it can sign in as you: do not pass it on.`;
  const mistake = 'If you did not expect this invitation, ignore it: nothing happens.';
  return {
    to,
    subject: `Your invitation to ${tenant}`,
    text: [`Hello ${name},`, invited, `Sign in:\n${url}`, once, mistake].join('\n\n'),
    html: pageOf({ hello: `Hello ${name},`, invited, url, once, mistake }),
  };
}

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

function pageOf(said: {
  readonly hello: string;
  readonly invited: string;
  readonly url: string;
  readonly once: string;
  readonly mistake: string;
}): string {
  const [hello, invited, once, mistake] = [said.hello, said.invited, said.once, said.mistake].map(escapeHtml);
  const url = escapeHtml(said.url);
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
<p dir="auto">${invited}</p>
<p><a class="go" href="${url}">Sign in</a></p>
<p class="note">${once}</p>
<p class="note">Or open this address: <a href="${url}">${url}</a></p>
<p class="note">${mistake}</p>
</main>
</body>
</html>
`;
}

/** Control characters would end the header of the subject; links in a name would pass for ours. */
function oneLine(name: string): string {
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

/** The frame of the pages that a person clicks through: linking an account, paying. */

const STYLE = `:root{--ink:#1c2430;--soft:#66707f;--line:#e3e7ec;--ground:#f4f6f8;--accent:#1b6b5a}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
main{width:min(460px,calc(100% - 32px));margin:24px 0;padding:28px;background:#fff;border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 6px;font-size:20px}
p{margin:0 0 14px}
.soft{color:var(--soft);font-size:14px;overflow-wrap:anywhere}
fieldset{margin:18px 0;padding:0;border:0}
legend{padding:0;font-weight:600;margin-bottom:6px}
label{display:flex;gap:10px;align-items:baseline;padding:6px 0}
label.text{display:block}
input[type=text]{width:100%;margin-top:4px;padding:9px 12px;border:1px solid var(--line);border-radius:8px;font:inherit}
.amount{font-size:30px;font-weight:600;font-variant-numeric:tabular-nums}
button{padding:11px 18px;border:1px solid var(--line);border-radius:9px;background:#fff;font:inherit;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:#fff}
button:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.buttons{display:flex;flex-wrap:wrap;gap:10px;margin-top:20px}`;

/** Text that is safe between tags and in attributes. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A whole page that loads nothing from elsewhere; `content` is HTML. */
export function htmlPage(title: string, content: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>\n`
  );
}

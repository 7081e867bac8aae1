/** The page of GET /docs: the reader's view of the OpenAPI document, drawn by Scalar in the browser. */
import { createHash } from 'node:crypto';

/** Where the page finds its program. */
export const SCRIPT_PATH = '/docs/reference.js';

/**
 * What Scalar is told. Everything in it that would call its maker's servers is off (fonts, telemetry, proxy, the
 * assistant, the hosted client); the policy below holds it to that. The key is forgotten with the page.
 */
const settings = {
  url: '/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'direct',
};

/** The link behind a heading that fills its line would make the page of a telephone wider than its screen. */
const STYLE = '#reference { overflow-x: clip }';

/** The page as it is answered, and what comes with it. */
export interface ReferencePage {
  readonly html: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes the page; it is the same for everyone. */
export function referencePage(): ReferencePage {
  const start = `Scalar.createApiReference('#reference', ${JSON.stringify(settings)});`;
  const html = htmlWith(start);
  const headers = { 'content-security-policy': policyFor(start), 'referrer-policy': 'no-referrer' };
  return { html, etag: `"${digest(html, 'hex')}"`, headers };
}

function htmlWith(start: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Postrider API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. For programs the description is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script src="${SCRIPT_PATH}"></script>
<script>${start}</script>
</body>
</html>
`;
}

/**
 * Nothing but this server: no other script, no other address to talk to, no frame around it. Styles may stand in the
 * page, because Scalar writes its own there.
 */
function policyFor(start: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${digest(start, 'base64')}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function digest(text: string, encoding: 'base64' | 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}

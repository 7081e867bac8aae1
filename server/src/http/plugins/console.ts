/** The web console: pages and files that are built from `console/`, at `/`, beside the API under `/v1`. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesAnyEtag } from '#http/etag';
import { allowOnly } from './method-not-allowed.ts';
import { sessionToken } from './session-cookie.ts';

export interface ConsoleOptions {
  /** What Vite has built. Null, or a folder without it: no console, and `/` answers programs alone. */
  readonly folder: string | null;
  readonly version: string;
  /** Whether a forgotten password can be replaced by way of a mail: the page to sign in offers it. */
  readonly sendsMail: boolean;
}

/** Addresses of the app, each with all below it: they answer the same page, which shows what the address names. */
const PAGES = [
  ...['inbox', 'contacts', 'templates', 'campaigns', 'rules', 'reports', 'settings', 'developers', 'health'],
  ...['sign-in', 'account', 'search'],
] as const;
/** Names with a hash never change what they hold. */
const HASHED = '/console/assets/';
const YEAR_S = 31_536_000;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
/** In the order in which they are preferred; the build has made both. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;
const THEMES: readonly string[] = ['light', 'dark', 'system'];

/**
 * What a page may do: run our scripts and nothing else, talk to this service alone, stand in no frame. Nothing that a
 * customer wrote can become a script, also by a mistake of ours: scripts never take text (Trusted Types).
 */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    // This one turns one fixed address, that of the service worker, into a script.
    'trusted-types postrider-worker',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
  // Which page comes depends on both.
  vary: 'Accept, Cookie',
  'cache-control': 'no-cache',
} as const;

/** It stands below the assets' folder, and works for all pages. What it may load is what it asks this service for. */
const WORKER = '/console/sw.js';
const WORKER_HEADERS = {
  'service-worker-allowed': '/',
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
} as const;

/** Serves the console, and at `/` says to programs what this is. */
export function installConsole(app: FastifyInstance, { folder, version, sendsMail }: ConsoleOptions): void {
  const built = folder !== null && existsSync(join(folder, 'index.html')) ? folder : null;
  const page = built === null ? null : makePage(readFileSync(join(built, 'index.html'), 'utf8'), sendsMail);
  const about = { name: 'postrider', version, docs: '/docs', api: '/v1' };
  app.get('/', (request, reply) => {
    if (page !== null && takesHtml(request)) return page(request, reply);
    return reply.header('vary', PAGE_HEADERS.vary).send(about);
  });
  allowOnly(app, '/', ['GET']);
  if (built === null || page === null) return;
  for (const path of PAGES.flatMap((name) => [`/${name}`, `/${name}/*`])) {
    app.get(path, (request, reply) => (takesHtml(request) ? page(request, reply) : reply.callNotFound()));
    allowOnly(app, path, ['GET']);
  }
  serveFiles(app, built);
}

/** Browsers that open an address ask for it; programs do not. */
function takesHtml({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/html');
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The page, in the theme that its cookie names: it needs no script to look right from the start. */
function makePage(html: string, sendsMail: boolean): Answer {
  const forms = new Map<string, Form>();
  for (const theme of THEMES) {
    for (const hasSession of [true, false]) {
      const marks = `data-theme="${theme}"${sendsMail ? ' data-mail' : ''}${hasSession ? ' data-session' : ''}`;
      const body = html.replace('data-theme="system"', marks);
      forms.set(formName(theme, hasSession), { body, etag: etagOf(body) });
    }
  }
  return (request, reply) => {
    const { cookie = '' } = request.headers;
    const [, wanted = 'system'] = /(?:^|;\s*)postrider_theme=(\w+)/.exec(cookie) ?? [];
    const theme = THEMES.includes(wanted) ? wanted : 'system';
    // Nobody has looked whether the session is still valid: its page asks for more at once than one that has none.
    const { body, etag } = forms.get(formName(theme, sessionToken(cookie) !== null)) as Form;
    reply.headers({ ...PAGE_HEADERS, etag });
    if (matchesAnyEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(body);
  };
}

interface Form {
  readonly body: string;
  readonly etag: string;
}

const formName = (theme: string, hasSession: boolean): string => `${theme} ${hasSession}`;

interface File {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly encoding: string | null;
}

function serveFiles(app: FastifyInstance, folder: string): void {
  const root = join(folder, 'console');
  // Only what was there at the start is served: no path of a request ever reaches the file system.
  const known = new Set(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/')),
  );
  const read = new Map<string, Promise<File>>();
  app.get('/console/*', async (request, reply) => {
    const path = (request.url.split('?')[0] ?? '').replace(/\/+/g, '/');
    if (!known.has(path) || path.endsWith('.br') || path.endsWith('.gz')) return reply.callNotFound();
    const encoding = encodingFor(request.headers['accept-encoding'] ?? '', (suffix) => known.has(`${path}${suffix}`));
    const name = `${path}${encoding?.suffix ?? ''}`;
    const file = await remembered(read, name, () => readForm(join(folder, name), encoding?.name ?? null));
    const age = path.startsWith(HASHED) ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
    reply.headers({ 'cache-control': age, etag: file.etag, vary: 'Accept-Encoding' });
    reply.header('cross-origin-resource-policy', 'same-origin');
    if (path === WORKER) reply.headers(WORKER_HEADERS);
    if (matchesAnyEtag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
    if (file.encoding !== null) reply.header('content-encoding', file.encoding);
    return reply.type(TYPES[extname(path)] ?? 'application/octet-stream').send(file.bytes);
  });
  allowOnly(app, '/console/*', ['GET']);
}

function remembered(read: Map<string, Promise<File>>, name: string, load: () => Promise<File>): Promise<File> {
  const known = read.get(name);
  if (known) return known;
  const loading = load();
  read.set(name, loading);
  // A read that failed is made again for the next request.
  loading.catch(() => read.delete(name));
  return loading;
}

async function readForm(path: string, encoding: string | null): Promise<File> {
  const bytes = await readFile(path);
  return { bytes, etag: etagOf(bytes), encoding };
}

function encodingFor(accepted: string, isBuilt: (suffix: string) => boolean) {
  const takes = (name: string) => {
    const [, weight = '1'] = new RegExp(`(?:^|,)\\s*${name}\\s*(?:;\\s*q=([\\d.]+))?\\s*(?:,|$)`, 'i').exec(
      accepted,
    ) ?? ['', '0'];
    return Number(weight) > 0;
  };
  return ENCODINGS.find(({ name, suffix }) => takes(name) && isBuilt(suffix));
}

function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 32)}"`;
}

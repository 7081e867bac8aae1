import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, fakeApi } from '#http/testing/fake-api';
import { installConsole } from './console.ts';

const PAGE =
  '<!doctype html><html data-theme="system"><script type="module" src="/console/assets/a-1.js"></script></html>';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const folder = mkdtempSync(join(tmpdir(), 'postrider-console-'));
let served: FakeApi;
let removed: FakeApi;

beforeAll(() => {
  const assets = join(folder, 'console', 'assets');
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'secret.txt'), 'not served');
  writeFileSync(join(folder, 'console', 'app.webmanifest'), '{}');
  writeFileSync(join(folder, 'console', 'sw.js'), 'self');
  for (const [suffix, text] of [
    ['', 'plain'],
    ['.br', 'brotli'],
    ['.gz', 'gzip'],
  ]) {
    writeFileSync(join(assets, `a-1.js${suffix}`), text as string);
  }
  served = fakeApi();
  installConsole(served.app, { folder, version: '1.2.3', sendsMail: false });
  removed = fakeApi();
  installConsole(removed.app, { folder: null, version: '1.2.3', sendsMail: false });
});
afterAll(async () => {
  await served.app.close();
  await removed.app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every address that the console knows; those with a parameter lie below one of them. */
const router = readFileSync(new URL('../../../../console/src/app/router.tsx', import.meta.url), 'utf8');
const ROUTES = [...router.matchAll(/^ {2}path: '(\/[^']*)'/gm)].map(([, path = '']) => path);

const get = (url: string, headers: Record<string, string> = {}) => served.app.inject({ url, headers });

describe('the page', () => {
  test('says whether there is a mail server', async () => {
    const mailing = fakeApi();
    installConsole(mailing.app, { folder, version: '1.2.3', sendsMail: true });
    const { body } = await mailing.app.inject({ url: '/sign-in', headers: BROWSER });
    expect(body).toContain('<html data-theme="system" data-mail>');
    expect((await get('/sign-in', BROWSER)).body).not.toContain('data-mail');
    await mailing.app.close();
  });

  test('has more than a few addresses', () => {
    expect(ROUTES.length).toBeGreaterThan(4);
  });

  test.each([
    ...ROUTES,
    '/inbox/0190a6f2-0000-7000-8000-000000000001',
    '/settings/keys?tab=1',
  ])('comes at %s to whoever asks for HTML', async (url) => {
    const { statusCode, headers, body } = await get(url, BROWSER);
    expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', PAGE]);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept, Cookie' });
  });

  test('may run only our scripts, talk only to this service, and stand in no frame', async () => {
    const { headers } = await get('/inbox', BROWSER);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; " +
        "connect-src 'self'; font-src 'self'; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'; " +
        "base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types postrider-worker",
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('comes in the theme of the cookie, and in that of the system when the cookie names no theme', async () => {
    const themed = async (cookie: string) => (await get('/inbox', { ...BROWSER, cookie })).body;
    expect(await themed('a=b; postrider_theme=dark')).toContain('data-theme="dark"');
    expect(await themed('postrider_theme=<script>')).toBe(PAGE);
    expect(await themed('postrider_theme=constructor')).toBe(PAGE);
  });

  test('says whether the browser has a session, and nothing of whose it is', async () => {
    const token = 'a'.repeat(43);
    const { body } = await get('/inbox', { ...BROWSER, cookie: `postrider_theme=dark; postrider=${token}` });
    expect(body).toContain('<html data-theme="dark" data-session>');
    expect(body).not.toContain(token);
    expect((await get('/inbox', { ...BROWSER, cookie: 'postrider=<script>' })).body).toBe(PAGE);
  });

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await get('/inbox', BROWSER);
    const again = await get('/inbox', { ...BROWSER, 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('files', () => {
  test.each([
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip', 'gzip'],
    ['', undefined, 'plain'],
  ])('are packed as the browser accepts: %s', async (accepted, encoding, body) => {
    const answer = await get('/console/assets/a-1.js', { 'accept-encoding': accepted });
    expect([answer.headers['content-encoding'], answer.body]).toEqual([encoding, body]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
  });

  test('without a hash in their names are asked for again', async () => {
    const { headers } = await get('/console/app.webmanifest');
    expect(headers).toMatchObject({ 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' });
  });

  test('the service worker may work for all pages, and load nothing but what is ours', async () => {
    const { headers } = await get('/console/sw.js');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'service-worker-allowed': '/',
      'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
    });
    expect((await get('/console/assets/a-1.js')).headers).not.toHaveProperty('service-worker-allowed');
  });

  test.each([
    '/console/assets/b.js',
    '/console/assets/a-1.js.br',
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/..%2fsecret.txt',
    '/console//etc/passwd',
    '/secret.txt',
  ])('that were not built are not there: %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });
});

describe('programs', () => {
  test('read at / what this is', async () => {
    const { headers, body } = await get('/');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual({ name: 'postrider', version: '1.2.3', docs: '/docs', api: '/v1' });
  });

  test.each(['/inbox', '/sign-in', '/nothing'])('get the 404 of the API at %s', async (url) => {
    const { statusCode, body } = await get(url, { accept: 'application/json' });
    expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found']);
  });

  test('find the API where it was, also when they accept HTML', async () => {
    expect((await get('/v1/messages/outbound', BROWSER)).statusCode).toBe(401);
    expect((await get('/v1/nothing', BROWSER)).statusCode).toBe(404);
  });

  test('hear which methods a page has', async () => {
    const { statusCode, headers } = await served.app.inject({ method: 'POST', url: '/inbox' });
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

test('without the console browsers get what programs get', async () => {
  const answer = await removed.app.inject({ url: '/', headers: BROWSER });
  expect(answer.json()).toMatchObject({ name: 'postrider' });
  expect((await removed.app.inject({ url: '/inbox', headers: BROWSER })).statusCode).toBe(404);
  expect((await removed.app.inject({ url: '/console/assets/a-1.js' })).statusCode).toBe(404);
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildApp } from '#bin/app';
import { SCRIPT_PATH } from '#http/reference/page';
import { fakeApi } from '#http/testing/fake-api';

const { app, deps } = fakeApi();
const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
const installed = readFileSync(new URL('js/standalone.js', `file://${entry}`));

function get(url: string, headers: Record<string, string> = {}) {
  return app.inject({ method: 'GET', url, headers });
}

/** The directives of the page's policy, by name. */
async function policy(): Promise<ReadonlyMap<string, string>> {
  const header = String((await get('/docs')).headers['content-security-policy']);
  return new Map(header.split('; ').map((directive) => directive.split(/ (.*)/s, 2) as [string, string]));
}

describe('GET /docs', () => {
  test('needs no key and is a page of our own server alone', async () => {
    const answer = await get('/docs');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.body).not.toMatch(/https?:\/\//);
    expect(answer.body).toContain(`<script src="${SCRIPT_PATH}"></script>`);
  });

  test('lets the browser load, run and ask for nothing from another address', async () => {
    const directives = await policy();
    expect(directives.get('default-src')).toBe("'none'");
    expect(directives.get('connect-src')).toBe("'self'");
    expect(directives.get('frame-ancestors')).toBe("'none'");
    expect([...directives.values()].join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  test('runs no script in the page but the one that it brings', async () => {
    const [, start = ''] = /<script>(.*?)<\/script>/s.exec((await get('/docs')).body) ?? [];
    const hash = createHash('sha256').update(start).digest('base64');
    expect((await policy()).get('script-src')).toBe(`'self' 'sha256-${hash}'`);
  });

  test('offers a field for the key and a form to try each operation, which asks this server', async () => {
    const [, json = ''] =
      /createApiReference\('#reference', (\{.*?\})\);<\/script>/s.exec((await get('/docs')).body) ?? [];
    const settings = JSON.parse(json);
    const document = (await get(settings.url)).json();
    expect(document.components.securitySchemes[settings.authentication.preferredSecurityScheme]).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
    expect(document.security).toEqual([{ [settings.authentication.preferredSecurityScheme]: [] }, { session: [] }]);
    expect(document.servers).toMatchObject([{ url: '/' }]);
    expect(settings).not.toHaveProperty('hideTestRequestButton');
    // The program of the page reads what it is told under these very names.
    for (const name of ['preferredSecurityScheme', 'hideTestRequestButton'])
      expect(installed.includes(name)).toBe(true);
  });

  test('keeps no key and calls none of the servers of its maker', async () => {
    const { body } = await get('/docs');
    for (const setting of ['"persistAuth":false', '"telemetry":false', '"withDefaultFonts":false'])
      expect(body).toContain(setting);
    expect(body).not.toContain('proxyUrl');
  });
});

describe.each(['/docs', SCRIPT_PATH])('%s', (path) => {
  test('may be kept, and is answered with 304 while it has not changed', async () => {
    const first = await get(path);
    expect(first.headers['cache-control']).toBe('public, max-age=3600');
    const etag = String(first.headers.etag);
    const again = await get(path, { 'if-none-match': `"other", W/${etag}` });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    expect((await get(path, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('takes no other method and no parameter', async () => {
    expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(405);
    expect((await get(`${path}?colour=red`)).json().code).toBe('validation_failed');
  });

  test('is not there in a process that does not answer the API', async () => {
    const receiver = buildApp(deps, { api: false });
    expect((await receiver.inject({ method: 'GET', url: path })).statusCode).toBe(404);
    expect((await receiver.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  });
});

describe('the program of the page', () => {
  test('is the installed one, packed when the browser takes that', async () => {
    const plain = await get(SCRIPT_PATH);
    const packed = await get(SCRIPT_PATH, { 'accept-encoding': 'br, gzip;q=0.8' });
    expect(plain.rawPayload.equals(installed)).toBe(true);
    expect(gunzipSync(packed.rawPayload).equals(installed)).toBe(true);
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(packed.headers.vary).toBe('Accept-Encoding');
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    const head = await app.inject({ method: 'HEAD', url: SCRIPT_PATH });
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(installed.length), '']);
  });

  test.each(['br', 'gzip;q=0', 'gzip; q=0.0, deflate', 'x-gzipped'])('is not packed for %s', async (accepted) => {
    const answer = await get(SCRIPT_PATH, { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBeUndefined();
  });
});

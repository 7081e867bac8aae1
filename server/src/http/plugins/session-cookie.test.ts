import { describe, expect, test } from 'vitest';
import { crossSiteProblem, sessionCookie, sessionToken } from './session-cookie.ts';

const TOKEN = 'q8c1Jx0m5dV7b2Lw9Rk3Tn6Yp4Hs1Gf8ZaXcVbNmQwE';

describe('the cookie of a session', () => {
  test('is bound to this host over HTTPS, and is taken away under the same name', () => {
    const https = { protocol: 'https' } as const;
    expect(sessionCookie(https, TOKEN, 60)).toBe(
      `__Host-postrider=${TOKEN}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60`,
    );
    expect(sessionCookie(https, null, null)).toBe(
      '__Host-postrider=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    );
  });

  test('that is bound to this host counts before one that any page of a sibling could have set', () => {
    const other = 'x'.repeat(TOKEN.length);
    expect(sessionToken(`postrider=${other}; __Host-postrider=${TOKEN}`)).toBe(TOKEN);
  });

  test.each([
    ['there is no header', undefined],
    ['there is another one', 'theme=dark'],
    ['it is too short', 'postrider=abc'],
    ['it has other characters', `postrider=${TOKEN.slice(1)}%`],
  ])('is none when %s', (_case, header) => {
    expect(sessionToken(header)).toBeNull();
  });
});

test('reading needs no header, and changing something does', () => {
  expect(crossSiteProblem({ method: 'GET', headers: {} })).toBeUndefined();
  expect(crossSiteProblem({ method: 'PUT', headers: {} })?.code).toBe('cross_site');
});

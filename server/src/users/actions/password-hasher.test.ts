import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makePasswordHasher } from './password-hasher.ts';

test('a password is hashed by Argon2id with 19 MiB, and each time with another salt', async () => {
  const passwords = makePasswordHasher();
  const [one, other] = await Promise.all([passwords.hash('the same text'), passwords.hash('the same text')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await passwords.matches(one, 'the same text')).toBe(true);
  expect(await passwords.matches(one, 'the same text ')).toBe(false);
});

test('who has no password is compared with a hash of the same cost, and never matches', async () => {
  const source = readFileSync(new URL('password-hasher.ts', import.meta.url), 'utf8');
  const made = await makePasswordHasher().hash('x');
  const cost = made.split('$').slice(0, 4).join('$');
  expect(source).toContain(`'${cost}$`);
  expect(await makePasswordHasher().matches(null, 'anything')).toBe(false);
});

test('two run at a time, 64 wait, and who comes then is refused without having cost anything', async () => {
  const passwords = makePasswordHasher();
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.hash('x')));
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect([refused.length, new Set(refused)]).toEqual([34, new Set(['overloaded'])]);
  expect(await passwords.hash('x')).toMatch(/^\$argon2id/);
});

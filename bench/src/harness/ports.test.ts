import { expect, test } from 'vitest';
import { freePort, freePorts } from './ports.ts';

test('a port is given once, also when nobody listens on it', async () => {
  const ports: number[] = [];
  for (let count = 0; count < 500; count += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(ports.length);
});

test('callers who ask at the same time get different ports', async () => {
  const ports = (await Promise.all(Array.from({ length: 100 }, () => freePorts(5)))).flat();
  expect(new Set(ports).size).toBe(500);
});

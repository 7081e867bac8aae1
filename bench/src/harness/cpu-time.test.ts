import { expect, test } from 'vitest';
import { cpuMsOf, cpuMsOfFamily, parseStat } from './cpu-time.ts';

test('the times of a process are read after its name, whatever the name holds', () => {
  const line = '4711 (a (b) 1 2) S 17 4711 4711 0 -1 4194560 900 800 0 0 250 31 40 9 20 0 11 0 5000 1000 200';
  expect(parseStat(line)).toEqual({ parent: 17, ownTicks: 281, childTicks: 49 });
});

test('a process that is gone has had no time', () => {
  expect([cpuMsOf(-1), cpuMsOfFamily(-1)]).toEqual([0, 0]);
});

test('this process has had some, and its family at least as much', () => {
  const own = cpuMsOf(process.pid);
  expect(own).toBeGreaterThan(0);
  expect(cpuMsOfFamily(process.pid)).toBeGreaterThanOrEqual(own);
});

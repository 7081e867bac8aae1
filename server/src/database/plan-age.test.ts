import type pg from 'pg';
import { expect, test } from 'vitest';
import { PlanAge } from './plan-age.ts';

interface Line {
  readonly client: pg.Client;
  readonly sent: string[];
}

function fakeLine(): Line {
  const sent: string[] = [];
  const query = (text: string) => {
    sent.push(text);
    return Promise.resolve();
  };
  return { client: { query } as unknown as pg.Client, sent };
}

test('a connection forgets its plans with the first statement, and then at most once a second', () => {
  let nowMs = 0;
  const plans = new PlanAge({ monotonic: () => nowMs });
  const line = fakeLine();
  for (const atMs of [0, 1, 999, 1_000, 1_999, 2_500]) {
    nowMs = atMs;
    plans.renew(line.client);
    line.sent.push(`at ${atMs}`);
  }
  const forgets = 'discard plans';
  expect(line.sent).toEqual([forgets, 'at 0', 'at 1', 'at 999', forgets, 'at 1000', 'at 1999', forgets, 'at 2500']);
});

test('each connection has plans of its own', () => {
  const plans = new PlanAge({ monotonic: () => 0 });
  const lines = [fakeLine(), fakeLine()];
  for (const { client } of [...lines, ...lines]) plans.renew(client);
  expect(lines.map(({ sent }) => sent)).toEqual([['discard plans'], ['discard plans']]);
});

test('a connection that breaks meanwhile fails the statement that follows, and nothing else', async () => {
  const client = { query: () => Promise.reject(new Error('gone')) } as unknown as pg.Client;
  new PlanAge({ monotonic: () => 0 }).renew(client);
  await new Promise((resolve) => setImmediate(resolve));
});

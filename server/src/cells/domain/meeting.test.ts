import { expect, test } from 'vitest';
import { Meeting } from './meeting.ts';

test('nobody goes on before all have come', async () => {
  const meeting = new Meeting(2);
  const gone: string[] = [];
  const first = meeting.come().then(() => gone.push('first'));
  await Promise.resolve();
  expect(gone).toEqual([]);
  await meeting.come();
  await first;
  expect(gone).toEqual(['first']);
});

test('those who wait, and those who come later, learn that one has failed', async () => {
  const meeting = new Meeting(3);
  const waiting = expect(meeting.come()).rejects.toThrow('away');
  meeting.fail(new Error('away'));
  await waiting;
  await expect(meeting.come()).rejects.toThrow('away');
});

test('a failure after all have come stops nobody', async () => {
  const meeting = new Meeting(1);
  await meeting.come();
  meeting.fail(new Error('late'));
  await meeting.complete;
});

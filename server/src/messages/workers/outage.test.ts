import { describe, expect, test } from 'vitest';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { Outage } from './outage.ts';

function outageAt() {
  const clock = new TestClock();
  const reported: (string | null)[] = [];
  const outage = new Outage(testRuntime({}, clock), (reason) => reported.push(reason));
  let count = 0;
  const sent = (lane: string) => ({ lane, messageId: `m${count++}` });
  const unanswered = (...lanes: readonly string[]) => {
    for (const lane of lanes) outage.unanswered(sent(lane), 'A page.');
  };
  return { clock, reported, outage, sent, unanswered };
}

describe('a network that does not answer itself', () => {
  test('is left alone by all numbers once several of them see it, and is reported once', () => {
    const { reported, outage, unanswered } = outageAt();
    unanswered('a', 'b');
    expect(outage.isDown('d')).toBe(false);
    unanswered('c', 'a', 'b');
    expect(outage.isDown('d')).toBe(true);
    expect(reported).toEqual(['A page.']);
  });

  test('is used on by numbers that it answers while any number of others wait until their deadlines', () => {
    const { reported, outage, sent } = outageAt();
    for (const lane of ['a', 'b', 'c', 'd']) for (let times = 0; times < 3; times += 1) outage.silent(sent(lane));
    expect(outage.isDown('a')).toBe(true);
    expect(outage.isDown('e')).toBe(false);
    expect(outage.admits(sent('e'))).toBe(true);
    expect(reported).toEqual([]);
  });

  test('is left alone immediately when no connection can be made', () => {
    const { outage, sent } = outageAt();
    outage.unreachable(sent('a'), 'ECONNREFUSED');
    expect(outage.isDown('b')).toBe(true);
    expect(outage.admits(sent('b'))).toBe(false);
  });

  test('is tried with one message at a time, with waits that double up to 4 seconds', () => {
    const { clock, outage, sent } = outageAt();
    outage.unreachable(sent('a'), 'ECONNREFUSED');
    for (const waitMs of [250, 500, 1_000, 2_000, 4_000, 4_000]) {
      clock.advance(waitMs - 1);
      expect(outage.isDown('a')).toBe(true);
      clock.advance(1);
      expect(outage.isDown('a')).toBe(false);
      const [probe, other] = [sent('a'), sent('b')];
      expect([outage.admits(probe), outage.admits(other)]).toEqual([true, false]);
      expect([outage.mayLeave(probe), outage.mayLeave(other)]).toEqual([true, false]);
      outage.unreachable(probe, 'ECONNREFUSED');
    }
  });

  test('is tried also by a number that paused alone for long before', () => {
    const { clock, outage, sent, unanswered } = outageAt();
    unanswered('a', 'a', 'a');
    for (let round = 0; round < 6; round += 1) {
      clock.advance(4_000);
      const probe = sent('a');
      outage.admits(probe);
      outage.unanswered(probe, 'A page.');
    }
    unanswered('b', 'c');
    clock.advance(250);
    const probe = sent('a');
    expect([outage.isDown('a'), outage.admits(probe), outage.mayLeave(probe)]).toEqual([false, true, true]);
  });

  test('failures of sends from before do not prolong the wait', () => {
    const { clock, outage, sent } = outageAt();
    for (let index = 0; index < 50; index += 1) outage.unreachable(sent('a'), 'ECONNREFUSED');
    clock.advance(250);
    expect(outage.isDown('a')).toBe(false);
  });

  test('a probe without an answer is followed by another', () => {
    const { clock, outage, sent } = outageAt();
    outage.unreachable(sent('a'), 'ECONNREFUSED');
    clock.advance(250);
    expect(outage.admits(sent('a'))).toBe(true);
    clock.advance(500);
    expect(outage.admits(sent('a'))).toBe(true);
  });

  test('is probed by one message that may leave, however often the same ones ask, and whatever their numbers did before', () => {
    const { clock, outage, sent, unanswered } = outageAt();
    unanswered('a', 'a', 'a', 'b', 'b', 'b', 'c');
    const waiting = ['a', 'b', 'c', 'a', 'b', 'c'].map(sent);
    for (let round = 0; round < 20; round += 1) {
      clock.advance(4_000);
      const admitted = waiting.filter((one) => outage.admits(one));
      expect(admitted).toHaveLength(1);
      expect(waiting.filter((one) => outage.mayLeave(one))).toEqual(admitted);
    }
  });

  test('is used again immediately by all numbers when it answers anything', () => {
    const { reported, outage, sent, unanswered } = outageAt();
    unanswered('a', 'a', 'a', 'b', 'b', 'b', 'c');
    outage.answered('c');
    expect(['a', 'b', 'd'].map((lane) => outage.isDown(lane))).toEqual([false, false, false]);
    expect(outage.admits(sent('d'))).toBe(true);
    expect(reported).toEqual(['A page.', null]);
  });
});

describe('one number without an answer', () => {
  test('rests alone, and the others continue', () => {
    const { reported, outage, sent, unanswered } = outageAt();
    for (let index = 0; index < 20; index += 1) {
      unanswered('a');
      outage.answered('b');
    }
    expect([outage.isDown('a'), outage.isDown('b')]).toEqual([true, false]);
    expect([outage.admits(sent('a')), outage.admits(sent('b'))]).toEqual([false, true]);
    expect(reported).toEqual([]);
  });

  test('is not held back by one or two failures', () => {
    const { outage, unanswered } = outageAt();
    unanswered('a', 'a');
    expect(outage.isDown('a')).toBe(false);
    outage.answered('a');
    unanswered('a', 'a');
    expect(outage.isDown('a')).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Doing, SignalSender } from './signal-sender.ts';
import { Signals } from './signals.ts';

const frame = (agent_id: string, viewing: boolean, writing: boolean) => ({
  conversation_id: 'c',
  agent_id,
  viewing,
  writing,
});

describe('the signals of a page', () => {
  test('hold until the agent ends them, or the line is cut', () => {
    const signals = new Signals();
    signals.receive(frame('ada', true, false));
    signals.receive(frame('ben', true, true));
    signals.receive(frame('ada', true, true));
    expect(signals.of('c').map(({ agentId, writing }) => [agentId, writing])).toEqual([
      ['ada', true],
      ['ben', true],
    ]);
    const same = signals.of('c');
    signals.receive({ ...frame('ada', true, true), conversation_id: 'another' });
    expect(signals.of('c')).toBe(same);
    signals.receive(frame('ada', false, false));
    expect(signals.of('c').map(({ agentId }) => agentId)).toEqual(['ben']);
    signals.clear();
    expect(signals.of('c')).toEqual([]);
  });

  test('are not changed by what the page does not know', () => {
    const signals = new Signals();
    for (const data of [null, 7, {}, { conversation_id: 'c' }]) signals.receive(data);
    expect(signals.of('c')).toEqual([]);
  });
});

describe('a page that shows a conversation', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function sender() {
    const said: Doing[] = [];
    return { said, own: new SignalSender((doing) => said.push(doing)) };
  }

  test('says so after a moment, renews it, and says when it leaves', () => {
    const { said, own } = sender();
    vi.advanceTimersByTime(300);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(200);
    vi.advanceTimersByTime(8_000);
    expect(said).toEqual(Array(2).fill({ viewing: true, writing: false }));
    own.stop();
    vi.advanceTimersByTime(60_000);
    expect(said.slice(2)).toEqual([{ viewing: false, writing: false }]);
  });

  test('that is left before that says nothing at all', () => {
    const { said, own } = sender();
    own.stop();
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([]);
  });

  test('says that somebody writes once, not for every key, until they pause or send', () => {
    const { said, own } = sender();
    vi.advanceTimersByTime(500);
    for (let key = 0; key < 20; key++) own.write(false);
    expect(said.slice(1)).toEqual([{ viewing: true, writing: true }]);
    own.write(true);
    expect(said.at(-1)).toEqual({ viewing: true, writing: false });
    own.write(false);
    vi.advanceTimersByTime(6_500);
    expect(said.at(-1)).toEqual({ viewing: true, writing: false });
  });

  test('asks the service for nothing while nobody touches it or it is hidden', () => {
    const { said, own } = sender();
    vi.advanceTimersByTime(200_000);
    const before = said.length;
    expect(said.at(-1)).toEqual({ viewing: false, writing: false });
    vi.advanceTimersByTime(3_600_000);
    expect(said.length).toBe(before);
    own.touch();
    expect(said.at(-1)).toEqual({ viewing: true, writing: false });
    own.show(false);
    expect(said.at(-1)).toEqual({ viewing: false, writing: false });
    own.stop();
  });
});

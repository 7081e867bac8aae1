import { expect, test } from 'vitest';
import { EMOJI, findEmoji } from './emoji.ts';

const all = [...EMOJI.values()].flat();

test('every entry is one emoji with a name, and no emoji is there twice', () => {
  for (const { sign, name } of all) {
    expect(sign).toMatch(/^\p{Emoji}\uFE0F?$/u);
    expect(name).toMatch(/^[a-z0-9 ,']+$/);
  }
  expect(new Set(all.map(({ sign }) => sign)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(900);
});

test.each([
  ['thumbs', '👍'],
  ['joy', '😂'],
  ['heart red', '❤️'],
  ['white_heavy', undefined],
  ['tada', '🎉'],
])('"%s" finds %s', (wanted, sign) => {
  expect(findEmoji(wanted, 1)[0]?.sign).toBe(sign);
});

test('an empty search finds nothing', () => {
  expect(findEmoji(' ', 10)).toEqual([]);
});

import { expect, test } from 'vitest';
import { CONSENT_WORDS, consentWord } from './consent-words.ts';

test('covers at least twenty languages, and each language that can stop can also start', () => {
  expect(CONSENT_WORDS.stop.length).toBeGreaterThanOrEqual(20);
  expect(CONSENT_WORDS.start).toHaveLength(CONSENT_WORDS.stop.length);
});

test('no word means both: each is taken for what its list says, in any case and with any punctuation', () => {
  for (const meaning of ['stop', 'start'] as const) {
    for (const word of CONSENT_WORDS[meaning].flat()) {
      for (const written of [word, ` ${word.toUpperCase()}! `, `"${word}".`]) {
        expect([written, consentWord(written)]).toEqual([written, meaning]);
      }
    }
  }
});

test.each([
  'STOP',
  ' stop! ',
  '«Stop»',
  'SAIR',
  'Arrêt',
  'arret',
  'abmelden.',
  'СТОП',
  'iptal',
  'İPTAL',
  'إلغاء',
  '退订',
  'ストップ',
  '수신거부',
  'หยุด',
  'रोकें',
])('%s says stop', (text) => {
  expect(consentWord(text)).toBe('stop');
});

test.each(['Start', 'unstop', 'başla', 'Начать', '开始', 'スタート'])('%s says start', (text) => {
  expect(consentWord(text)).toBe('start');
});

test.each([
  'Please stop by tomorrow',
  'stop it now please',
  'yes',
  '',
  '!!!',
  'stop '.repeat(20),
])('%s says neither', (text) => {
  expect(consentWord(text)).toBeNull();
});

import { expect, test } from 'vitest';
import { CONSENT_LANGUAGES, consentWord } from './consent-words.ts';

test('speaks at least twenty languages', () => {
  expect(CONSENT_LANGUAGES).toBeGreaterThanOrEqual(20);
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

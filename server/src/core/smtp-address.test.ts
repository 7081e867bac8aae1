import { expect, test } from 'vitest';
import { parseSender, parseSmtpAddress } from './smtp-address.ts';

test.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, protection: 'required', login: null }],
  ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, protection: 'tls', login: null }],
  ['smtp://[::1]:25?tls=optional', { host: '::1', port: 25, protection: 'offered', login: null }],
  [
    'smtp://ana%40shop.example:p%3Ass@mail.example.com:2525',
    {
      ...{ host: 'mail.example.com', port: 2525, protection: 'required' },
      login: { user: 'ana@shop.example', password: 'p:ss' },
    },
  ],
])('%s names a mail server', (text, expected) => {
  expect(parseSmtpAddress(text)).toEqual(expected);
});

test.each([
  '',
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://mail.example.com:0',
  'smtp://mail.example.com/path',
  'smtp://mail.example.com?tls=no',
  'smtp://ana@mail.example.com',
  'smtp://ana:%E0%A4%A@mail.example.com',
])('%j names none', (text) => {
  expect(parseSmtpAddress(text)).toBeNull();
});

test('a password never goes out unencrypted', () => {
  expect(parseSmtpAddress('smtp://ana:secret@mail.example.com?tls=optional')).toBeNull();
});

test.each([
  ['inbox@example.com', { name: '', address: 'inbox@example.com' }],
  ['Flower shop <inbox@example.com>', { name: 'Flower shop', address: 'inbox@example.com' }],
  ['"Flowers, Ltd." <inbox@example.com>', { name: 'Flowers, Ltd.', address: 'inbox@example.com' }],
  ['two@example.com, three@example.com', null],
  ['Flower shop', null],
  ['a\r\nBcc: all@example.com <inbox@example.com>', null],
  ['', null],
])('%j as a sender is %j', (text, expected) => {
  expect(parseSender(text)).toEqual(expected);
});

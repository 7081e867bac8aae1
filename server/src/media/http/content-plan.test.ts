import { expect, test } from 'vitest';
import { contentDisposition, planContent } from './content-plan.ts';

const media = { sha256: 'ab', size: 1000 };

test.each([
  ['nothing asked', {}, { status: 200 }],
  ['first bytes', { range: 'bytes=0-99' }, { status: 206, range: { first: 0, last: 99 } }],
  ['from a place on', { range: 'bytes=900-' }, { status: 206, range: { first: 900, last: 999 } }],
  ['last bytes', { range: 'bytes=-100' }, { status: 206, range: { first: 900, last: 999 } }],
  ['more last bytes than there are', { range: 'bytes=-5000' }, { status: 206, range: { first: 0, last: 999 } }],
  ['an end behind the end', { range: 'bytes=999-5000' }, { status: 206, range: { first: 999, last: 999 } }],
  ['behind the end', { range: 'bytes=1000-' }, { status: 416 }],
  ['no last bytes', { range: 'bytes=-0' }, { status: 416 }],
  ['backwards', { range: 'bytes=9-1' }, { status: 200 }],
  ['several ranges', { range: 'bytes=0-1,5-6' }, { status: 200 }],
  ['another unit', { range: 'lines=0-1' }, { status: 200 }],
  ['no figures', { range: 'bytes=-' }, { status: 200 }],
  ['known content', { 'if-none-match': '"ab"' }, { status: 304 }],
  ['known content among others', { 'if-none-match': '"x", W/"ab"' }, { status: 304 }],
  ['any content', { 'if-none-match': '*', range: 'bytes=0-1' }, { status: 304 }],
  ['other content', { 'if-none-match': '"x"' }, { status: 200 }],
  [
    'the rest of this content',
    { 'if-range': '"ab"', range: 'bytes=1-1' },
    { status: 206, range: { first: 1, last: 1 } },
  ],
  ['the rest of other content', { 'if-range': '"x"', range: 'bytes=1-1' }, { status: 200 }],
])('a download with %s', (_label, headers, expected) => {
  expect(planContent(media, headers)).toEqual(expected);
});

test.each([
  [null, 'attachment'],
  ['parcel.jpg', 'attachment; filename="parcel.jpg"'],
  ['a "quoted".txt', `attachment; filename="a _quoted_.txt"; filename*=UTF-8''a%20%22quoted%22.txt`],
  ['résumé.pdf', `attachment; filename="r_sum_.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
])('the name %j becomes a header that is safe', (name, expected) => {
  expect(contentDisposition(name)).toBe(expected);
});

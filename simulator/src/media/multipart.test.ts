import { expect, test } from 'vitest';
import { boundaryOf, MultipartError, MultipartReader } from './multipart.ts';

const BODY = Buffer.from(
  '--b1\r\nContent-Disposition: form-data; name="type"\r\n\r\nimage/png\r\n' +
    '--b1\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n' +
    '--b1\r\ncontent-disposition: form-data; name="file"; filename="a %22b%22.png"\r\ncontent-type: image/png\r\n\r\n' +
    'one\r\n--b\r\n--b2 two\r\n--b1--\r\nepilogue',
);

function read(chunks: readonly Buffer[]): { parts: Record<string, string>; names: unknown[]; complete: boolean } {
  const parts: Record<string, string> = {};
  const names: unknown[] = [];
  let current = '';
  const reader = new MultipartReader('b1', {
    onPart: (head) => {
      current = head.name;
      parts[current] = '';
      names.push([head.fileName, head.contentType]);
    },
    onData: (chunk) => {
      parts[current] += chunk.toString();
    },
  });
  for (const chunk of chunks) reader.feed(chunk);
  return { parts, names, complete: reader.complete };
}

test('parts come out the same however the body is cut into chunks', () => {
  const whole = read([BODY]);
  expect(whole).toEqual({
    parts: { type: 'image/png', empty: '', file: 'one\r\n--b\r\n--b2 two' },
    names: [
      [null, null],
      [null, null],
      ['a "b".png', 'image/png'],
    ],
    complete: true,
  });
  for (let size = 1; size < BODY.length; size++) {
    const chunks = Array.from({ length: Math.ceil(BODY.length / size) }, (_, i) =>
      BODY.subarray(i * size, (i + 1) * size),
    );
    expect(read(chunks)).toEqual(whole);
  }
});

test('a body without its closing boundary is not complete', () => {
  expect(read([BODY.subarray(0, BODY.length - 20)]).complete).toBe(false);
});

test('a boundary that no line break follows is a fault', () => {
  expect(() => read([Buffer.from('--b1 nonsense')])).toThrow(MultipartError);
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
  ['application/json', null],
  [undefined, null],
])('the boundary of %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary);
});

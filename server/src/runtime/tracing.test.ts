import { expect, test } from 'vitest';
import { readTraceParent, traceParentOf } from './tracing.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';

test.each([
  [`00-${trace}-${span}-01`, 1],
  [`00-${trace}-${span}-00`, 0],
  [`cc-${trace}-${span}-03-what-the-future-holds`, 1],
])('%s is read', (text, traceFlags) => {
  expect(readTraceParent(text)).toEqual({ traceId: trace, spanId: span, traceFlags, isRemote: true });
});

test.each([
  '',
  'x',
  `ff-${trace}-${span}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${trace}-${span}`,
  `00-${trace}-${span}-1`,
])('"%s" is ignored', (text) => {
  expect(readTraceParent(text)).toBeNull();
});

test('what is written is read as it was', () => {
  const text = `00-${trace}-${span}-01`;
  const read = readTraceParent(text);
  expect(read && traceParentOf(read)).toBe(text);
});

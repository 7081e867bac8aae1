import { expect, test } from 'vitest';
import { mentionsIn } from './mentions.tsx';

test('a note mentions whom it names, and of two names that begin alike the longer one', () => {
  const agents = [
    { id: '1', name: 'Ada', role: 'agent', availability: 'online' },
    { id: '2', name: 'Ada Lima', role: 'agent', availability: 'online' },
    { id: '3', name: 'Ben', role: 'agent', availability: 'online' },
  ] as const;
  expect(mentionsIn('@Ada Lima and @Ben, look', agents)).toEqual(['2', '3']);
  expect(mentionsIn('@Ada and @Ada Lima', agents)).toEqual(['2', '1']);
  expect(mentionsIn('Ada, Ben', agents)).toEqual([]);
});

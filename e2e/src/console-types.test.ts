import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './postrider-process.ts';

/*
 * What the API answers has one description, the library's: whoever writes it down again here would not learn of a change.
 * Names of the API have underscores, and no others have.
 */
const source = join(root, 'console', 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.ts$|^live\/testing\//.test(file),
);

/** Shapes of what is not in the API document. */
const OTHERS: Readonly<Record<string, string>> = {
  'app/notifications/notification-preferences.ts': 'Preferences are kept by the API, and are the console’s own.',
  'app/push/popup.ts': 'Pushes go to the service worker.',
  'features/phone/phone-api.ts': 'The simulator is not the API.',
  'live/signals.ts': 'Signals are frames of the stream, which says nothing of their shape.',
};
/** A field of a type: `readonly created_at: string`, `{ contact_id?: string }`. What is not known yet may be anything. */
const FIELD =
  /(?:readonly [a-z]+(?:_[a-z]+)+\??:|[{;] ?[a-z]+(?:_[a-z]+)+\?:|[{;] ?[a-z]+(?:_[a-z]+)+: (?:readonly|string|number|boolean)\b)(?! unknown\b)/;
/** One field of an event’s data, whose shape depends on its type. */
const OF_AN_EVENT = /\bas \{ (?:id: string; )?\w+\?: string \}/;

const written = files.flatMap((file) =>
  readFileSync(join(source, file), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      FIELD.test(line) && !OF_AN_EVENT.test(line) ? [{ file, place: `${file}:${index + 1} ${line.trim()}` }] : [],
    ),
);

describe('the console', () => {
  test('writes down no shape of the API: the library has them', () => {
    expect(written.filter(({ file }) => !(file in OTHERS)).map(({ place }) => place)).toEqual([]);
  });

  test('has no exception that is not needed', () => {
    expect([...new Set(written.map(({ file }) => file))].toSorted()).toEqual(Object.keys(OTHERS).toSorted());
  });

  test('names what each call answers by a type that comes from the library', () => {
    const calls = files.flatMap((file) =>
      [
        ...readFileSync(join(source, file), 'utf8').matchAll(
          /\b(?:call|readWhole)<(?!T\b|Page<T>)([^(]+)>\(\s*['"`]([^'"`]*)/g,
        ),
      ].map(([, type = '', path = '']) => ({ file, type, path })),
    );
    expect(calls.length).toBeGreaterThan(40);
    expect(calls.filter(({ type, path }) => type.includes('{') && path.startsWith('/v1'))).toEqual([]);
  });

  test.each([
    '  readonly created_at: string;',
    'type X = { is_on?: boolean }',
    'x: { readonly has_more: boolean; readonly y_z: Z[] }',
  ])('would be refused with %s', (line) => expect(FIELD.test(line)).toBe(true));

  test.each([
    '({ created_at: before }: X)',
    'void change({ quiet_hours: hours })',
    '...(a ? {} : { reply_to: replyTo }),',
  ])('may write %s', (line) => expect(FIELD.test(line)).toBe(false));
});

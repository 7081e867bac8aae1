import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './postrider-process.ts';

/*
 * The console can read from right to left where its language does: nothing says left or right, but start and end, and what
 * points somewhere is turned.
 */
const source = join(root, 'console', 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.(tsx?|css)$/.test(file),
);
const lines = files.flatMap((file) =>
  readFileSync(join(source, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text })),
);

/** Utility classes of one side, also negative and behind variants. */
const SIDE_CLASS =
  /(?<=["'`\s:])-?(?:(?:left|right|ml|mr|pl|pr|scroll-m[lr]|scroll-p[lr]|border-[lr]|rounded-(?:l|r|tl|tr|bl|br)|clear|float|text|bg|object|origin|from|to)-(?:left|right)|(?:left|right|ml|mr|pl|pr|scroll-m[lr]|scroll-p[lr]|border-[lr]|rounded-(?:l|r|tl|tr|bl|br))-[\w[])/;
/** Properties of one side, in style sheets and in style objects. */
const SIDE_PROPERTY =
  /\b(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)\b|\b(?:margin|padding|border)(?:Left|Right)\b|(?:text-align|textAlign|float|clear)['"]?:\s*['"]?(?:left|right)|^\s*(?:left|right):\s|style=\{\{[^}]*\b(?:left|right):/;
/** Moves along the line without an answer for the other direction. */
const SIDE_MOVE = /(?<!rtl:)(?<=["'`\s:])-?translate-x-/;
/** Icons that point along the line. */
const POINTER =
  /<(?:Arrow(?:Left|Right)\w*|Chevron(?:Left|Right)\w*|CornerUp\w+|CornerDown\w+|Reply\w*|Forward|Send\w*|Undo2|Redo2|LogIn|LogOut|Panel(?:Left|Right)\w*)\s/;

const found = (refuses: (text: string) => boolean) =>
  lines.filter(({ text }) => refuses(text)).map(({ place, text }) => `${place} ${text.trim()}`);

describe('the console', () => {
  test('has classes and styles to judge', () => {
    expect(lines.filter(({ text }) => /\b(?:ms|me|ps|pe)-\d|border-[se]\b/.test(text)).length).toBeGreaterThan(20);
  });

  test('names no side in a class or a style', () => {
    expect(found((text) => SIDE_CLASS.test(text) || SIDE_PROPERTY.test(text) || SIDE_MOVE.test(text))).toEqual([]);
  });

  test('turns every icon that points along the line', () => {
    expect(found((text) => POINTER.test(text) && !/rtl:(?:-scale-x-100|rotate-180)/.test(text))).toEqual([]);
  });

  test.each([
    'className="ml-2"',
    "'md:-right-4 flex'",
    'className="text-left"',
    'className="rounded-tl-lg"',
    'className="border-l-2"',
    'className="left-0"',
    '  margin-left: 4px;',
    'style={{ right: 4, top: 2 }}',
    '  right: 0;',
  ])('would be refused with %s', (text) => {
    expect(SIDE_CLASS.test(text) || SIDE_PROPERTY.test(text)).toBe(true);
  });

  test.each([
    'className="ms-2 text-start inset-x-0 rounded-ss-lg border-line"',
    'const left = right - 1;',
    '(left: Time, right: Time)',
  ])('is allowed %s', (text) => {
    expect(SIDE_CLASS.test(text) || SIDE_PROPERTY.test(text) || SIDE_MOVE.test(text)).toBe(false);
  });
});

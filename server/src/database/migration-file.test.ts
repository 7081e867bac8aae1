import { describe, expect, test } from 'vitest';
import { planOf } from './migration-file.ts';

function textsOf(text: string): readonly string[] {
  return planOf({ name: 'test', text }).statements.map((statement) => statement.text);
}

describe('the statements of a migration', () => {
  test.each([
    ['end at semicolons, the last one also at the end', 'select 1; select 2', ['select 1', 'select 2']],
    ['are not ended in a text', "select ';''; --', 2; select 3;", ["select ';''; --', 2", 'select 3']],
    ['are not ended in a text with escapes', "select e'\\';'; select 3", ["select e'\\';'", 'select 3']],
    ['are not ended in a quoted name', 'select 1 as "a;""b"; select 3', ['select 1 as "a;""b"', 'select 3']],
    ['are not ended in a body', 'do $$ begin a; end $$; select 3', ['do $$ begin a; end $$', 'select 3']],
    ['are not ended in a named body', 'do $x$ a; $$ b; $x$; select 3', ['do $x$ a; $$ b; $x$', 'select 3']],
    ['lose their comments', '-- one; two\nselect 1 /* 3; 4 */; -- five;\n', ['select 1']],
    ['keep what looks like a comment in a text', "select '-- a' -- b;\n;", ["select '-- a'"]],
  ])('%s', (_label, text, statements) => expect(textsOf(text)).toEqual(statements));

  test('are marked one by one, the migration as a whole', () => {
    const text = '--! breaking\n--! stepwise\nselect 1;\n--! repeat\nupdate a set b = 1;\nselect 2;';
    const plan = planOf({ name: 'test', text });
    expect([plan.isBreaking, plan.isStepwise]).toEqual([true, true]);
    expect(plan.statements.map(({ repeats }) => repeats)).toEqual([false, true, false]);
  });

  test('with a marker that does not exist are refused by name', () => {
    expect(() => textsOf('--! braking\nselect 1;')).toThrow(/Migration test has the marker "braking"/);
  });
});

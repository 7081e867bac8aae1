import { describe, expect, test } from 'vitest';
import { planOf } from './migration-file.ts';

function textsOf(text: string): readonly string[] {
  return planOf({ name: 'test', text }).statements.map((statement) => statement.text);
}

test('a migration is run whole, whatever semicolons stand in it', () => {
  const text = "create table a (b text);\ndo $$ begin\n  delete from a;\nend $$;\ninsert into a values (';');\n";
  expect(textsOf(text)).toEqual([text]);
});

describe('the statements of a stepwise migration', () => {
  test('end at semicolons at the end of a line; comments alone are none', () => {
    const text = "--! stepwise\nselect ';' as a;\n-- why;\nselect -- one;\n  2;  \nselect 3\n";
    expect(textsOf(`${text};\n-- the end\n`)).toEqual([
      "--! stepwise\nselect ';' as a",
      '\n-- why;\nselect -- one;\n  2',
      '\nselect 3\n',
    ]);
  });

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

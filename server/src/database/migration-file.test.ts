import { parse } from 'libpg-query';
import { describe, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { planOf, readMigrations } from './migration-file.ts';

function textsOf(text: string): readonly string[] {
  return planOf({ name: 'test', text }).statements.map((statement) => statement.text);
}

test('a migration is cut into its statements, whatever semicolons stand in them', () => {
  const statements = [
    "create table a (b text default ';''')",
    '\ndo $$ begin\n  delete from a;\nend $$',
    '\ndo $x$ select $$;$$; $x$',
    '\n-- why; what\n/* how; */ insert into "a;" values (1)',
  ];
  expect(textsOf(`${statements.join(';')};\n-- the end;\n`)).toEqual(statements);
});

test('every migration is cut as the parser of PostgreSQL cuts it', async () => {
  const kindsOf = async (text: string) => (await parse(text)).stmts?.map(({ stmt }) => Object.keys(stmt ?? {})[0]);
  for (const migration of readMigrations(migrationsFolder())) {
    const cut = await Promise.all(planOf(migration).statements.map(({ text }) => kindsOf(text)));
    expect(cut.every((kinds) => kinds?.length === 1)).toBe(true);
    expect(cut.flat()).toEqual(await kindsOf(migration.text));
  }
});

describe('the statements of a stepwise migration', () => {
  test('keep the comments before them; comments alone are none', () => {
    const text = "--! stepwise\nselect ';' as a;\n-- why;\nselect -- one;\n  2;  \nselect 3\n";
    expect(textsOf(`${text};\n-- the end\n`)).toEqual([
      "--! stepwise\nselect ';' as a",
      '\n-- why;\nselect -- one;\n  2',
      '  \nselect 3\n',
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

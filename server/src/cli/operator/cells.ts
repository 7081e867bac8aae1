import { addCell, addedCells } from '#cells/actions/add-cell';
import { checkCells } from '#cells/actions/check-cells';
import { moveTenantToCell } from '#cells/actions/move-tenant';
import { type Cell, MAIN_CELL } from '#cells/domain/cell';
import { countResidents } from '#cells/store/residents';
import { EXIT } from '#cli/exit';
import { line, table } from '#cli/output';
import type { JsonObject } from '#core/json';
import { checkHealth } from '#database/health';
import { readMigrations } from '#database/migration-file';
import type { OperatorCell, OperatorDeps, OperatorGroup } from './command.ts';
import { inputText, optionalText, timeText } from './input.ts';
import { idOfTenant, withCells } from './over-cells.ts';

export const cellCommands: OperatorGroup = {
  name: 'cells',
  description: 'manage cells: copies of the service on schemas of their own, with the tenants that live in them',
  examples: `
Cells need PostgreSQL. The database that DATABASE_URL names is the cell main. New tenants go to the cell with the fewest,
or to the one that "postrider tenants create --cell" names.

Examples:
  postrider cells add b                                        a schema cell_b on the server of DATABASE_URL
  postrider cells add c --url postgres://user:…@db2/postrider  a database on another server
  postrider cells list
  postrider cells status
  postrider cells move Bank --to c                             the tenant, with everything that it has
  postrider cells check`,
  commands: {
    add: {
      description: 'add a cell; running processes serve it within seconds',
      arguments: { cell: ['<id>', 'name of the cell: lowercase letters, digits and underscores'] },
      options: {
        url: ['--url <address>', 'address of its PostgreSQL server; default: that of DATABASE_URL'],
        schema: ['--schema <name>', 'schema; default: cell_<id>, or with --url as the server resolves names'],
      },
      answerWithinMs: 0,
      work: async ({ rt, db, migrationsFolder }, input) => {
        const cell = await addCell(
          { rt, db, migrations: readMigrations(migrationsFolder) },
          {
            cellId: inputText(input, 'cell'),
            url: optionalText(input, 'url'),
            schema: optionalText(input, 'schema'),
          },
        );
        return presentCell(cell);
      },
      show: line(({ id }) => `Added the cell ${id}. Next: postrider tenants create <name> --cell ${id}`),
    },
    list: {
      description: 'list the cells, the main one first',
      work: async ({ db }) => {
        const added = db.kind === 'postgres' ? await addedCells(db) : [];
        return { data: [presentCell(MAIN), ...added.map(presentCell)] };
      },
      show: table('There is no cell.', [
        { title: 'ID', value: (row) => row.id },
        { title: 'STATE', value: (row) => row.state },
        { title: 'SCHEMA', value: (row) => row.schema ?? '' },
        { title: 'SERVER', value: (row) => row.server },
      ]),
    },
    status: {
      description: 'ask every cell whether it is there, and how many tenants live in it; fails when one is away',
      work: (deps) => withCells(deps, statusOf),
      show: table('There is no cell.', [
        { title: 'ID', value: (row) => row.id },
        { title: 'DATABASE', value: (row) => row.database },
        { title: 'TENANTS', value: (row) => row.tenants ?? '' },
      ]),
      judge: (_ctx, { data }) =>
        (data as readonly JsonObject[]).every((row) => row.database === 'ok') ? EXIT.ok : EXIT.failure,
    },
    move: {
      description:
        'move a tenant to another cell; it pauses for seconds at the end. Interrupted, give the command again',
      arguments: { tenant: ['<tenant>', 'ID or name of the tenant'] },
      options: { to: ['--to <cell>', 'the cell to move to; the one it is in gives up a move that was interrupted'] },
      answerWithinMs: 0,
      work: moveWork,
      show: (ctx, { from, to, rows, pause_ms: pauseMs, is_back: isBack }) => {
        if (isBack === true)
          return void ctx.stdout.write(`The tenant stays in ${from}; what was copied to ${to} is gone.\n`);
        const pause = pauseMs === null ? '' : `, ${rows} rows, with a pause of ${pauseMs} ms`;
        ctx.stdout.write(`Moved the tenant from ${from} to ${to}${pause}.\n`);
      },
    },
    check: {
      description: 'compare the directory with the cells, and repair it; fails when somebody has to decide',
      answerWithinMs: 0,
      work: checkWork,
      show: (ctx, { cells, tenants, repaired, faults }) => {
        for (const sentence of [...(repaired as readonly string[]), ...(faults as readonly string[])])
          ctx.stdout.write(`${sentence}\n`);
        ctx.stdout.write(`Checked ${cells} cells with ${tenants} tenants.\n`);
      },
      judge: (_ctx, { faults }) => ((faults as readonly string[]).length === 0 ? EXIT.ok : EXIT.failure),
    },
  },
};

/** Not a row of the directory: it is where the directory is. */
const MAIN: Cell = { cellId: MAIN_CELL, schema: null, url: null, state: 'open', addedMs: 0 };

function presentCell({ cellId, schema, url, state, addedMs }: Cell): JsonObject {
  return {
    id: cellId,
    state,
    schema,
    // Its address may hold a password.
    server: url === null ? 'DATABASE_URL' : 'its own',
    added_at: cellId === MAIN_CELL ? null : timeText(addedMs),
  };
}

async function statusOf({
  open,
  missing,
}: {
  readonly open: readonly OperatorCell[];
  readonly missing: readonly string[];
}) {
  const rows = open.map(async ({ cellId, db }) => {
    const { ok } = await checkHealth(db);
    return { id: cellId, database: ok ? 'ok' : 'away', tenants: ok ? await countResidents(db) : null };
  });
  return { data: [...(await Promise.all(rows)), ...missing.map((id) => ({ id, database: 'away', tenants: null }))] };
}

function moveWork(deps: OperatorDeps, input: JsonObject): Promise<JsonObject> {
  const [tenant, to] = [inputText(input, 'tenant'), inputText(input, 'to')];
  return withCells(deps, async (cells) => {
    const tenantId = await idOfTenant(cells, tenant);
    const moving = { rt: deps.rt, directory: deps.db, ...cells };
    const { pauseMs, isBack, ...moved } = await moveTenantToCell(moving, tenantId, to);
    return { tenant: tenantId, ...moved, pause_ms: pauseMs, is_back: isBack };
  });
}

function checkWork(deps: OperatorDeps): Promise<JsonObject> {
  return withCells(deps, async ({ open, missing }) => {
    const added = deps.db.kind === 'postgres' ? await addedCells(deps.db) : [];
    const { repaired, faults, ...counts } = await checkCells({ rt: deps.rt, directory: deps.db, open, missing, added });
    return { ...counts, repaired: [...repaired], faults: [...faults] };
  });
}

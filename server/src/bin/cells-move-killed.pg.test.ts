import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenCell } from '#cells/actions/cell-locator';
import { mendMoves } from '#cells/actions/mend-moves';
import { moveTenantToCell } from '#cells/actions/move-tenant';
import { findKept } from '#cells/store/directory';
import { listMoves } from '#cells/store/moves';
import type { TenantId } from '#core/ids';
import type { Database, SqlRunner } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { type CellKit, startCellKit } from '#testing/cells/test-cells';

let cells: CellKit;
/** The cell in which the tenant lives. */
let home = 'b';

beforeAll(async () => {
  cells = await startCellKit();
});

afterAll(async () => {
  await cells.kit.close();
});

/** A command that is killed: from a statement on nothing that it does takes effect any more. */
interface Kill {
  readonly at: string;
  /** Of the statements with that name, which one; 1 is the first. */
  readonly nth: number;
  /** Whether that one still takes effect. */
  readonly when: 'before' | 'after';
}

function dying(kill: Kill) {
  let seen = 0;
  let isDead = false;
  const wrap = <Runner extends SqlRunner>(runner: Runner): Runner => ({
    ...runner,
    run: async (statement, values) => {
      if (isDead) throw new Error('killed');
      const isIt = statement.name === kill.at && ++seen === kill.nth;
      if (isIt && kill.when === 'before') isDead = true;
      if (isDead) throw new Error('killed');
      const result = await runner.run(statement, values);
      if (isIt) isDead = true;
      return result as never;
    },
  });
  const database = (db: Database): Database => ({
    ...wrap(db),
    kind: db.kind,
    kysely: db.kysely,
    transaction: (work) => (isDead ? Promise.reject(new Error('killed')) : db.transaction((tx) => work(wrap(tx)))),
  });
  return { database, isDead: () => isDead };
}

/** The same process, long after the lease of whoever worked before has ended. */
function later(rt: Runtime): Runtime {
  return {
    ...rt,
    clock: {
      ...rt.clock,
      now: () => rt.clock.now() + 60_000,
      monotonic: () => rt.clock.monotonic(),
      after: rt.clock.after,
    },
  };
}

function openCells(): readonly OpenCell[] {
  const { service } = cells.kit;
  return [{ cellId: 'main', db: service.db }, ...(service.cells?.forOperators.served() ?? [])];
}

function moveTo(toCell: string, kill: Kill | null) {
  const { rt, service } = cells.kit;
  const death = dying(kill ?? { at: '', nth: 0, when: 'before' });
  const open = openCells().map(({ cellId, db }) => ({ cellId, db: death.database(db) }));
  const deps = { rt: kill ? rt : later(rt), directory: death.database(service.db), open, missing: [] };
  return moveTenantToCell(deps, cells.inB.id as TenantId, toCell);
}

async function placeOf(tenantId: string): Promise<string | undefined> {
  const [kept] = await findKept(cells.kit.service.db, 'tenant', [tenantId]);
  return kept?.cellId;
}

const sends = async () => {
  const body = { type: 'template', to: '447700900123', template: { name: 'order_shipped', language: 'en' } };
  return (await cells.inB.call('POST', '/v1/messages', body)).status;
};

const CASES: readonly (readonly [when: string, kill: Kill, hasLeft: boolean])[] = [
  ['when the move is recorded', { at: 'move_begin', nth: 1, when: 'after' }, false],
  ['while rows are copied', { at: 'moved_keys', nth: 1, when: 'after' }, false],
  ['when the pause is recorded', { at: 'move_step', nth: 1, when: 'after' }, false],
  ['when nothing may leave any more', { at: 'fence_set', nth: 1, when: 'after' }, false],
  ['when nothing can be written any more', { at: 'fence_set', nth: 2, when: 'after' }, false],
  ['before the tenant has left', { at: 'move_set_place', nth: 1, when: 'before' }, false],
  ['when the tenant has left', { at: 'move_set_place', nth: 1, when: 'after' }, true],
  ['when the new cell is open', { at: 'fence_open', nth: 1, when: 'after' }, true],
  ['before its numbers are removed from the old cell', { at: 'moved_people', nth: 4, when: 'before' }, true],
  ['before the move is over', { at: 'move_end', nth: 1, when: 'before' }, true],
];

test.each(
  CASES,
)('a command that is killed %s is continued by the same command, and the tenant works in between', async (_when, kill, hasLeft) => {
  const { kit, inB, run } = cells;
  const target = home === 'b' ? 'main' : 'b';
  const before = (await inB.call('GET', '/v1/messages?limit=100')).body.data.length;
  await expect(moveTo(target, kill)).rejects.toThrow('killed');
  const { rt, service } = kit;
  await kit.until(
    async () => {
      await mendMoves({ rt: later(rt), directory: service.db, open: openCells() });
      return sends();
    },
    (status) => status === 202,
    'the tenant sends again',
  );
  const { data } = await run('tenants.list');
  expect((data as { id: string }[]).filter(({ id }) => id === inB.id)).not.toEqual([]);
  expect(await placeOf(inB.id)).toBe(hasLeft ? target : home);
  expect((await listMoves(service.db)).map(({ tenantId }) => tenantId)).toEqual([inB.id]);
  expect(await moveTo(target, null)).toMatchObject({ from: home, to: target, isBack: false });
  home = target;
  expect(await listMoves(service.db)).toEqual([]);
  await kit.until(
    async () => (await inB.call('GET', '/v1/messages?limit=100')).body.data?.length,
    (n) => n === before + 1,
    'all messages are there, and none twice',
  );
  expect(await run('cells.check')).toMatchObject({ faults: [] });
});

test('a move that was interrupted is given up by naming the cell in which the tenant lives', async () => {
  const { inB, run, kit } = cells;
  const target = home === 'b' ? 'main' : 'b';
  await expect(moveTo(target, { at: 'fence_set', nth: 2, when: 'after' })).rejects.toThrow('killed');
  expect(await moveTo(home, null)).toMatchObject({ from: home, to: target, isBack: true });
  expect(await listMoves(kit.service.db)).toEqual([]);
  expect(await placeOf(inB.id)).toBe(home);
  await kit.until(sends, (status) => status === 202, 'the tenant sends where it was');
  expect(await run('cells.check')).toMatchObject({ faults: [] });
});

import { migrationsFolder } from '#bin/service';
import { runOperatorCommand } from '#cli/operator/commands';
import type { JsonObject } from '#core/json';
import {
  type Answer,
  callApi,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '#testing/test-service';

/** A tenant in a cell, with a key and a number of its own. */
export interface CellTenant {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly phoneNumberId: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** A service with the cells `main` and `b` on two schemas of one database, and a tenant in each. */
export interface CellKit {
  readonly kit: TestService;
  readonly inMain: CellTenant;
  readonly inB: CellTenant;
  /** An operator command, as the running server does it. */
  run(name: string, input?: JsonObject): Promise<JsonObject>;
}

export async function startCellKit(options: TestServiceOptions = {}): Promise<CellKit> {
  const kit = await startTestService(options);
  const run = operatorOf(kit);
  await run('cells.add', { cell: 'b' });
  const inMain = await addCellTenant(kit, { name: 'Flower shop', cell: 'main', phoneNumberId: '100000000000101' });
  const inB = await addCellTenant(kit, { name: 'Bank', cell: 'b', phoneNumberId: '100000000000102' });
  return { kit, inMain, inB, run };
}

export function operatorOf({ rt, service }: TestService): CellKit['run'] {
  const { db, cells } = service;
  const deps = { rt, db, migrationsFolder: migrationsFolder(), cells: cells?.forOperators ?? null };
  return (name, input = {}) => runOperatorCommand(deps, name, input);
}

export async function addCellTenant(
  kit: TestService,
  { name, cell, phoneNumberId }: { readonly name: string; readonly cell: string; readonly phoneNumberId: string },
): Promise<CellTenant> {
  const run = operatorOf(kit);
  const id = String((await run('tenants.create', { name, cell })).id);
  const key = String((await run('keys.create', { tenant: id, name: 'test', mode: 'test' })).key);
  const displayPhone = `1555${phoneNumberId.slice(-7)}`;
  await run('numbers.add', { tenant: id, phone_number_id: phoneNumberId, phone: displayPhone, name });
  const call: CellTenant['call'] = (method, path, body) =>
    callApi(kit.service.url, method, path, body, { authorization: `Bearer ${key}` });
  return { id, name, key, phoneNumberId, call };
}

import { CliError, EXIT } from '#cli/exit';
import type { JsonObject } from '#core/json';
import { analyticsCommands } from './analytics.ts';
import { auditCommands } from './audit.ts';
import { backupWork } from './backups.ts';
import { callbackCommands } from './callbacks.ts';
import { cellCommands } from './cells.ts';
import type { OperatorDeps, OperatorGroup, OperatorWork } from './command.ts';
import { deadLetterCommands } from './dead-letters.ts';
import { diagnoseWork } from './diagnose.ts';
import { heldCommands } from './held.ts';
import { keyCommands } from './keys.ts';
import { numberCommands } from './numbers.ts';
import { runOverCells } from './over-cells.ts';
import { planCommands } from './plans.ts';
import { subscriptionCommands } from './subscriptions.ts';
import { tenantCommands } from './tenants.ts';
import { tokenCommands } from './tokens.ts';
import { userCommands } from './users.ts';
import { walletCommands } from './wallet.ts';

/** In the order of the help. */
export const operatorGroups: readonly OperatorGroup[] = [
  tenantCommands,
  keyCommands,
  userCommands,
  numberCommands,
  planCommands,
  subscriptionCommands,
  tokenCommands,
  walletCommands,
  analyticsCommands,
  auditCommands,
  callbackCommands,
  deadLetterCommands,
  heldCommands,
  cellCommands,
];

/** The work of every operator command by its name on the socket. */
const works: ReadonlyMap<string, OperatorWork> = new Map([
  ...operatorGroups.flatMap(({ name, commands }) =>
    Object.entries(commands).map(([verb, { work }]) => [`${name}.${verb}`, work] as const),
  ),
  ['diagnose', diagnoseWork],
  ['backup.create', backupWork],
]);

/** @throws CliError for a command that this version does not have (the two ends may be of different versions) */
export async function runOperatorCommand(deps: OperatorDeps, name: string, input: JsonObject): Promise<JsonObject> {
  const work = works.get(name);
  if (work !== undefined)
    return name.startsWith('cells.') ? work(deps, input) : runOverCells(deps, { name, input, work });
  throw new CliError(
    EXIT.refused,
    `The running server does not support the command ${name}. It may be older than this program.`,
  );
}

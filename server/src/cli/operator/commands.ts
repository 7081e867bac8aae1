import { CliError, EXIT } from '#cli/exit';
import type { JsonObject } from '#core/json';
import { checkAnalyticsCommand } from './analytics.ts';
import { verifyAuditCommand } from './audit.ts';
import { listUnhandledItemsCommand, replayCallbacksCommand } from './callbacks.ts';
import type { OperatorCommand, OperatorDeps } from './command.ts';
import { listDeadLettersCommand, requeueDeadLettersCommand } from './dead-letters.ts';
import { diagnoseCommand } from './diagnose.ts';
import { exportTenantCommand } from './export-tenant.ts';
import { beginHoldCommand, listHeldCommand, releaseHeldCommand } from './held.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand, rotateKeyCommand } from './keys.ts';
import { addNumberCommand, listNumbersCommand, pauseNumberCommand, resumeNumberCommand } from './numbers.ts';
import { addPlanCommand, listPlansCommand, setPlanCommand } from './plans.ts';
import { setSubscriptionCommand, showSubscriptionCommand } from './subscriptions.ts';
import {
  allowAddressesCommand,
  allowCountriesCommand,
  createTenantCommand,
  deleteTenantCommand,
  listTenantsCommand,
  resumeTenantCommand,
  setTenantCommand,
  suspendTenantCommand,
} from './tenants.ts';
import { rotateTokenKeyCommand } from './tokens.ts';
import {
  adjustWalletCommand,
  listPricesCommand,
  rerateWalletCommand,
  setPriceCommand,
  showWalletCommand,
  topUpWalletCommand,
} from './wallet.ts';

/** Every operator command by its name on the socket. */
const operatorCommands = {
  'tenants.create': createTenantCommand,
  'tenants.list': listTenantsCommand,
  'tenants.set': setTenantCommand,
  'tenants.allow-ip': allowAddressesCommand,
  'tenants.allow-countries': allowCountriesCommand,
  'tenants.export': exportTenantCommand,
  'tenants.delete': deleteTenantCommand,
  'tenants.suspend': suspendTenantCommand,
  'tenants.resume': resumeTenantCommand,
  'keys.create': createKeyCommand,
  'keys.list': listKeysCommand,
  'keys.rotate': rotateKeyCommand,
  'keys.revoke': revokeKeyCommand,
  'numbers.add': addNumberCommand,
  'numbers.list': listNumbersCommand,
  'numbers.pause': pauseNumberCommand,
  'numbers.resume': resumeNumberCommand,
  'plans.list': listPlansCommand,
  'plans.add': addPlanCommand,
  'plans.set': setPlanCommand,
  'subscriptions.show': showSubscriptionCommand,
  'subscriptions.set': setSubscriptionCommand,
  'tokens.rotate-key': rotateTokenKeyCommand,
  'wallet.show': showWalletCommand,
  'wallet.topup': topUpWalletCommand,
  'wallet.adjust': adjustWalletCommand,
  'wallet.prices': listPricesCommand,
  'wallet.set-price': setPriceCommand,
  'wallet.rerate': rerateWalletCommand,
  'analytics.check': checkAnalyticsCommand,
  'audit.verify': verifyAuditCommand,
  'callbacks.replay': replayCallbacksCommand,
  'callbacks.leftovers': listUnhandledItemsCommand,
  'dead-letters.list': listDeadLettersCommand,
  'dead-letters.requeue': requeueDeadLettersCommand,
  'held.list': listHeldCommand,
  'held.begin': beginHoldCommand,
  'held.release': releaseHeldCommand,
  diagnose: diagnoseCommand,
} as const satisfies Record<string, OperatorCommand>;

export type OperatorCommandName = keyof typeof operatorCommands;

/** @throws CliError for a command that this version does not have (the two ends may be of different versions) */
export async function runOperatorCommand(deps: OperatorDeps, name: string, input: JsonObject): Promise<JsonObject> {
  const command = Object.hasOwn(operatorCommands, name) ? operatorCommands[name as OperatorCommandName] : null;
  if (command === null)
    throw new CliError(
      EXIT.refused,
      `The running server does not know the command ${name}; it may be older than this program.`,
    );
  return command(deps, input);
}

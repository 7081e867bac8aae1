import { addPlan, changePlan, type PlanChange } from '#billing/actions/manage-plans';
import type { Plan } from '#billing/domain/subscription';
import { microsPerMinorUnit } from '#billing/domain/wallet';
import { listPlans } from '#billing/store/plans';
import { CliError, EXIT } from '#cli/exit';
import type { JsonObject } from '#core/json';
import type { OperatorCommand } from './command.ts';
import { inputText, optionalText, optionalWhole } from './input.ts';

/** Amounts and counts of a plan: as much as the command line can write. */
const MAX_AMOUNT = 999_999_999;
const MAX_GRACE_DAYS = 365;

export const listPlansCommand: OperatorCommand = async ({ rt, db }) => {
  return { data: (await listPlans(db)).map((plan) => presentPlan(plan, rt.config.walletCurrency)) };
};

export const addPlanCommand: OperatorCommand = async ({ rt, db }, input) => {
  const { walletCurrency } = rt.config;
  return presentPlan(await addPlan(rt, db, inputText(input, 'id'), changeOf(input, walletCurrency)), walletCurrency);
};

export const setPlanCommand: OperatorCommand = async ({ rt, db }, input) => {
  const { walletCurrency } = rt.config;
  return presentPlan(await changePlan(rt, db, inputText(input, 'id'), changeOf(input, walletCurrency)), walletCurrency);
};

/** Only what is named; a limit of `none` is no limit. */
function changeOf(input: JsonObject, walletCurrency: string): PlanChange {
  const name = optionalText(input, 'name');
  const price = optionalWhole(input, 'price', { min: 0, max: MAX_AMOUNT });
  const currency = optionalText(input, 'currency');
  const interval = choice(input, 'interval', ['month', 'year']);
  const enforcement = choice(input, 'enforcement', ['soft', 'hard']);
  const warning = optionalWhole(input, 'warning_percent', { min: 1, max: 100 });
  const graceDays = optionalWhole(input, 'grace_days', { min: 0, max: MAX_GRACE_DAYS });
  return {
    ...(name === null ? {} : { name }),
    ...(price === null ? {} : { priceMinorUnits: price }),
    ...(currency === null ? {} : { currency }),
    ...(interval === null ? {} : { interval }),
    ...(enforcement === null ? {} : { fairUseEnforcement: enforcement }),
    ...(warning === null ? {} : { fairUseWarningPercent: warning }),
    ...(graceDays === null ? {} : { graceDays }),
    ...(input.messages === undefined ? {} : { fairUseMessages: limitOf(input, 'messages') }),
    ...(input.media_bytes === undefined ? {} : { mediaBytes: limitOf(input, 'media_bytes') }),
    ...(input.low_balance === undefined ? {} : { lowBalanceMicros: lowBalanceOf(input, walletCurrency) }),
    ...(input.default === true ? { isDefault: true } : {}),
  };
}

function limitOf(input: JsonObject, name: string): number | null {
  if (input[name] === 'none') return null;
  return optionalWhole(input, name, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

/** In minor units of the wallet's currency; `none`: nobody is told. */
function lowBalanceOf(input: JsonObject, walletCurrency: string): number | null {
  if (input.low_balance === 'none') return null;
  const minorUnits = optionalWhole(input, 'low_balance', { min: 1, max: MAX_AMOUNT });
  return minorUnits === null ? null : minorUnits * microsPerMinorUnit(walletCurrency);
}

function choice<T extends string>(input: JsonObject, name: string, values: readonly T[]): T | null {
  const given = optionalText(input, name);
  if (given === null) return null;
  const found = values.find((value) => value === given);
  if (found === undefined) throw new CliError(EXIT.usage, `${name} must be ${values.join(' or ')}.`);
  return found;
}

function presentPlan(plan: Plan, walletCurrency: string): JsonObject {
  const { lowBalanceMicros } = plan;
  return {
    id: plan.planId,
    name: plan.name,
    price: plan.priceMinorUnits,
    currency: plan.currency,
    interval: plan.interval,
    messages_per_month: plan.fairUseMessages,
    enforcement: plan.fairUseEnforcement,
    warning_percent: plan.fairUseWarningPercent,
    media_bytes: plan.mediaBytes,
    grace_days: plan.graceDays,
    low_balance: lowBalanceMicros === null ? null : lowBalanceMicros / microsPerMinorUnit(walletCurrency),
    default: plan.isDefault,
  };
}

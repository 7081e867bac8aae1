import { InvalidArgumentError } from 'commander';
import { addPlan, changePlan, type PlanChange } from '#billing/actions/manage-plans';
import type { Plan } from '#billing/domain/subscription';
import { microsPerMinorUnit } from '#billing/domain/wallet';
import { listPlans } from '#billing/store/plans';
import { parseWhole } from '#cli/options';
import { line, table } from '#cli/output';
import type { JsonObject } from '#core/json';
import type { OperatorCommand, OperatorGroup, OperatorWork } from './command.ts';
import { inputText, optionalChoice, optionalText, optionalWhole, withoutNulls } from './input.ts';

/** Amounts and counts of a plan: as much as the command line can write. */
const MAX_AMOUNT = 999_999_999;
const MAX_GRACE_DAYS = 365;

/** Commands that store a plan with what is given of it. */
const storing: Pick<OperatorCommand, 'arguments' | 'options' | 'show'> = {
  arguments: { id: ['<id>', 'ID of the plan, such as pro'] },
  options: {
    name: ['--name <text>', 'name of the plan'],
    price: ['--price <n>', 'price per interval, in minor units', parseWhole],
    currency: ['--currency <code>', 'ISO 4217'],
    interval: ['--interval <month|year>', 'billing interval'],
    messages: ['--messages <n|none>', 'outbound messages per calendar month; none: no limit', parseLimit],
    enforcement: ['--enforcement <soft|hard>', 'what happens when the limit is exceeded'],
    warning_percent: ['--warning <percent>', 'share of the limit at which usage causes a warning', parseWhole],
    media_bytes: ['--media-bytes <n|none>', 'bytes of stored media; none: no limit', parseLimit],
    grace_days: ['--grace <days>', 'how long messages are accepted after a missed payment', parseWhole],
    low_balance: [
      '--low-balance <n|none>',
      'notify tenants whose balance is lower, in minor units; none: do not notify',
      parseLimit,
    ],
    default: ['--default', 'use this plan for tenants without a plan of their own'],
  },
  show: line(({ id }) => `Plan ${id} is stored.`),
};

export const planCommands: OperatorGroup = {
  name: 'plans',
  description: 'list, create and update plans',
  examples: `
Prices are in minor units (cents). Messages beyond a hard limit are rejected; beyond a soft limit, they are accepted and reported.

Examples:
  postrider plans list
  postrider plans add pro --name "Pro" --price 4900 --currency EUR --messages 50000 --enforcement hard
  postrider plans set pro --messages none
  postrider plans set pro --default`,
  commands: {
    list: {
      description: 'list all plans',
      work: async ({ rt, db }) => ({
        data: (await listPlans(db)).map((plan) => presentPlan(plan, rt.config.walletCurrency)),
      }),
      show: table('There are no plans.', [
        { title: 'ID', value: (row) => row.id },
        { title: 'NAME', value: (row) => row.name, flexible: true },
        { title: 'PRICE', value: (row) => `${row.price} ${row.currency}/${row.interval}`, align: 'right' },
        { title: 'MESSAGES', value: (row) => row.messages_per_month ?? 'no limit', align: 'right' },
        { title: 'ENFORCEMENT', value: (row) => row.enforcement },
        { title: 'GRACE', value: (row) => `${row.grace_days} d`, align: 'right' },
        { title: 'DEFAULT', value: (row) => (row.default === true ? 'yes' : '') },
      ]),
    },
    add: { description: 'add a plan', ...storing, work: storeBy(addPlan) },
    set: { description: 'change a plan; omitted values stay unchanged', ...storing, work: storeBy(changePlan) },
  },
};

function storeBy(store: typeof addPlan | typeof changePlan): OperatorWork {
  return async ({ rt, db }, input) => {
    const { walletCurrency } = rt.config;
    const plan = await store(rt, db, inputText(input, 'id'), changeOf(input, walletCurrency));
    return presentPlan(plan, walletCurrency);
  };
}

/** A whole number, or `none`. @throws InvalidArgumentError for anything else */
function parseLimit(text: string): number | 'none' {
  if (text === 'none') return 'none';
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Write a whole number, or none.');
  return value;
}

/** Only what is named; a limit of `none` is no limit. */
function changeOf(input: JsonObject, walletCurrency: string): PlanChange {
  return {
    ...withoutNulls<PlanChange>({
      name: optionalText(input, 'name'),
      priceMinorUnits: optionalWhole(input, 'price', { min: 0, max: MAX_AMOUNT }),
      currency: optionalText(input, 'currency'),
      interval: optionalChoice(input, 'interval', ['month', 'year']),
      fairUseEnforcement: optionalChoice(input, 'enforcement', ['soft', 'hard']),
      fairUseWarningPercent: optionalWhole(input, 'warning_percent', { min: 1, max: 100 }),
      graceDays: optionalWhole(input, 'grace_days', { min: 0, max: MAX_GRACE_DAYS }),
    }),
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

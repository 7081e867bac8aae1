import { OPERATOR } from '#access/domain/audit';
import { listTenants } from '#access/store/tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { pauseNumber } from '#accounts/actions/pause-number';
import { findNumberOwners, listPhoneNumbers, type PhoneNumber } from '#accounts/store/phone-numbers';
import type { CliContext } from '#cli/context';
import { parseWhole } from '#cli/options';
import { table } from '#cli/output';
import type { TenantId } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import { type OperatorDeps, type OperatorGroup, TENANT } from './command.ts';
import { inputText, optionalText, optionalWhole, tenantIfNamed, tenantOf, timeText } from './input.ts';

const MAX_RATE = 100_000;

const showNumbers = table('There is no sending number yet. Add one with "postrider numbers add".', [
  { title: 'ID', value: (row) => row.id },
  { title: 'PHONE', value: (row) => row.phone },
  { title: 'NAME', value: (row) => row.name, flexible: true },
  {
    title: 'STATUS',
    value: (row) => (row.status === 'paused' ? `paused: ${row.pause_reason ?? ''}` : row.status),
    flexible: true,
  },
  { title: 'RATE', value: (row) => rateText(row.rate_per_second), align: 'right' },
  { title: 'TENANT', value: (row) => row.tenant },
]);
const showNumber = (ctx: CliContext, number: JsonObject) => showNumbers(ctx, { data: [number] });

export const numberCommands: OperatorGroup = {
  name: 'numbers',
  description: 'add, list, pause and resume sending numbers',
  examples: `
<id> is the phone_number_id that the network assigned to the number.

Examples:
  postrider numbers add 106540352242922 --phone +15550100001 --name "Main desk"
  postrider numbers add 106540352242923 --phone +15550100002 --rate 20 --tenant "Flower shop"
  postrider numbers list
  postrider numbers pause 106540352242922 --reason "Quality is low"
  postrider numbers resume 106540352242922`,
  commands: {
    add: {
      description: 'add a sending number to a tenant',
      arguments: { phone_number_id: ['<id>', 'phone_number_id of the network'] },
      options: {
        phone: ['--phone <number>', 'the number as customers see it', { mandatory: true }],
        name: ['--name <text>', 'name of the number'],
        rate: ['--rate <n>', 'messages per second; 0: no limit; default: MESSAGING_NUMBER_RATE', parseWhole],
        network_account_id: ['--network-account <id>', 'the network account that it belongs to, for its templates'],
        tenant: TENANT,
      },
      work: async ({ rt, db }, input) => {
        const tenantId = await tenantOf(db, input);
        const phoneNumberId = inputText(input, 'phone_number_id');
        await addPhoneNumber(rt, db, {
          tenantId,
          phoneNumberId,
          displayPhone: inputText(input, 'phone'),
          name: optionalText(input, 'name'),
          ratePerSecond: optionalWhole(input, 'rate', { min: 0, max: MAX_RATE }),
          networkAccountId: optionalText(input, 'network_account_id'),
        });
        return findPresented(db, tenantId, phoneNumberId);
      },
      show: showNumber,
    },
    list: {
      description: 'list the sending numbers of all tenants, or of one',
      options: { tenant: ['--tenant <id|name>', 'only this tenant'] },
      work: async ({ db }, input) => {
        const named = await tenantIfNamed(db, input);
        const tenantIds = named === null ? (await listTenants(db)).map((tenant) => tenant.tenantId) : [named];
        const numbers: PhoneNumber[] = [];
        for (const tenantId of tenantIds) numbers.push(...(await listPhoneNumbers(db, tenantId)));
        return { data: numbers.map(presentNumber) };
      },
      show: showNumbers,
    },
    pause: {
      description: 'pause a number; its messages wait',
      arguments: { phone_number_id: ['<id>', 'phone_number_id'] },
      options: { reason: ['--reason <text>', 'reason, shown with the number'] },
      work: (deps, input) => setPause(deps, input, optionalText(input, 'reason') ?? 'Paused by the operator.'),
      show: showNumber,
    },
    resume: {
      description: 'resume a paused number',
      arguments: { phone_number_id: ['<id>', 'phone_number_id'] },
      work: (deps, input) => setPause(deps, input, null),
      show: showNumber,
    },
  },
};

async function setPause({ rt, db }: OperatorDeps, input: JsonObject, pauseReason: string | null): Promise<JsonObject> {
  const phoneNumberId = inputText(input, 'phone_number_id');
  const tenantId = (await findNumberOwners(db, [phoneNumberId])).get(phoneNumberId);
  const found =
    tenantId !== undefined && (await pauseNumber(rt, db, { tenantId, phoneNumberId, pauseReason }, OPERATOR));
  if (!found)
    throw new OperatorError(`There is no sending number ${phoneNumberId}; "postrider numbers list" shows them.`);
  return findPresented(db, tenantId, phoneNumberId);
}

async function findPresented(db: Database, tenantId: TenantId, phoneNumberId: string): Promise<JsonObject> {
  const number = (await listPhoneNumbers(db, tenantId)).find((item) => item.phoneNumberId === phoneNumberId);
  if (!number) throw new OperatorError(`There is no sending number ${phoneNumberId}.`);
  return presentNumber(number);
}

function presentNumber(number: PhoneNumber): JsonObject {
  return {
    id: number.phoneNumberId,
    phone: number.displayPhone,
    name: number.name,
    status: number.status,
    pause_reason: number.pauseReason,
    rate_per_second: number.ratePerSecond,
    account_id: number.accountId,
    network_account_id: number.networkAccountId,
    quality: number.qualityRating,
    tenant: number.tenantId,
    created_at: timeText(number.createdMs),
  };
}

function rateText(rate: JsonValue | undefined): string {
  if (rate === null || rate === undefined) return 'default';
  return rate === 0 ? 'no limit' : `${String(rate)}/s`;
}

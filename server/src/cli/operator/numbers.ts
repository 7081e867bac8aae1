import { OPERATOR } from '#access/domain/audit';
import { listTenants } from '#access/store/tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { pauseNumber } from '#accounts/actions/pause-number';
import { findNumberOwners, listPhoneNumbers, type PhoneNumber } from '#accounts/store/phone-numbers';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import type { OperatorCommand, OperatorDeps } from './command.ts';
import { inputText, optionalText, optionalWhole, tenantOf, timeText } from './input.ts';

const MAX_RATE = 100_000;

export const addNumberCommand: OperatorCommand = async ({ rt, db }, input) => {
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
};

/** The numbers of one tenant, or of all. */
export const listNumbersCommand: OperatorCommand = async ({ db }, input) => {
  const named = optionalText(input, 'tenant') !== null;
  const tenantIds = named ? [await tenantOf(db, input)] : (await listTenants(db)).map((tenant) => tenant.tenantId);
  const numbers: PhoneNumber[] = [];
  for (const tenantId of tenantIds) numbers.push(...(await listPhoneNumbers(db, tenantId)));
  return { data: numbers.map(presentNumber) };
};

export const pauseNumberCommand: OperatorCommand = (deps, input) => {
  return setPause(deps, input, optionalText(input, 'reason') ?? 'Paused by the operator.');
};

export const resumeNumberCommand: OperatorCommand = (deps, input) => setPause(deps, input, null);

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

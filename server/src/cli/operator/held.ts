import { holdByHand } from '#maintenance/actions/keep-history';
import { readHeld } from '#maintenance/actions/read-for-operator';
import { releaseMessages } from '#messages/actions/release-held';
import type { OperatorCommand } from './command.ts';
import { optionalText, tenantOf, timeText } from './input.ts';

/** Messages that are held since the database was restored, by tenant. */
export const listHeldCommand: OperatorCommand = async ({ rt, db }) => {
  const tenants = await readHeld(rt, db);
  return {
    data: tenants.map(({ tenantId, messages, firstExpiresMs }) => ({
      tenant_id: tenantId,
      messages,
      first_expires_at: timeText(firstExpiresMs),
    })),
  };
};

/** Holds what may have been sent, for a restore that nothing shows. */
export const beginHoldCommand: OperatorCommand = async ({ rt, db }) => ({ held: await holdByHand(rt, db) });

/** Lets go what is held: of one tenant, or without `tenant` of all. */
export const releaseHeldCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = optionalText(input, 'tenant') === null ? null : await tenantOf(db, input);
  return { released: await releaseMessages(rt, db, { tenantId, unsent: input.unsent === true }) };
};

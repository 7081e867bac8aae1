import { randomInt } from 'node:crypto';
import { callbackBody, inboundText, ingest } from './test-callbacks.ts';
import type { TestService } from './test-service.ts';
import type { TestTenant } from './test-tenant.ts';

/** A user id of the network that no other test has. */
export function freshUserId(): string {
  return `US.${randomInt(1_000_000_000, 2_000_000_000)}${randomInt(1_000_000_000, 2_000_000_000)}`;
}

let written = 0;

/** A message of a person who shows only a user id; `fields` replace or add members. */
export async function writesHidden(
  kit: TestService,
  tenant: Pick<TestTenant, 'phoneNumberId'>,
  userId: string,
  fields: object = {},
): Promise<void> {
  written += 1;
  const timestamp = String(Math.floor(kit.rt.clock.now() / 1000));
  const hidden = { from: undefined, from_user_id: userId, timestamp, ...fields };
  const messages = [inboundText(`wamid.HIDDEN.${written}.${userId}`, '', hidden)];
  const contacts = [{ profile: { name: 'Ada' }, user_id: userId }];
  await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages, contacts }));
}

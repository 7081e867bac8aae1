import { type ContactRequest, requireContact } from '#contacts/actions/manage-contacts';
import type { Origin } from '#core/caller/origin';
import type { ErasureItem } from '#core/erasure';
import type { Database } from '#database/database';
import { erasePerson } from '#erasure/actions/erase-person';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';

/**
 * Erases a person: who it is, what it wrote and was written. Messages keep their ids and are still counted; a number
 * that is blocked or opted out stays so.
 * @returns what is erased, what follows, and what stays until when and why
 * @throws ApiProblem not_found, precondition_failed
 */
export function deleteContact(
  rt: Runtime,
  db: Database,
  request: ContactRequest & { readonly origin: Origin },
): Promise<readonly ErasureItem[]> {
  const { tenantId, origin } = request;
  return withEvents(rt, db, async (tx, events) => {
    const { contactId } = await requireContact({ rt, tx, events, nowMs: rt.clock.now() }, request);
    return erasePerson({ rt, tx, events }, { tenantId, contactId, origin });
  });
}

import { eraseEventData } from '#core/erasure';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import {
  advanceErasure,
  type Erasure,
  findErasure,
  findPagesNaming,
  finishErasure,
  rewritePage,
} from '#erasure/store/contact-erasures';

/**
 * Removes an erased person from one portion of a tenant's events. Killed in between, the next step repeats the portion;
 * two concurrent processes write the same.
 * @returns how many pages were searched; 0 when nothing is left to erase. Call again while it is not 0
 */
export async function eraseEvents(db: Database): Promise<number> {
  const erasure = await findErasure(db);
  if (erasure === null) return 0;
  const pages = await findPagesNaming(db, erasure);
  const last = pages.at(-1);
  await db.transaction(async (tx) => {
    if (last === undefined) return finishErasure(tx, erasure);
    for (const { lastSeq, body } of pages) {
      if (body !== null) await rewritePage(tx, erasure.tenantId, lastSeq, withoutPerson(erasure, body));
    }
    await advanceErasure(tx, erasure, last.lastSeq);
  });
  return Math.max(1, pages.length);
}

function withoutPerson({ needles }: Erasure, body: string): readonly JsonObject[] {
  const events = JSON.parse(body) as readonly { readonly type: string; readonly data: JsonObject }[];
  return events.map(({ type, data }) => {
    const text = JSON.stringify(data);
    return { type, data: needles.some((needle) => text.includes(needle)) ? eraseEventData(data) : data };
  });
}

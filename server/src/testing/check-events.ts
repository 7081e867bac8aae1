import { Ajv2020 } from 'ajv/dist/2020.js';
import { eventSchema } from '#bin/event-catalogue';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type EventType, eventTypes, wireEvent } from '#events/domain/event';
import { readEvents } from '#events/store/events';

/** Events of one tenant that are looked at: the first ones show what a test records. */
const MAX_EVENTS = 2_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Recorded events do not fit their schema. */
export class EventFault extends Error {
  override name = 'EventFault';
}

/**
 * Checks every event that a test recorded against the schema of its type: called when a test service closes, so that
 * wrong data fails wherever it is recorded.
 * @throws EventFault naming the events that do not fit
 */
export async function checkRecordedEvents(db: Database): Promise<void> {
  const heads = { name: 'test_event_heads', text: 'select tenant_id from event_heads' };
  const { rows } = await db.run<{ tenant_id: TenantId }>(heads, []);
  if (rows.length === 0) return;
  const ajv = new Ajv2020({ strict: false, formats: { uuid: UUID, 'date-time': TIME } });
  const faults: string[] = [];
  for (const { tenant_id: tenantId } of rows) {
    for (const event of await readEvents(db, { tenantId, after: 0, types: eventTypes, limit: MAX_EVENTS })) {
      const validate = ajv.getSchema(event.type) ?? compile(ajv, event.type);
      const wire = wireEvent(event);
      if (!validate(wire)) faults.push(`${ajv.errorsText(validate.errors)} in ${JSON.stringify(wire)}`);
    }
  }
  if (faults.length > 0) {
    throw new EventFault(`Events do not fit their schema (http/schemas/events):\n${faults.slice(0, 5).join('\n')}`);
  }
}

function compile(ajv: Ajv2020, type: EventType) {
  ajv.addSchema(eventSchema(type), type);
  const validate = ajv.getSchema(type);
  if (validate === undefined) throw new Error(`${type} has no schema.`);
  return validate;
}

import type { EventType, StoredEvent } from '#events/domain/event';

/** A type that is delivered to the endpoint that its events name, and to no other. */
export const ADDRESSED: EventType = 'rule.fired';

/** Between an addressed type and its address, in a mark. */
export const ADDRESS_SIGN = '@';

/** What a page of events says that it holds because of this one: its type and, if it has an address, whose it is. */
export function marksOf({ type, data }: Pick<StoredEvent, 'type' | 'data'>): readonly string[] {
  return type === ADDRESSED && typeof data.endpoint_id === 'string' ? [type, addressed(data.endpoint_id)] : [type];
}

export function addressed(endpointId: string): string {
  return ADDRESSED + ADDRESS_SIGN + endpointId;
}

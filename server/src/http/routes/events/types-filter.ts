import { type EventType, isEventType } from '#core/event';
import { problemOf } from '../../validation/faults.ts';

/**
 * The types that a query names; null: all.
 * @throws ApiProblem validation_failed for what is no type of event
 */
export function typesFilter(text: string | undefined): readonly EventType[] | null {
  if (text === undefined) return null;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.filter((name) => !isEventType(name));
  if (unknown.length > 0) {
    throw problemOf(
      unknown.map((name) => ({
        path: 'query.types',
        message: `types names ${name.slice(0, 100)}, which is not a type of event.`,
      })),
    );
  }
  return names.filter(isEventType);
}

import type { TSchema } from 'typebox';

/** What an event type carries. */
export interface EventDescription {
  readonly data: TSchema;
  readonly example: unknown;
}

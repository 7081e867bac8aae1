import type { JsonValue } from '#core/json';
import type { RuleAction } from './rule.ts';

/** Something of which the last value stays, that an action writes. */
export interface Write {
  /** The same for actions that write the same thing. */
  readonly what: string;
  /** What people call it. */
  readonly name: string;
  /** What it becomes; equal values do not disturb each other. */
  readonly value: JsonValue;
}

/** What an action writes over. Tags, notes, suggestions and answers are added, and disturb nothing. */
export function writesOf(action: RuleAction): readonly Write[] {
  switch (action.action) {
    case 'state':
      return [
        ...(action.status === undefined ? [] : [statusWrite(action.status)]),
        ...(action.priority === undefined
          ? []
          : [{ what: 'priority', name: 'the priority of the conversation', value: action.priority }]),
      ];
    case 'snooze':
      return [statusWrite(`snoozed ${action.for_s ?? ''}`)];
    case 'handoff':
      return [statusWrite('open')];
    case 'set_attribute':
      return [{ what: `attribute ${action.key}`, name: `the attribute ${action.key}`, value: action.value }];
    default:
      return [];
  }
}

function statusWrite(value: string): Write {
  return { what: 'status', name: 'the status of the conversation', value };
}

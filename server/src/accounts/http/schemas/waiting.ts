import Type from 'typebox';
import { choiceOf, named, nullableInteger, nullableObject } from '#http/schemas/fields';

/** Why something waits, in numbers. @param subject what waits: the first word of the names of the schemas */
export function waitingView(subject: string, reasons: readonly string[], description: string) {
  return nullableObject(named(`${subject}Waiting`, description), {
    reason: choiceOf(reasons, named(`${subject}WaitReason`, 'What it waits for.')),
    ahead: Type.Integer({ description: 'Messages that go before it, at most 10,000.' }),
    ahead_is_more: Type.Boolean({
      description: 'Whether there are more than that; eta_s is then the least it can be.',
    }),
    rate_per_s: nullableInteger('Messages per second that may leave from its number. Null: no limit.'),
    eta_s: nullableInteger('Seconds until its turn, as far as the limits say. Null if nobody can say.'),
  });
}

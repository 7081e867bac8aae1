import Type from 'typebox';
import { choiceOf, named, nullableObject, nullableTime, time } from '#http/schemas/fields';
import { callDirections, callStates } from '#messages/domain/call';

/** A call as an entry of a conversation, in the object `call`. */
export const CallView = Type.Object(
  {
    direction: choiceOf(callDirections, named('CallDirection', 'Who called: the customer, or the business.')),
    state: choiceOf(
      callStates,
      named(
        'CallState',
        'ringing: it began. missed: it ended, and nobody had answered. rejected: the customer declined it. failed: the network could not connect it. answered: the two spoke, or still do while ended_at is null.',
      ),
    ),
    started_at: time('The earliest time that the network reported of the call.'),
    answered_at: nullableTime('When it was answered. Null: it was not, or the network did not report when.'),
    ended_at: nullableTime('When it ended. Null: the network has not reported its end.'),
    duration_seconds: {
      type: ['integer', 'null'],
      description: 'How long the two spoke, in seconds. Null: they did not, or it has not ended.',
    },
    error: nullableObject('Why it failed. Null: the network reported no error.', {
      network_code: { type: ['integer', 'null'], description: "The network's own code." },
      message: { type: 'string', description: "The network's sentence." },
    }),
  },
  named('VoiceCall', 'A call between a customer and the business.'),
);

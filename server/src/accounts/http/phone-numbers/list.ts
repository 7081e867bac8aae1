import Type from 'typebox';
import { presentPhoneNumber } from '#accounts/http/present/phone-number';
import { accountExampleId } from '#accounts/http/schemas/linking';
import { numberExample, numberStatuses, PhoneNumberView } from '#accounts/http/schemas/phone-number';
import { listPhoneNumbersPage } from '#accounts/store/phone-numbers';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';

const Query = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(
      withExample(choiceOf(numberStatuses, named('PhoneNumberStatus', 'Only numbers in this status.')), 'active'),
    ),
    account_id: Type.Optional(withExample(uuid('Only numbers of this linked account.'), accountExampleId)),
  },
  { additionalProperties: false },
);

export const listPhoneNumbersRoute = defineOperation({
  method: 'GET',
  path: '/v1/phone-numbers',
  operationId: 'listPhoneNumbers',
  summary: 'List sending numbers',
  description:
    'Returns the numbers that the tenant sends from, newest first, with what the network last reported about each.',
  tag: 'Numbers',
  scope: 'numbers:read',
  query: Query,
  answer: pageAnswer('numbers', PhoneNumberView, numberExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const { status, account_id: accountId } = request.query;
      const filter = givenOnly({ status, accountId: accountId?.toLowerCase() });
      return answerList(request, reply, {
        cursorKey,
        name: 'phone_numbers',
        filter,
        read: (tenantId, window) => {
          const beforeId = window.beforeId === null ? null : fromCursorId(window.beforeId);
          return listPhoneNumbersPage(db, tenantId, filter, { ...window, beforeId });
        },
        idOf: (number) => toCursorId(number.phoneNumberId),
        present: presentPhoneNumber,
      });
    };
  },
});

const CURSOR_DIGITS = 32;

/** A cursor holds the 32 hex digits of a UUID, and an id has at most 32 digits: an `f` fills up, which is none of them. */
function toCursorId(phoneNumberId: string): string {
  return phoneNumberId.padStart(CURSOR_DIGITS, 'f');
}

function fromCursorId(cursorId: string): string {
  return cursorId.replaceAll(/[f-]/g, '');
}

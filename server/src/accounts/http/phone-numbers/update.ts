import { changeNumber, type NumberInput } from '#accounts/actions/manage-numbers';
import { presentPhoneNumber } from '#accounts/http/present/phone-number';
import {
  ChangePhoneNumber,
  type ChangePhoneNumberBody,
  numberExample,
  PhoneNumberParams,
  PhoneNumberView,
  staleErrorExample,
} from '#accounts/http/schemas/phone-number';
import type { HoursId } from '#core/ids';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';

export const updatePhoneNumberRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/phone-numbers/:id',
  operationId: 'updatePhoneNumber',
  summary: 'Update, pause or resume a sending number',
  description:
    "Updates, pauses or resumes the number. A pause takes effect within a second and holds back the number's messages. A pause caused by the network ends when the account is linked again; a pause set by a person ends only here.",
  tag: 'Numbers',
  scope: 'numbers:write',
  params: PhoneNumberParams,
  body: ChangePhoneNumber,
  bodyExamples: {
    pause: { summary: 'Pause it', value: { status: 'paused', pause_reason: 'Quality is low.' } },
    resume: { summary: 'Resume it', value: { status: 'active' } },
    resolve: { summary: 'Resolve what has been quiet for three days', value: { auto_resolve_hours: 72 } },
    reopen: { summary: 'A new conversation after a week', value: { reopen_policy: 'new_after', reopen_hours: 168 } },
    rename: { summary: 'Another name and speed', value: { name: 'Main desk', rate_limit: 20 } },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated number.',
    schema: PhoneNumberView,
    example: numberExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleErrorExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const versions = matchingVersions(request);
      const asked = { tenantId, phoneNumberId: request.params.id, origin: originOf(request), versions };
      const number = await changeNumber(rt, db, asked, readRequest(request.body));
      return presentPhoneNumber(number);
    };
  },
});

function readRequest(body: ChangePhoneNumberBody): NumberInput {
  const { name, status, rate_limit: ratePerSecond, pause_reason: pauseReason } = body;
  const { reopen_policy: reopenPolicy, reopen_hours: reopenHours } = body;
  const hoursId = (body.business_hours_id?.toLowerCase() ?? body.business_hours_id) as HoursId | null | undefined;
  return givenOnly({
    name,
    status,
    hoursId,
    ratePerSecond,
    pauseReason,
    reopenPolicy,
    reopenHours,
    resolveIdleHours: body.auto_resolve_hours,
    resolveIdleWaiting: body.auto_resolve_waiting,
  });
}

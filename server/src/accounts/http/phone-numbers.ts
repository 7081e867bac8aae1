import Type from 'typebox';
import { addLinkedNumber, HERE, NOBODYS_NUMBER } from '#accounts/actions/add-linked-number';
import { changeNumber, type NumberInput, removeNumber, STILL_OWES } from '#accounts/actions/manage-numbers';
import { type LaneWaitReason, numberWaiting, type QueueWait } from '#accounts/domain/lane-wait';
import { findWholeLane } from '#accounts/store/lane-facts';
import { findPhoneNumber, listPhoneNumbersPage, type PhoneNumber } from '#accounts/store/phone-numbers';
import type { HoursId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { deleteOperation, getOperation, listOperation, type Resource, updateOperation } from '#http/resource';
import { conflictExample, errorExample, staleExample } from '#http/schemas/errors';
import { choiceOf, named, phoneNumberId, uuid, withExample } from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { presentWaiting } from './present/waiting.ts';
import { accountExampleId } from './schemas/linking.ts';
import {
  AddPhoneNumber,
  ChangePhoneNumber,
  type ChangePhoneNumberBody,
  numberExample,
  numberStatuses,
  numberWaitingExample,
  PhoneNumberParams,
  PhoneNumberView,
} from './schemas/phone-number.ts';
import { syncPhoneNumberRoute } from './sync-past.ts';

/** As it is read alone: with what its due messages wait for. */
interface ShownNumber extends PhoneNumber {
  readonly waiting?: QueueWait<LaneWaitReason> | null;
}

/** A sending number, for the operations below its path too. */
export const phoneNumberResource: Resource<ShownNumber> = {
  path: '/v1/phone-numbers',
  name: 'PhoneNumber',
  noun: 'number',
  one: 'a sending number',
  tag: 'Numbers',
  scopes: { read: 'numbers:read', write: 'numbers:write' },
  params: PhoneNumberParams,
  view: PhoneNumberView,
  example: numberExample,
  stale: staleExample('number'),
  present: presentPhoneNumber,
};

const listPhoneNumbersRoute = listOperation(phoneNumberResource, {
  summary: 'List sending numbers',
  description:
    'Returns the numbers that the tenant sends from, newest first, with what the network last reported about each.',
  query: {
    status: Type.Optional(
      withExample(choiceOf(numberStatuses, named('PhoneNumberStatus', 'Only numbers with this status.')), 'active'),
    ),
    account_id: Type.Optional(withExample(uuid('Only numbers of this linked account.'), accountExampleId)),
  },
  filter: ({ status, account_id: accountId }) => givenOnly({ status, accountId: accountId?.toLowerCase() }),
  read: ({ db }, { tenantId, window, filter }) => {
    const beforeId = window.beforeId === null ? null : fromCursorId(window.beforeId);
    return listPhoneNumbersPage(db, tenantId, filter, { ...window, beforeId });
  },
  idOf: ({ phoneNumberId }) => toCursorId(phoneNumberId),
});

const addPhoneNumberRoute = defineOperation({
  method: 'POST',
  path: '/v1/phone-numbers',
  operationId: 'addPhoneNumber',
  summary: 'Add a sending number',
  description:
    'Adds a number by its network id, if a linked account of the tenant owns it, and registers it. Linking adds all numbers automatically; use this for a number that is new at the network or was removed.',
  tag: 'Numbers',
  scope: 'numbers:write',
  body: AddPhoneNumber,
  bodyExamples: {
    number: {
      summary: 'A number from a linked account',
      value: { phone_number_id: '106540352242922', name: 'Main desk' },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The number was added and can send messages.',
    schema: PhoneNumberView,
    example: numberExample,
  },
  errors: ['unknown_phone_number', 'conflict', 'refused_by_network', 'network_unreachable'],
  errorExamples: [
    errorExample('unknownPhoneNumber', 'unknown_phone_number', NOBODYS_NUMBER, 'body.phone_number_id'),
    conflictExample('here', HERE),
    errorExample(
      'refusedByNetwork',
      'refused_by_network',
      'The network rejected this step. Its response: The two-step PIN is wrong.',
    ),
    errorExample('networkUnreachable', 'network_unreachable', 'The network could not be reached (UND_ERR_SOCKET).'),
  ],
  handle: ({ linking }) => {
    return async (request) => {
      const { phone_number_id: phoneNumberId, name = null, pin = null } = request.body;
      return presentPhoneNumber(await addLinkedNumber(linking, { ...requesterOf(request), phoneNumberId, name, pin }));
    };
  },
});

const getPhoneNumberRoute = getOperation(phoneNumberResource, {
  description:
    "Returns the number's status here, and what the network last reported about its quality, limit and throughput. `waiting` says in numbers why its messages wait.",
  answer: { example: { ...numberExample, waiting: numberWaitingExample } },
  find: async ({ rt, db }, tenantId, id) => {
    const number = await findPhoneNumber(db, tenantId, id);
    const lane = number && (await findWholeLane(db, number, rt.clock.now()));
    return number && { ...number, waiting: lane && numberWaiting(lane, rt.config.numberRate) };
  },
});

const updatePhoneNumberRoute = updateOperation(phoneNumberResource, {
  summary: 'Update, pause or resume a sending number',
  description:
    "Updates, pauses or resumes the number. A pause takes effect within a second and holds back the number's messages. A pause caused by the network ends when the account is linked again; a pause set by a person ends only here.",
  body: ChangePhoneNumber,
  bodyExamples: {
    pause: { summary: 'Pause', value: { status: 'paused', pause_reason: 'Quality is low.' } },
    resume: { summary: 'Resume', value: { status: 'active' } },
    resolve: { summary: 'Resolve conversations after three inactive days', value: { auto_resolve_hours: 72 } },
    take: { summary: 'Assign conversations to the agent who replies first', value: { assign_on_reply: true } },
    reopen: {
      summary: 'Start a new conversation after a week',
      value: { reopen_policy: 'new_after', reopen_hours: 168 },
    },
    rename: { summary: 'Change the name and rate', value: { name: 'Main desk', rate_limit: 20 } },
  },
  update: ({ rt, db }, request, { body }) =>
    changeNumber(rt, db, { ...request, phoneNumberId: request.id }, readNumberInput(body)),
});

const deletePhoneNumberRoute = deleteOperation(phoneNumberResource, {
  description:
    'Deletes the number. It no longer sends or receives anything here, and another tenant may link it; its messages stay. At the network, it does not change. Returns 409 while messages are waiting to be sent from it.',
  answer: {
    // Unlike other ids, the id of a number is not a UUID.
    schema: Type.Object(
      { id: phoneNumberId(), status: choiceOf(['deleted'], 'It no longer sends or receives anything here.') },
      { description: 'The number was deleted.' },
    ),
  },
  failures: [conflictExample('messagesWait', STILL_OWES)],
  remove: ({ rt, db }, request) => removeNumber(rt, db, { ...request, phoneNumberId: request.id }),
});

/** In the order of the documentation. */
export const phoneNumberOperations: readonly Operation[] = [
  listPhoneNumbersRoute,
  addPhoneNumberRoute,
  getPhoneNumberRoute,
  updatePhoneNumberRoute,
  syncPhoneNumberRoute,
  deletePhoneNumberRoute,
];

const CURSOR_DIGITS = 32;

/** A cursor holds the 32 hex digits of a UUID, and an id has at most 32 digits: an `f` fills up, which is none of them. */
function toCursorId(phoneNumberId: string): string {
  return phoneNumberId.padStart(CURSOR_DIGITS, 'f');
}

function fromCursorId(cursorId: string): string {
  return cursorId.replaceAll(/[f-]/g, '');
}

function readNumberInput(body: ChangePhoneNumberBody): NumberInput {
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
    assignOnReply: body.assign_on_reply,
  });
}

function presentPhoneNumber(number: ShownNumber): JsonObject {
  return {
    id: number.phoneNumberId,
    phone: number.displayPhone,
    name: number.name,
    status: number.status,
    pause_reason: number.pauseReason,
    rate_limit: number.ratePerSecond,
    account_id: number.accountId,
    business_hours_id: number.hoursId,
    network_account_id: number.networkAccountId,
    quality: number.qualityRating,
    messaging_limit: number.messagingLimit,
    throughput: number.throughput,
    network_status: number.networkStatus,
    network_checked_at: number.networkReportedMs === null ? null : formatRfc3339(number.networkReportedMs),
    reopen_policy: number.reopenPolicy,
    reopen_hours: number.reopenHours,
    auto_resolve_hours: number.resolveIdleHours,
    auto_resolve_waiting: number.resolveIdleWaiting,
    assign_on_reply: number.assignOnReply,
    ...(number.waiting === undefined ? {} : { waiting: presentWaiting(number.waiting) }),
    version: number.version,
    created_at: formatRfc3339(number.createdMs),
  };
}

import { type ApiErrorCode, apiErrors } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { cursorExample } from './lists.ts';

const messageId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';

export const acceptedExample: JsonObject = { id: messageId, status: 'queued', type: 'text', to: '447700900123' };

export const authorExample: JsonObject = { kind: 'agent', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f', name: 'Ada Obi' };

export const outboundExample: JsonObject = {
  id: messageId,
  direction: 'outbound',
  status: 'sent',
  type: 'text',
  to: '447700900123',
  from: '15550100001',
  phone_number_id: '106540352242922',
  body: 'Your parcel leaves today.',
  campaign_name: null,
  client_ref: 'order-42',
  reply_to: null,
  resend_of: null,
  author: authorExample,
  edits: [],
  deleted_at: null,
  conversation_id: '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f',
  contact_id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f',
  priority: 'normal',
  send_at: null,
  expires_at: '2030-01-02T09:00:00.000Z',
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:02.310Z',
  delivery: {
    state: 'delivered',
    network_message_id: 'wamid.HBgMNDQ3NzAwOTAwMTIz',
    attempts: 1,
    next_attempt_at: null,
    accepted_at: '2030-01-01T09:00:00.120Z',
    sent_at: '2030-01-01T09:00:01.000Z',
    delivered_at: '2030-01-01T09:00:02.000Z',
    read_at: null,
    failed_at: null,
    pricing: { category: 'service', billable: false, model: 'PMP' },
    error: null,
    possible_duplicate: false,
  },
};

export const canceledExample: JsonObject = {
  ...outboundExample,
  status: 'failed',
  delivery: {
    state: 'failed',
    network_message_id: null,
    attempts: 0,
    next_attempt_at: null,
    accepted_at: null,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: '2030-01-01T09:00:02.310Z',
    pricing: null,
    error: {
      code: 'canceled',
      message: 'The message was canceled before it was sent.',
      network_code: null,
      retryable: true,
    },
    possible_duplicate: false,
  },
};

export const inboundExample: JsonObject = {
  id: '0190a6f3-1111-7222-8333-444455556666',
  direction: 'inbound',
  type: 'text',
  from: '447700900123',
  from_user_id: null,
  profile_name: 'Sam',
  to: '15550100001',
  phone_number_id: '106540352242922',
  body: 'Thank you!',
  summary: null,
  media: null,
  network_message_id: 'wamid.HBgMNDQ3NzAwOTAwMTI0',
  reply_to: messageId,
  quoted: { message_id: messageId, network_message_id: 'wamid.HBgMNDQ3NzAwOTAwMTIz', from: '15550100001' },
  forwarded: null,
  referred_product: null,
  network_error: null,
  referral: null,
  flow_response: null,
  group_id: null,
  opens_window: true,
  edits: [],
  deleted_at: null,
  conversation_id: '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f',
  contact_id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f',
  network_timestamp: '2030-01-01T09:05:00.000Z',
  received_at: '2030-01-01T09:05:00.480Z',
  created_at: '2030-01-01T09:05:00.480Z',
  text: { body: 'Thank you!' },
};

export const traceExample: JsonObject = {
  data: [
    { at: '2030-01-01T09:00:00.000Z', event: 'accepted', detail: 'The message was stored and queued.' },
    { at: '2030-01-01T09:00:00.120Z', event: 'attempt', detail: 'The network took the message.', data: { attempt: 1 } },
  ],
  waiting: null,
};

/** A page with this one item on it, and a further page behind it. */
export function pageExample(item: JsonObject): JsonObject {
  return { data: [item], page: { limit: 50, offset: 0, has_more: true, next_cursor: cursorExample } };
}

function withDetail(name: string, code: ApiErrorCode, path: string, message: string): ErrorExample {
  return { name, code, body: { error: `${message}.`, code, details: [{ path, message }] } };
}

/** What really answers a number that the tenant does not have. */
export const unknownNumberExample = withDetail(
  'unknownPhoneNumber',
  'unknown_phone_number',
  'body.phone_number_id',
  'phone_number_id does not name a sending number of this tenant',
);

/** What really answers a message that names what is not there or does not fit, and one beyond the plan. */
export const referenceErrorExamples: readonly ErrorExample[] = [
  unknownNumberExample,
  withDetail('unknownReplyTo', 'unknown_reply_to', 'body.reply_to', 'reply_to does not name a message of this tenant'),
  withDetail('unknownMedia', 'unknown_media', 'body.media.media_id', 'media.media_id does not exist or has expired'),
  withDetail(
    'mediaNotSendable',
    'media_not_sendable',
    'body.media.media_id',
    'media.media_id is text/plain of 10 bytes; the network accepts image/jpeg or image/png of at most 5 MB as type image',
  ),
  {
    name: 'subscriptionInactive',
    code: 'subscription_inactive',
    body: { error: 'The subscription is canceled.', code: 'subscription_inactive' },
  },
  {
    name: 'fairUseExceeded',
    code: 'fair_use_exceeded',
    body: { error: 'The 3 messages of this month are used up.', code: 'fair_use_exceeded' },
  },
  refusedRecipient('recipientBlocked', 'recipient_blocked', 'to is a blocked contact'),
  refusedRecipient('recipientOptedOut', 'recipient_opted_out', 'to has opted out of marketing'),
  refusedRecipient('recipientCountryNotAllowed', 'recipient_country_not_allowed', 'to is a number of DE'),
  {
    name: 'templateUnknown',
    code: 'template_unknown',
    body: {
      error: 'The account of the sending number has no template order_ready in en_US. Sync the templates if it is new.',
      code: 'template_unknown',
    },
  },
  {
    name: 'templatePaused',
    code: 'template_paused',
    body: { error: 'The network has paused the template order_ready.', code: 'template_paused' },
  },
  {
    name: 'templateNotSendable',
    code: 'template_not_sendable',
    body: { error: 'The template order_ready is disabled.', code: 'template_not_sendable' },
  },
];

/** Says in the sentence what the caller can do, and in the detail what is wrong with the recipient. */
function refusedRecipient(name: string, code: ApiErrorCode, message: string): ErrorExample {
  return { name, code, body: { error: apiErrors[code].sentence, code, details: [{ path: 'body.to', message }] } };
}

/** What really answers `{"body": "", "colour": "red"}` and `{"to":`; a test compares. */
export const sendErrorExamples: readonly ErrorExample[] = [
  {
    name: 'severalFaults',
    code: 'validation_failed',
    body: {
      error: 'to is required. colour is not a known field here. body must not be empty.',
      code: 'validation_failed',
      details: [
        { path: 'body.to', message: 'to is required.' },
        { path: 'body.colour', message: 'colour is not a known field here.' },
        { path: 'body.body', message: 'body must not be empty.' },
      ],
    },
  },
  {
    name: 'truncatedJson',
    code: 'malformed_json',
    body: { error: 'The body is not valid JSON: it ends too early.', code: 'malformed_json' },
  },
  ...referenceErrorExamples,
  {
    name: 'notThereYet',
    code: 'conflict',
    body: {
      error: 'The message to react to has not reached the network yet. React once it is sent.',
      code: 'conflict',
    },
  },
];

/** What really answers a cancel that comes too late. */
export const cancelErrorExamples: readonly ErrorExample[] = [
  {
    name: 'tooLate',
    code: 'conflict',
    body: { error: 'This message is already sent; only a queued message can be canceled.', code: 'conflict' },
  },
];

/** What really answers the resending of a message that has not failed. */
export const resendErrorExamples: readonly ErrorExample[] = [
  ...referenceErrorExamples,
  {
    name: 'notFailed',
    code: 'conflict',
    body: { error: 'This message is sent; only a failed message can be sent again.', code: 'conflict' },
  },
];

/** What really answers marking a message of the business as read. */
export const markReadErrorExamples: readonly ErrorExample[] = [
  {
    name: 'notInbound',
    code: 'conflict',
    body: { error: 'Only inbound messages can be marked as read.', code: 'conflict' },
  },
  {
    name: 'refusedByNetwork',
    code: 'refused_by_network',
    body: {
      error: 'The network rejected this: A value of this message is not valid for the network; correct it.',
      code: 'refused_by_network',
    },
  },
];

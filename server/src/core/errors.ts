import type { JsonObject } from './json.ts';

/** One fault of a request body or query: where it is and what is wrong with it. */
export interface FaultDetail {
  /** `body.to`, `query.limit`, `header.idempotency-key`. */
  readonly path: string;
  readonly message: string;
}

interface ApiErrorRule {
  readonly status: number;
  /** Whose fault: decides who is alerted, and whether repeating the same request can help. */
  readonly fault: 'caller' | 'ours';
  /** The public sentence, when the place that raises the error has nothing more exact to say. */
  readonly sentence: string;
}

/**
 * Every code the API answers with. docs/errors.md describes each one; a test compares the two both ways.
 * Codes are stable; sentences may be improved.
 */
export const apiErrors = {
  validation_failed: { status: 400, fault: 'caller', sentence: 'The request is not valid.' },
  malformed_json: { status: 400, fault: 'caller', sentence: 'The body is not valid JSON.' },
  invalid_request: { status: 400, fault: 'caller', sentence: 'The request could not be understood.' },
  no_sending_number: {
    status: 400,
    fault: 'caller',
    sentence: 'This tenant has no active sending number. Add one, or name one in phone_number_id.',
  },
  unknown_phone_number: {
    status: 400,
    fault: 'caller',
    sentence: 'phone_number_id is not a sending number of this tenant.',
  },
  unknown_reply_to: { status: 400, fault: 'caller', sentence: 'reply_to is not a message of this tenant.' },
  unknown_media: {
    status: 400,
    fault: 'caller',
    sentence: 'media_id is not a media of this tenant, or it has expired. Upload it again.',
  },
  media_not_sendable: {
    status: 400,
    fault: 'caller',
    sentence: 'The network does not take this media as a message of this type.',
  },
  recipient_blocked: {
    status: 400,
    fault: 'caller',
    sentence: 'This contact is blocked. Unblock it before you write to it.',
  },
  recipient_opted_out: {
    status: 400,
    fault: 'caller',
    sentence: 'This contact wants no marketing. It can be sent other messages, or marketing once it agrees again.',
  },
  recipient_country_not_allowed: {
    status: 400,
    fault: 'caller',
    sentence: 'This tenant may not write to the country of this number. Ask the operator of this service.',
  },
  window_closed: {
    status: 400,
    fault: 'caller',
    sentence: 'The 24-hour window of this customer is closed: send a template, or wait until the customer writes.',
  },
  media_quota_exceeded: {
    status: 400,
    fault: 'caller',
    sentence: 'The stored media of this tenant has reached its limit. Delete some, then upload again.',
  },
  handle_refused: {
    status: 400,
    fault: 'caller',
    sentence: 'The network gives no handle for this file; it does for PDF, JPEG, PNG and MP4.',
  },
  unknown_network_account: {
    status: 400,
    fault: 'caller',
    sentence: 'This is not an account of this tenant at the network.',
  },
  template_invalid: { status: 400, fault: 'caller', sentence: 'The network would refuse the template.' },
  template_unknown: {
    status: 400,
    fault: 'caller',
    sentence: 'The account of the sending number has no template of this name in this language.',
  },
  template_paused: {
    status: 400,
    fault: 'caller',
    sentence:
      'The network has paused this template for its quality. Wait until it ends the pause, or send another one.',
  },
  template_not_sendable: {
    status: 400,
    fault: 'caller',
    sentence: 'This template is not approved, so that the network would not send it.',
  },
  subscription_inactive: {
    status: 400,
    fault: 'caller',
    sentence: 'The subscription of this tenant is not active.',
  },
  fair_use_exceeded: {
    status: 400,
    fault: 'caller',
    sentence: 'The messages of this month that the plan allows are used.',
  },
  insufficient_balance: {
    status: 400,
    fault: 'caller',
    sentence: 'The wallet has not enough for this message. Top it up, or wait until what is held is given back.',
  },
  unknown_segment: {
    status: 400,
    fault: 'caller',
    sentence: 'audience.segment_id is not a segment of this tenant.',
  },
  campaign_state: { status: 409, fault: 'caller', sentence: 'The state of the campaign does not allow this.' },
  campaign_empty: {
    status: 409,
    fault: 'caller',
    sentence: 'The campaign has no recipients. Add some, then start it.',
  },
  campaign_full: {
    status: 400,
    fault: 'caller',
    sentence: 'A campaign has at most 1000000 recipients. Make another one for the rest.',
  },
  wallet_disabled: {
    status: 400,
    fault: 'caller',
    sentence: 'This server takes no payments into wallets. Ask its operator.',
  },
  payment_refused: {
    status: 400,
    fault: 'caller',
    sentence: 'The payment gateway does not take this payment. Try another amount.',
  },
  invalid_link_state: {
    status: 400,
    fault: 'caller',
    sentence: 'This link is not valid. Ask for a new one.',
  },
  link_refused: {
    status: 400,
    fault: 'caller',
    sentence: 'The permission was not given in the dialog. Nothing was linked.',
  },
  link_failed: {
    status: 400,
    fault: 'caller',
    sentence: 'The network gave no access token. Nothing was linked; open the dialog again.',
  },
  unauthorized: {
    status: 401,
    fault: 'caller',
    sentence: 'The API key is missing or not valid. Send it as "Authorization: Bearer <API_KEY>".',
  },
  tenant_suspended: {
    status: 403,
    fault: 'caller',
    sentence: 'This tenant is suspended. Ask the operator of this service.',
  },
  forbidden: { status: 403, fault: 'caller', sentence: 'This API key lacks the scope for this operation.' },
  test_key: {
    status: 403,
    fault: 'caller',
    sentence: 'A test key sends only to the simulator, and this service sends to the real network. Use a live key.',
  },
  address_not_allowed: {
    status: 403,
    fault: 'caller',
    sentence: 'This API key may not be used from this address.',
  },
  not_found: { status: 404, fault: 'caller', sentence: 'There is no such resource.' },
  events_expired: {
    status: 410,
    fault: 'caller',
    sentence:
      'Events after this one are gone: they are kept for 30 days, or the database was restored. Start again without after.',
  },
  method_not_allowed: {
    status: 405,
    fault: 'caller',
    sentence: 'This method is not allowed here; see the Allow header.',
  },
  conflict: { status: 409, fault: 'caller', sentence: 'The current state of the resource does not allow this.' },
  contact_exists: {
    status: 409,
    fault: 'caller',
    sentence: 'There is a contact with this phone number or external id already.',
  },
  contact_merged: {
    status: 409,
    fault: 'caller',
    sentence: 'The contact is part of another contact already.',
  },
  contact_not_merged: { status: 409, fault: 'caller', sentence: 'The contact is part of no other contact.' },
  merge_not_last: {
    status: 409,
    fault: 'caller',
    sentence: 'Another contact was merged since. Unmerge that one first.',
  },
  conversation_conflict: {
    status: 409,
    fault: 'caller',
    sentence: 'The state of the conversation does not allow this.',
  },
  rule_tests_failed: {
    status: 409,
    fault: 'caller',
    sentence: 'Tests of the rule do not come out as they say, so it stays off.',
  },
  refused_by_network: { status: 409, fault: 'caller', sentence: 'The network refused this.' },
  request_in_progress: {
    status: 409,
    fault: 'caller',
    sentence: 'A request with this Idempotency-Key is still running. Try again in a moment.',
  },
  precondition_failed: {
    status: 412,
    fault: 'caller',
    sentence: 'A condition of the request is not met.',
  },
  payload_too_large: { status: 413, fault: 'caller', sentence: 'The body is too large.' },
  unsupported_media_type: { status: 415, fault: 'caller', sentence: 'Send the body as application/json.' },
  range_not_satisfiable: {
    status: 416,
    fault: 'caller',
    sentence: 'The range lies behind the end of the content; see the Content-Range header for its size.',
  },
  template_edit_limit: {
    status: 409,
    fault: 'caller',
    sentence: 'The network takes no further edit of this approved template yet.',
  },
  idempotency_key_reused: {
    status: 422,
    fault: 'caller',
    sentence: 'This Idempotency-Key was used with another request. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    fault: 'caller',
    sentence: 'Too many requests. Wait for the time that Retry-After names.',
  },
  checksum_mismatch: {
    status: 460,
    fault: 'caller',
    sentence: 'The piece does not have the digest of Upload-Checksum. Nothing of it was kept; send it again.',
  },
  internal_error: {
    status: 500,
    fault: 'ours',
    sentence: 'Something failed on our side. The request id helps to find it.',
  },
  overloaded: {
    status: 503,
    fault: 'ours',
    sentence: 'The service is at its limit. Nothing was stored; try again shortly.',
  },
  handle_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The network did not give a handle in time. The file is stored; ask for the upload again.',
  },
  linking_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'This service cannot keep access tokens yet: its operator must set MESSAGING_ENCRYPTION_KEY.',
  },
  secrets_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'This service cannot keep secrets yet: its operator must set MESSAGING_ENCRYPTION_KEY.',
  },
  media_store_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The media store cannot be reached or has no room. Nothing was stored; try again shortly.',
  },
  network_unreachable: {
    status: 503,
    fault: 'ours',
    sentence: 'The network does not answer at present. Try again shortly.',
  },
  payment_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The payment gateway cannot be used at present. Nothing was paid; try again shortly.',
  },
  storage_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The database cannot be reached. Try again with the same Idempotency-Key.',
  },
} as const satisfies Record<string, ApiErrorRule>;

export type ApiErrorCode = keyof typeof apiErrors;

/** Codes that stand in `delivery.error.code` without being answers of the API or of the network. */
export const deliveryErrors = {
  cancelled: 'The message was cancelled before it was sent.',
  contact_blocked: 'The contact was blocked before the message was sent.',
  contact_opted_out: 'The contact opted out of marketing before the message was sent.',
  contact_erased: 'The contact was erased before the message was sent.',
  expired: 'The message expired before it could be sent.',
  delivery_unknown: 'The network broke off during the send and never said whether it took the message.',
  attempts_exhausted: 'The network kept refusing the message until no attempt was left.',
  outcome_not_stored: 'What the network answered could not be stored.',
  media_unavailable: 'The media of the message could not be given to the network.',
  target_unavailable: 'The message that it reacts to has no id at the network.',
} as const;

export type DeliveryErrorCode = keyof typeof deliveryErrors;

/** Codes that stand in `media.error.code` of an inbound message: why its file is not here (yet). */
export const inboundMediaErrors = {
  media_refused: 'The network does not give the file out.',
  media_unreachable: 'The file could not be fetched from the network.',
  media_corrupt: 'What the network gave is not what it announced.',
  media_not_stored: 'The file could not be stored.',
} as const;

export type InboundMediaErrorCode = keyof typeof inboundMediaErrors;

/** Seconds a caller is asked to wait when the fault is ours and passing. */
export const RETRY_AFTER_S = 1;

/**
 * An expected failure of a request, with what the caller may read. Internal detail goes into `cause`, which
 * never leaves the process.
 */
export class ApiProblem extends Error {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly details: readonly FaultDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ApiErrorCode,
    options: {
      readonly sentence?: string;
      readonly details?: readonly FaultDetail[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(options.sentence ?? apiErrors[code].sentence, { cause: options.cause });
    this.name = 'ApiProblem';
    this.code = code;
    this.status = apiErrors[code].status;
    this.details = options.details;
    this.headers = { ...defaultHeaders(code), ...options.headers };
  }

  /** The body of the answer (contract section 7, plus `code` and `details`). */
  toBody(): JsonObject {
    return {
      error: this.message,
      code: this.code,
      ...(this.details ? { details: this.details.map(({ path, message }) => ({ path, message })) } : {}),
    };
  }
}

function defaultHeaders(code: ApiErrorCode): Record<string, string> {
  const { status } = apiErrors[code];
  if (status === 503 || status === 429) return { 'retry-after': String(RETRY_AFTER_S) };
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return {};
}

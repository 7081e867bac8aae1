import { signInErrors } from './caller/sign-in-errors.ts';
import type { ErrorRule } from './error-rule.ts';
import type { JsonObject } from './json.ts';

/** One fault of a request body or query: where it is and what is wrong with it. */
export interface FaultDetail {
  /** `body.to`, `query.limit`, `header.idempotency-key`. */
  readonly path: string;
  readonly message: string;
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
    sentence: 'phone_number_id does not name a sending number of this tenant.',
  },
  unknown_reply_to: { status: 400, fault: 'caller', sentence: 'reply_to does not name a message of this tenant.' },
  unknown_media: {
    status: 400,
    fault: 'caller',
    sentence: 'media_id does not exist or has expired. Upload the file again.',
  },
  media_not_sendable: {
    status: 400,
    fault: 'caller',
    sentence: 'The network does not accept this file in a message of this type.',
  },
  recipient_blocked: {
    status: 400,
    fault: 'caller',
    sentence: 'This contact is blocked. Unblock it before you send it messages.',
  },
  recipient_opted_out: {
    status: 400,
    fault: 'caller',
    sentence:
      'This contact has opted out of marketing. You can still send it other messages, and marketing once it opts in again.',
  },
  recipient_country_not_allowed: {
    status: 400,
    fault: 'caller',
    sentence: 'This tenant is not allowed to send to the country of this number. Ask the operator of this service.',
  },
  window_closed: {
    status: 400,
    fault: 'caller',
    sentence: 'The 24-hour window of this customer is closed. Send a template, or wait until the customer writes.',
  },
  media_quota_exceeded: {
    status: 400,
    fault: 'caller',
    sentence: 'This tenant has reached its limit of stored media. Delete some files, then upload again.',
  },
  handle_refused: {
    status: 400,
    fault: 'caller',
    sentence: 'The network issues handles only for PDF, JPEG, PNG and MP4 files.',
  },
  unknown_network_account: {
    status: 400,
    fault: 'caller',
    sentence: 'The tenant has no such network account.',
  },
  template_invalid: { status: 400, fault: 'caller', sentence: 'The network would reject this template.' },
  template_unknown: {
    status: 400,
    fault: 'caller',
    sentence: 'The account of the sending number has no template of this name in this language.',
  },
  template_paused: {
    status: 400,
    fault: 'caller',
    sentence:
      'The network has paused this template because of its quality. Wait until the pause ends, or send another template.',
  },
  template_not_sendable: {
    status: 400,
    fault: 'caller',
    sentence: 'This template is not approved, so the network would not send it.',
  },
  subscription_inactive: {
    status: 400,
    fault: 'caller',
    sentence: 'The subscription of this tenant is not active.',
  },
  fair_use_exceeded: {
    status: 400,
    fault: 'caller',
    sentence: "The plan's message allowance for this month is used up.",
  },
  insufficient_balance: {
    status: 400,
    fault: 'caller',
    sentence:
      'The balance of the wallet is too low for this message. Top up the wallet, or wait until held amounts are released.',
  },
  unknown_segment: {
    status: 400,
    fault: 'caller',
    sentence: 'audience.segment_id does not name a segment of this tenant.',
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
    sentence: 'A campaign can have at most 1000000 recipients. Create another one for the rest.',
  },
  wallet_disabled: {
    status: 400,
    fault: 'caller',
    sentence: 'This service does not accept payments into wallets. Ask its operator.',
  },
  payment_refused: {
    status: 400,
    fault: 'caller',
    sentence: 'The payment gateway rejected this payment. Try another amount.',
  },
  invalid_link_state: {
    status: 400,
    fault: 'caller',
    sentence: 'This link is not valid. Ask for a new one.',
  },
  link_refused: {
    status: 400,
    fault: 'caller',
    sentence: 'The permission was not granted in the dialog. Nothing was linked.',
  },
  link_failed: {
    status: 400,
    fault: 'caller',
    sentence: 'The network did not issue an access token. Nothing was linked; open the dialog again.',
  },
  unauthorized: {
    status: 401,
    fault: 'caller',
    sentence: 'The API key is missing or not valid. Send it as "Authorization: Bearer <API_KEY>".',
  },
  ...signInErrors,
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
    sentence: 'This API key is not allowed from this address.',
  },
  not_found: { status: 404, fault: 'caller', sentence: 'The resource does not exist.' },
  events_expired: {
    status: 410,
    fault: 'caller',
    sentence:
      'Events after this one are no longer available: they are older than 30 days, or the database was restored. Start over without after.',
  },
  method_not_allowed: {
    status: 405,
    fault: 'caller',
    sentence: 'This method is not allowed for this path; see the Allow header.',
  },
  conflict: { status: 409, fault: 'caller', sentence: 'The current state of the resource does not allow this.' },
  contact_exists: {
    status: 409,
    fault: 'caller',
    sentence: 'A contact with this phone number or external ID already exists.',
  },
  contact_merged: {
    status: 409,
    fault: 'caller',
    sentence: 'This contact has already been merged into another contact.',
  },
  contact_not_merged: {
    status: 409,
    fault: 'caller',
    sentence: 'This contact has not been merged into another contact.',
  },
  merge_not_last: {
    status: 409,
    fault: 'caller',
    sentence: 'Another contact has been merged since then. Unmerge that one first.',
  },
  conversation_conflict: {
    status: 409,
    fault: 'caller',
    sentence: 'The state of the conversation does not allow this.',
  },
  rule_tests_failed: {
    status: 409,
    fault: 'caller',
    sentence: "The rule's tests fail, so it stays off.",
  },
  refused_by_network: { status: 409, fault: 'caller', sentence: 'The network rejected this.' },
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
    sentence: 'The range starts after the end of the content; see the Content-Range header for its size.',
  },
  template_edit_limit: {
    status: 409,
    fault: 'caller',
    sentence: 'The network does not accept another edit of this approved template yet.',
  },
  idempotency_key_reused: {
    status: 422,
    fault: 'caller',
    sentence: 'This Idempotency-Key was used with another request. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    fault: 'caller',
    sentence: 'Too many requests. Wait for the number of seconds in Retry-After.',
  },
  checksum_mismatch: {
    status: 460,
    fault: 'caller',
    sentence: 'The chunk does not match the digest in Upload-Checksum. It was discarded; send it again.',
  },
  internal_error: {
    status: 500,
    fault: 'ours',
    sentence: 'Something failed on our side. Quote the request ID when you report it.',
  },
  overloaded: {
    status: 503,
    fault: 'ours',
    sentence: 'The service is at its limit. Nothing was stored; try again shortly.',
  },
  handle_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The network did not issue a handle in time. The file is stored; request the handle again.',
  },
  linking_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'This service cannot store access tokens yet: its operator must set MESSAGING_ENCRYPTION_KEY.',
  },
  secrets_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'This service cannot store secrets yet: its operator must set MESSAGING_ENCRYPTION_KEY.',
  },
  media_store_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The media store cannot be reached or is full. Nothing was stored; try again shortly.',
  },
  network_unreachable: {
    status: 503,
    fault: 'ours',
    sentence: 'The network is not responding. Try again shortly.',
  },
  payment_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The payment gateway is unavailable. Nothing was paid; try again shortly.',
  },
  tenant_moving: {
    status: 503,
    fault: 'ours',
    sentence:
      'This tenant is moving to another database, which takes seconds. Try again with the same Idempotency-Key.',
  },
  storage_unavailable: {
    status: 503,
    fault: 'ours',
    sentence: 'The database cannot be reached. Try again with the same Idempotency-Key.',
  },
} as const satisfies Record<string, ErrorRule>;

export type ApiErrorCode = keyof typeof apiErrors;

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

/** What was found. @throws ApiProblem not_found when there is nothing */
export function requireFound<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new ApiProblem('not_found');
  return found;
}

function defaultHeaders(code: ApiErrorCode): Record<string, string> {
  const { status } = apiErrors[code];
  if (status === 503 || status === 429) return { 'retry-after': String(RETRY_AFTER_S) };
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return {};
}

import type { ApiErrorCode, ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';

/** How the network says that something is wrong. */
export interface NetworkRefusal {
  readonly status: number;
  readonly body: JsonObject;
}

/** What the network calls its codes: clients show these texts. */
const titles: Readonly<Record<number, string>> = {
  2: 'Service temporarily unavailable',
  4: 'Application request limit reached',
  10: 'Application does not have permission for this action',
  100: 'Invalid parameter',
  190: 'Invalid OAuth access token',
  130429: 'Rate limit hit',
  130497: 'Business account is restricted from messaging users in this country',
  131000: 'Something went wrong',
  131009: 'Parameter value is not valid',
  131026: 'Message undeliverable',
  131031: 'Business account has been locked',
  131042: 'Business eligibility payment issue',
  131047: 'Re-engagement message',
  131050: 'User has stopped receiving marketing messages from this business',
  131053: 'Media upload error',
  132001: 'Template name does not exist in the translation',
  132015: 'Template is paused',
};

/** Every other code is the general one of its status. */
const codes: Partial<Readonly<Record<ApiErrorCode, number>>> = {
  unauthorized: 190,
  tenant_suspended: 131031,
  rate_limited: 4,
  overloaded: 130429,
  recipient_blocked: 131026,
  recipient_opted_out: 131050,
  recipient_country_not_allowed: 130497,
  window_closed: 131047,
  subscription_inactive: 131042,
  fair_use_exceeded: 131042,
  insufficient_balance: 131042,
  unknown_reply_to: 131009,
  unknown_media: 131009,
  media_not_sendable: 131053,
  template_unknown: 132001,
  template_not_sendable: 132001,
  template_paused: 132015,
};

/** Statuses that clients act upon; the network answers everything else that the caller did wrong with 400. */
const KEPT_STATUSES = [401, 403, 413, 415, 429, 500, 503];
const UNKNOWN_OBJECT: readonly ApiErrorCode[] = ['not_found', 'unknown_phone_number', 'method_not_allowed'];

/** What a client of the network is answered instead of a problem. @param traceId says which request it was, as X-Request-Id does */
export function networkRefusal(problem: ApiProblem, traceId: string): NetworkRefusal {
  if (UNKNOWN_OBJECT.includes(problem.code)) return unknownObject(traceId);
  const code = codes[problem.code] ?? codeOfStatus(problem.status);
  // The queue is full: clients slow down for this status, and do not for a 503.
  const status = problem.code === 'overloaded' ? 429 : problem.status;
  return {
    status: KEPT_STATUSES.includes(status) ? status : 400,
    body: errorBody({ code, details: problem.message, traceId }),
  };
}

function codeOfStatus(status: number): number {
  if (status === 403) return 10;
  if (status === 503) return 2;
  return status >= 500 ? 131000 : 100;
}

/** What does not exist, is another tenant's, or is not offered: all in the same words. */
function unknownObject(traceId: string): NetworkRefusal {
  const message =
    'Unsupported request. The object of this ID does not exist, cannot be loaded due to missing permissions, or does not support this operation';
  return {
    status: 400,
    body: { error: { message, type: 'GraphMethodException', code: 100, error_subcode: 33, fbtrace_id: traceId } },
  };
}

/** @param fault with the code of the network, and what is wrong in a sentence */
export function errorBody({
  code,
  details,
  traceId,
}: {
  readonly code: number;
  readonly details: string;
  readonly traceId: string;
}): JsonObject {
  return {
    error: {
      message: `(#${code}) ${titles[code] ?? 'The network refused the message'}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details },
      fbtrace_id: traceId,
    },
  };
}

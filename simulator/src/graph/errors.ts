import type { JsonObject } from '../json.ts';

/** The network's error codes that this simulator can answer, and the shape of an error answer. */
export type NetworkError = {
  readonly code: number;
  readonly details: string;
  /** HTTP status; absent: the one of the table. */
  readonly httpStatus?: number;
  readonly subcode?: number;
  /** Replaces "(#code) title". */
  readonly message?: string;
  /** What the answer holds besides the error. */
  readonly beside?: JsonObject;
};

type CodeRow = { readonly httpStatus: number; readonly title: string; readonly details: string };

const ERROR_HREF = 'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes';

/** Code → HTTP status and title as the network's older table prints them, and a sentence for errors that chaos makes. */
const CODES: ReadonlyMap<number, CodeRow> = new Map([
  row(0, 401, 'AuthException', 'The access token could not be authenticated.'),
  row(1, 400, 'API Unknown', 'The request is not valid or the server has a fault.'),
  row(2, 503, 'API Service', 'The service is down or overloaded for a moment.'),
  row(3, 500, 'API Method', 'A capability or permission is missing.'),
  row(4, 400, 'API Too Many Calls', 'The app has reached its call limit.'),
  row(10, 403, 'Permission Denied', 'The permission is missing or was removed.'),
  row(33, 400, 'Parameter value is not valid', 'The business number was deleted.'),
  row(100, 400, 'Invalid parameter', 'A parameter is unknown or not valid.'),
  row(104, 401, 'Missing token', 'No access token was given.'),
  row(190, 401, 'Access token has expired', 'The access token is expired, revoked or unknown.'),
  row(200, 403, 'API Permission', 'The app has no permission for this account.'),
  row(368, 403, 'Temporarily blocked for policies violations', 'The business account is restricted.'),
  row(80007, 400, 'Rate limit issues', 'The business account has reached its rate limit.'),
  row(130403, 400, 'User is blocked', 'The business has blocked this user.'),
  row(130429, 400, 'Rate limit hit', 'Too many messages were sent from this number in a short time.'),
  row(130472, 400, "User's number is part of an experiment", 'The message was held out of delivery by an experiment.'),
  row(130497, 403, 'Business account is restricted from messaging users in this country', 'Country not allowed.'),
  row(131000, 500, 'Something went wrong', 'The message failed for an unknown reason.'),
  row(131005, 403, 'Access denied', 'The permission is missing or was removed.'),
  row(131008, 400, 'Required parameter is missing', 'A required parameter is missing.'),
  row(131009, 400, 'Parameter value is not valid', 'A parameter has a value that is not allowed.'),
  row(131016, 500, 'Service unavailable', 'A service is down for a moment.'),
  row(131021, 400, 'Recipient cannot be sender', 'Sender and recipient are the same number.'),
  row(131026, 400, 'Message undeliverable', 'The message cannot be delivered to this recipient.'),
  row(131030, 400, 'Recipient phone number not in allowed list', 'Add the recipient to the test list first.'),
  row(131031, 403, 'Account has been locked', 'The business account is locked.'),
  row(131037, 400, 'Display name approval needed', 'The display name of this number is not approved.'),
  row(131042, 400, 'Business eligibility payment issue', 'The payment method has a problem.'),
  row(131045, 500, 'Incorrect certificate', 'The number is not registered correctly.'),
  row(
    131047,
    400,
    'Re-engagement message',
    'More than 24 hours have passed since the customer last wrote to this number.',
  ),
  row(131048, 400, 'Spam rate limit hit', 'Sending is restricted because of earlier messages of low quality.'),
  row(131049, 400, 'Meta chose not to deliver', 'This message was not delivered to keep the ecosystem healthy.'),
  row(131050, 400, 'User has stopped marketing messages', 'The recipient opted out of marketing messages.'),
  row(131051, 400, 'Unsupported message type', 'This type of message is not supported.'),
  row(131053, 400, 'Media upload error', 'The media could not be fetched or has a type that is not allowed.'),
  row(131055, 400, 'Method not allowed', 'This number cannot be called in this way.'),
  row(131056, 400, '(Business Account, Consumer Account) pair rate limit hit', 'Too many messages to this recipient.'),
  row(131057, 500, 'Account in maintenance mode', 'The account is being changed; try again in some minutes.'),
  row(131062, 400, 'BSUID recipients not supported for this message', 'Send this message to a phone number.'),
  row(132000, 400, 'Template Param Count Mismatch', 'The number of parameters does not match the template.'),
  row(132001, 404, 'Template does not exist', 'No approved template has this name in this language.'),
  row(132005, 400, 'Template Hydrated Text Too Long', 'The text with its parameters is too long.'),
  row(132007, 400, 'Template Format Character Policy Violated', 'The template breaks a character policy.'),
  row(132012, 400, 'Template Parameter Format Mismatch', 'A parameter has the wrong format.'),
  row(132015, 400, 'Template is Paused', 'The template is paused because of its quality.'),
  row(132016, 400, 'Template is Disabled', 'The template was paused too often and is disabled.'),
  row(132018, 400, 'Template parameter validation', 'A template parameter is not valid.'),
  row(132068, 400, 'Flow is in blocked state', 'The flow is blocked.'),
  row(132069, 400, 'Flow is in throttled state', 'The flow was sent too often within the last hour.'),
  row(133004, 503, 'Server Temporarily Unavailable', 'The server is not available for a moment.'),
  row(133005, 400, 'Two step verification PIN Mismatch', 'The two-step PIN is wrong.'),
  row(133010, 400, 'Phone number Not Registered', 'The number is not registered.'),
  row(133016, 400, 'Account register deregister rate limit exceeded', 'Too many registrations of this number.'),
  row(135000, 400, 'Generic user error', 'The message failed because of the request.'),
  row(200007, 400, 'Template insights are not enabled', 'Template insights are not enabled for this account.'),
  row(2593107, 400, 'Synchronization request limit exceeded', 'It was asked for before.'),
  row(139100, 400, 'Failed to block/unblock some users', 'The list of users says which ones, and why.'),
  row(139101, 400, 'Blocklist limit reached', 'The number blocks as many users as it can.'),
  row(139102, 400, 'Blocklist concurrent update', 'The list of blocked users is being changed at this moment.'),
  row(139103, 500, 'Internal error', 'The list of blocked users could not be changed.'),
  row(139000, 400, 'Blocked by Integrity', 'The flow breaks a policy.'),
  row(139001, 400, 'Updating attempt failed', 'The flow cannot be changed.'),
  row(139002, 400, 'Publishing attempt failed', 'The flow cannot be published.'),
  row(139003, 400, 'Deprecating attempt failed', 'The flow cannot be deprecated.'),
  row(139004, 400, 'Deleting attempt failed', 'The flow cannot be deleted.'),
  row(147005, 400, 'Username in use', 'Another number of this business has this username.'),
  row(137000, 400, 'Recipient identity key hash mismatch', 'The recipient has a new identity.'),
]);

function row(code: number, httpStatus: number, title: string, details: string): readonly [number, CodeRow] {
  return [code, { httpStatus, title, details }];
}

/** True when the simulator knows `code`. */
export function isNetworkCode(code: number): boolean {
  return CODES.has(code);
}

/** The error of a code with its usual sentence. */
export function networkError(code: number, details?: string): NetworkError {
  return { code, details: details ?? CODES.get(code)?.details ?? 'Something went wrong.' };
}

/** The object named by an id does not exist or does not have this edge. */
export function unknownObject(method: string, id: string): NetworkError {
  const sentence =
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to ` +
    'missing permissions, or does not support this operation';
  return { code: 100, subcode: 33, details: sentence, message: sentence };
}

/** The HTTP status of an error: its own, else the table's. */
export function httpStatusOf(error: NetworkError): number {
  return error.httpStatus ?? CODES.get(error.code)?.httpStatus ?? 400;
}

/** The answer's body. */
export function errorBody(error: NetworkError, traceId: string): string {
  const title = CODES.get(error.code)?.title ?? 'Invalid parameter';
  return JSON.stringify({
    ...error.beside,
    error: {
      message: error.message ?? `(#${error.code}) ${title}`,
      type: 'OAuthException',
      code: error.code,
      ...(error.subcode === undefined ? {} : { error_subcode: error.subcode }),
      error_data: { messaging_product: 'whatsapp', details: error.details },
      fbtrace_id: traceId,
    },
  });
}

/** The `errors` array of a failed status, as JSON text. */
export function statusErrorsJson(code: number): string {
  const found = CODES.get(code);
  const title = found?.title ?? 'Something went wrong';
  const details = found?.details ?? 'Something went wrong.';
  return JSON.stringify([{ code, title, message: title, error_data: { details }, href: ERROR_HREF }]);
}

import type { NetworkErrorRule, RetryClass } from './network-errors.ts';

/** Codes that are treated alike, each with its stable slug and its public sentence. */
interface ErrorGroup {
  readonly retryClass: RetryClass;
  readonly fault: NetworkErrorRule['fault'];
  /** A person must act, or the business comes to harm. */
  readonly alert: boolean;
  readonly codes: Readonly<Record<number, readonly [code: string, sentence: string]>>;
}

/** A failure inside the network: a later attempt may succeed. */
const passing: readonly ErrorGroup[] = [
  {
    retryClass: 'transient',
    fault: 'network',
    alert: false,
    codes: {
      2: ['network_unavailable', 'The network is down or overloaded; the message is retried.'],
      131000: ['network_error', 'The network failed without saying why; the message is retried.'],
      131016: ['network_service_unavailable', 'A service of the network is down; the message is retried.'],
      133000: [
        'network_deregistration_incomplete',
        'The network has not finished releasing the number; try again later.',
      ],
      133004: ['network_server_unavailable', 'The network cannot be reached at present; the message is retried.'],
      134101: ['template_syncing', 'The network is still preparing this template; the message is retried.'],
      134102: ['template_unavailable', 'The network cannot offer this template at present; the message is retried.'],
    },
  },
  {
    retryClass: 'transient_once',
    fault: 'network',
    alert: false,
    codes: {
      1: ['network_unknown_error', 'The network refused the message without a reason; it is retried once.'],
      131053: ['media_upload_failed', 'The network could not take the media; check its type, size and address.'],
      135000: [
        'network_generic_error',
        'The network could not handle the message; check its content if it fails again.',
      ],
    },
  },
  {
    retryClass: 'maintenance',
    fault: 'network',
    alert: false,
    codes: {
      131057: ['number_in_maintenance', 'The network is upgrading the sending number; sending continues in a minute.'],
    },
  },
];

/** Too fast: slow down, then send again. */
const throttled: readonly ErrorGroup[] = [
  {
    retryClass: 'rate',
    fault: 'ours',
    alert: false,
    codes: {
      4: ['app_rate_limited', 'Our app called the network too often; the message waits and is sent later.'],
      17: ['user_rate_limited', 'This account called the network too often; the message waits and is sent later.'],
      613: ['call_rate_limited', 'The network received too many calls; the message waits and is sent later.'],
      80007: [
        'account_rate_limited',
        'The business account reached its rate limit; the message waits and is sent later.',
      ],
      80008: [
        'account_calls_limited',
        'The business account was called too often; the message waits and is sent later.',
      ],
      130429: [
        'number_rate_limited',
        'The sending number reached its throughput; the message waits and is sent later.',
      ],
      132069: ['flow_rate_limited', 'This flow is throttled by the network; the message waits and is sent later.'],
    },
  },
  {
    retryClass: 'rate',
    fault: 'tenant',
    alert: true,
    codes: {
      131048: [
        'spam_rate_limited',
        'Customers blocked or reported this number, so the network limits it; send less and only what is wanted.',
      ],
    },
  },
  {
    retryClass: 'pair_rate',
    fault: 'tenant',
    alert: false,
    codes: {
      131056: ['recipient_rate_limited', 'Too many messages to this recipient in a short time; the next one waits.'],
    },
  },
];

/** Worth one more attempt, a day or more from now. */
const postponed: readonly ErrorGroup[] = [
  {
    retryClass: 'later',
    fault: 'network',
    alert: false,
    codes: {
      131049: [
        'marketing_limited',
        'The network holds back marketing to this customer; try again a day later or more.',
      ],
    },
  },
  {
    retryClass: 'later',
    fault: 'tenant',
    alert: false,
    codes: {
      132015: ['template_paused', 'The template is paused for low quality; improve it or use another one.'],
      133008: ['pin_guesses_exhausted', 'The PIN of the number was guessed too often; wait before trying again.'],
      133009: ['pin_guessed_too_fast', 'The PIN of the number was guessed too fast; wait before trying again.'],
      133015: ['number_recently_deleted', 'The number was deleted a moment ago; wait a few minutes, then register it.'],
      133016: ['registration_limited', 'The number was registered too often; wait three days, then register it again.'],
    },
  },
];

/** The number cannot send until a person has mended its access. */
const access: readonly ErrorGroup[] = [
  {
    retryClass: 'auth',
    fault: 'tenant',
    alert: true,
    codes: {
      0: ['token_not_accepted', 'The network does not accept the access token; link the account again.'],
      3: ['capability_missing', 'The app lacks a capability or permission for this; check its permissions.'],
      10: ['permission_denied', 'A permission is missing or was withdrawn; link the account again.'],
      104: ['token_missing', 'The network received no valid access token; link the account again.'],
      190: ['token_expired', 'The access token has expired or was revoked; link the account again.'],
      200: ['permission_missing', 'The app lacks a permission for this account; link the account again and grant it.'],
      131005: ['access_denied', 'The network denies access to this number; link the account again.'],
      131037: ['display_name_not_approved', 'The display name of the number is not approved; have it approved first.'],
      131042: ['payment_problem', 'The network cannot charge the business account; check its payment method.'],
      131045: ['number_certificate_wrong', 'The registration of the number is faulty; register it again.'],
      133010: ['number_not_registered', 'The sending number is not registered with the network; register it first.'],
    },
  },
];

/** Refused for good, because of the account or number. */
const refusedAccount: readonly ErrorGroup[] = [
  {
    retryClass: 'never',
    fault: 'tenant',
    alert: true,
    codes: {
      368: ['account_restricted', 'The network has restricted the business account; see its policy notices.'],
      131031: ['account_locked', 'The network has locked the business account; resolve it with the network.'],
    },
  },
  {
    retryClass: 'never',
    fault: 'tenant',
    alert: false,
    codes: {
      33: ['number_deleted', 'The sending number no longer exists on the network; choose another one.'],
      130497: ['country_restricted', 'The business account may not message users in this country.'],
      131030: ['recipient_not_allowed', 'A test number sends only to its listed recipients; add this one to the list.'],
      131055: ['method_not_allowed_for_number', 'This number does not support this kind of call; use another number.'],
      131063: [
        'marketing_api_required',
        'This account must send marketing templates over the Marketing Messages API; set template.marketing_messages.',
      ],
      131064: [
        'template_violations_limit',
        'Too many templates were filed under a wrong category; correct them first.',
      ],
      133005: ['pin_mismatch', 'The two-step PIN of the number is wrong; enter the right one.'],
      133006: ['number_needs_verification', 'The number must be verified again; verify and register it.'],
      134011: ['payment_terms_not_accepted', 'Accept the payment terms of the network before sending this.'],
      134100: [
        'marketing_interface_only',
        'The Marketing Messages API takes only templates of marketing; send this one without template.marketing_messages.',
      ],
    },
  },
];

/** Refused for good, because of the message or its recipient. */
const refusedMessage: readonly ErrorGroup[] = [
  {
    retryClass: 'never',
    fault: 'tenant',
    alert: false,
    codes: {
      100: ['invalid_parameter', 'The network does not accept a value of this request; correct it and send again.'],
      130403: ['recipient_blocked_by_business', 'Your business has blocked this recipient; unblock the contact first.'],
      131009: ['parameter_value_invalid', 'A value of this message is not valid for the network; correct it.'],
      131014: ['media_link_failed', 'The network could not fetch the media from its link; check the address.'],
      131021: ['recipient_is_sender', 'The recipient is the sending number itself; choose another recipient.'],
      131047: ['window_closed', 'The customer last wrote more than 24 hours ago; send a template instead.'],
      131051: ['message_type_unsupported', 'The network does not support this type of message; choose another type.'],
      131062: [
        'phone_number_required',
        'This template can go only to a phone number; address the recipient by number.',
      ],
      132000: [
        'template_parameter_count',
        'The number of values does not match the template; give one for each variable.',
      ],
      132001: ['template_not_found', 'No approved template has this name in this language.'],
      132005: ['template_text_too_long', 'The template is too long once its values are filled in; shorten them.'],
      132007: ['template_characters_refused', 'The content of the template breaks a rule of the network; change it.'],
      132008: ['template_value_invalid', 'A value for the template is not valid; correct it.'],
      132012: [
        'template_parameter_format',
        'A value has another type or format than the template expects; correct it.',
      ],
      132016: ['template_disabled', 'The template was disabled for low quality; create a new one.'],
      132018: [
        'template_parameters_invalid',
        'The values for the template are not valid; compare them with its variables.',
      ],
      132068: ['flow_blocked', 'The network has blocked this flow; repair it or use another one.'],
    },
  },
  {
    retryClass: 'never',
    fault: 'ours',
    alert: false,
    codes: {
      131008: ['parameter_missing', 'The network misses a required part of the message; check that it is complete.'],
    },
  },
  {
    retryClass: 'never',
    fault: 'network',
    alert: false,
    codes: {
      130472: [
        'marketing_experiment',
        'The network withholds marketing from this customer for a trial; use another channel.',
      ],
    },
  },
  {
    retryClass: 'never',
    fault: 'recipient',
    alert: false,
    codes: {
      131026: [
        'recipient_unreachable',
        'The recipient cannot get this message: not on the network, blocked, or outdated app.',
      ],
      131050: ['recipient_opted_out', 'The customer stopped marketing from your business; send no more of it.'],
      137000: [
        'recipient_identity_changed',
        'The identity of the recipient has changed; confirm it before you send again.',
      ],
    },
  },
];

/** The table of the network's error codes, ascending (its reference of error codes, and what senders in production met). */
export function buildNetworkErrorRules(): readonly NetworkErrorRule[] {
  const groups = [passing, throttled, postponed, access, refusedAccount, refusedMessage].flat();
  const rules = groups.flatMap(({ codes, ...rest }) =>
    Object.entries(codes).map(([networkCode, [code, sentence]]) => ({
      networkCode: Number(networkCode),
      code,
      ...rest,
      sentence,
    })),
  );
  return rules.toSorted((one, other) => one.networkCode - other.networkCode);
}

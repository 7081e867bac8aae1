import type { JsonObject } from '#core/json';

/** A kind of report that the network publishes, with a small example of our own. */
export interface CallbackKind {
  /** The subscribed field, and what distinguishes the kinds of it. */
  readonly field: string;
  readonly kind: string;
  /** The `value` of the change. */
  readonly value: JsonObject;
}

const CUSTOMER = '447700900123';
const USER = 'GB.1000200030004000';
const NEXT_USER = 'GB.5000600070008000';
const AT = '1900000000';
const metadata = { display_phone_number: '15550100001', phone_number_id: '106540352242922' };
const file = { id: '900800700', mime_type: 'image/jpeg' };

function message(kind: string, fields: JsonObject, type: string = kind): CallbackKind {
  const whole = { from: CUSTOMER, id: 'wamid.EXAMPLE', timestamp: AT, type, ...fields };
  return { field: 'messages', kind, value: { metadata, messages: [whole] } };
}

/** A message whose object says only this. */
function plain(type: string, content: JsonObject): CallbackKind {
  return message(type, { [type]: content });
}

function system(type: string, fields: JsonObject = {}): CallbackKind {
  return message(`system: ${type}`, { system: { type, body: 'Something changed.', ...fields } }, 'system');
}

function status(word: string, fields: JsonObject = {}): CallbackKind {
  const whole = { id: 'wamid.SENT', status: word, timestamp: AT, recipient_id: CUSTOMER, ...fields };
  return { field: 'messages', kind: `status: ${word}`, value: { metadata, statuses: [whole] } };
}

function change(field: string, value: JsonObject, kind = ''): CallbackKind {
  return { field, kind, value };
}

const template = {
  message_template_id: '700600500',
  message_template_name: 'shipped',
  message_template_language: 'en',
};
const number = { display_phone_number: '15550100001' };

function account(event: string, more: JsonObject = {}): CallbackKind {
  return change('account_update', { event, ...more }, event);
}

function preference(value: string): CallbackKind {
  const told = { wa_id: CUSTOMER, category: 'marketing_messages', value, timestamp: AT };
  return change('user_preferences', { metadata, user_preferences: [told] }, value);
}

const CALL = 'wacid.EXAMPLE';
const spoken = { status: 'COMPLETED', start_time: AT, end_time: '1900000133', duration: 133 };

function call(event: string, kind: string, fields: JsonObject): CallbackKind {
  const isTheirs = fields.direction === 'USER_INITIATED';
  const [from, to] = isTheirs ? [CUSTOMER, number.display_phone_number] : [number.display_phone_number, CUSTOMER];
  const whole = { id: CALL, event, timestamp: AT, from, to, ...fields };
  return change('calls', { metadata, calls: [whole] }, kind === '' ? event : `${event}: ${kind}`);
}

function echo(fields: JsonObject): JsonObject {
  return { from: number.display_phone_number, to: CUSTOMER, id: 'wamid.ECHO', timestamp: AT, ...fields };
}

function book(action: string, names: JsonObject, kind = action): CallbackKind {
  const entry = { type: 'contact', contact: { phone_number: CUSTOMER, ...names }, action, metadata: { timestamp: AT } };
  return change('smb_app_state_sync', { metadata, state_sync: [entry] }, kind);
}

const portion = { phase: 0, chunk_order: 1, progress: 40 };

function thread(fields: JsonObject): JsonObject {
  const whole = { from: CUSTOMER, id: 'wamid.PAST', timestamp: AT, history_context: { status: 'READ' }, ...fields };
  return { metadata, history: [{ metadata: portion, threads: [{ id: CUSTOMER, messages: [whole] }] }] };
}

const written = { type: 'text', text: { body: 'Hello' } };

const history: readonly CallbackKind[] = [
  change('history', thread(written), 'what the customer wrote'),
  change('history', thread({ ...written, from: number.display_phone_number, to: CUSTOMER }), 'what the business wrote'),
  change('history', thread({ type: 'media_placeholder' }), 'a file that comes later'),
  change(
    'history',
    { metadata, messages: [{ from: CUSTOMER, id: 'wamid.PAST', timestamp: AT, type: 'image', image: file }] },
    'the file of a message',
  ),
  change('history', { metadata, history: [{ errors: [{ code: 2593109 }] }] }, 'not shared'),
];

/** Every kind of report that the network publishes, in the order of its reference. */
export const callbackKinds: readonly CallbackKind[] = [
  plain('text', { body: 'Hello' }),
  ...['image', 'video', 'audio', 'document', 'sticker'].map((type) => plain(type, file)),
  plain('location', { latitude: 1.5, longitude: 2 }),
  message('contacts', { contacts: [{ name: { formatted_name: 'Sam Ray' } }] }),
  plain('button', { text: 'Yes', payload: 'yes' }),
  message(
    'interactive: a button, a row, a form, or the answer to a request to call',
    {
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    },
    'interactive',
  ),
  plain('reaction', { message_id: 'wamid.SENT', emoji: '👍' }),
  message('reaction that is taken back', { reaction: { message_id: 'wamid.SENT' } }, 'reaction'),
  plain('order', { catalog_id: '1', product_items: [] }),
  message('unsupported', { unsupported: { type: 'poll_creation' }, errors: [{ code: 131051, title: 'Unsupported' }] }),
  message('any type that is not known here', { hologram: { id: '1' } }, 'hologram'),
  message('message in a group', { group_id: 'group.1', text: { body: 'Hello' } }, 'text'),
  message('message of a customer who shows no number', { from: USER, text: { body: 'Hello' } }, 'text'),
  system('user_changed_number', { wa_id: '447700900124' }),
  system('user_changed_user_id', { user_id: NEXT_USER, previous_user_id: USER }),
  system('customer_identity_changed'),
  message('edit', { edit: { original_message_id: 'wamid.FIRST', message: { type: 'text', text: { body: 'Hallo' } } } }),
  message('revoke', { revoke: { original_message_id: 'wamid.FIRST' } }),
  ...['sent', 'delivered', 'read', 'played'].map((word) => status(word)),
  status('failed', { errors: [{ code: 131026, title: 'Undeliverable' }] }),
  status('deleted'),
  status('captured'),
  change('messages', { metadata, errors: [{ code: 131000, title: 'Something went wrong' }] }, 'errors'),
  change('message_template_status_update', { ...template, event: 'APPROVED' }),
  change('message_template_quality_update', { ...template, new_quality_score: 'GREEN' }),
  change('message_template_components_update', { ...template, message_template_element: 'It is on its way.' }),
  change('template_category_update', { ...template, new_category: 'MARKETING' }),
  change('template_correct_category_detection', { ...template, correct_category: 'MARKETING' }),
  change(
    'phone_number_quality_update',
    { ...number, event: 'FLAGGED', current_limit: 'TIER_2K' },
    'quality, limit or speed',
  ),
  change('phone_number_quality_update', { ...number, event: 'ONBOARDING' }, 'ONBOARDING'),
  change('phone_number_name_update', { ...number, decision: 'APPROVED' }),
  change('business_capability_update', { max_daily_conversations_per_business: 10_000 }),
  account('DISABLED_UPDATE', { ban_info: { waba_ban_state: 'DISABLE' } }),
  account('ACCOUNT_RESTRICTION', { restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }] }),
  change(
    'account_update',
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } },
    'DISABLED_UPDATE that is announced',
  ),
  change(
    'account_update',
    { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION' }] },
    'ACCOUNT_RESTRICTION of something else than messages',
  ),
  ...[
    'ACCOUNT_DELETED',
    'ACCOUNT_OFFBOARDED',
    'ACCOUNT_RECONNECTED',
    'ACCOUNT_VIOLATION',
    'AD_ACCOUNT_LINKED',
    'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
    'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE',
    'MM_LITE_TERMS_SIGNED',
    'PARTNER_ADDED',
    'PARTNER_APP_INSTALLED',
    'PARTNER_APP_UNINSTALLED',
    'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
    'PARTNER_REMOVED',
    'VERIFIED_ACCOUNT',
    'VOLUME_BASED_PRICING_TIER_UPDATE',
  ].map((event) => account(event)),
  change('account_alerts', { alert_info: { alert_type: 'OBA_APPROVED', alert_description: 'It was approved.' } }),
  change('account_review_update', { decision: 'APPROVED' }),
  change('account_settings_update', {}),
  change('business_status_update', { event: 'VERIFIED' }),
  change('business_username_updates', { status: 'approved' }),
  change('security', { ...number, event: 'PIN_CHANGED' }),
  change('flows', { event: 'FLOW_STATUS_CHANGE' }),
  change('partner_solutions', { event: 'SOLUTION_CREATED' }),
  change('payment_configuration_update', { status: 'Active' }),
  preference('stop'),
  preference('resume'),
  change('user_id_update', {
    metadata,
    user_id_update: [{ user_id: { previous: USER, current: NEXT_USER }, timestamp: AT }],
  }),
  call('connect', 'the customer calls', { event: 'connect', direction: 'USER_INITIATED' }),
  call('terminate', 'the call of the customer was answered', { ...spoken, direction: 'USER_INITIATED' }),
  call('terminate', 'nobody answered the customer', { direction: 'USER_INITIATED', status: 'COMPLETED' }),
  call('terminate', 'the call of the customer failed', { direction: 'USER_INITIATED', status: 'FAILED' }),
  call('connect', 'the business calls', { direction: 'BUSINESS_INITIATED' }),
  ...['RINGING', 'ACCEPTED', 'REJECTED'].map((word) =>
    change(
      'calls',
      { metadata, statuses: [{ id: CALL, status: word, timestamp: AT, recipient_id: CUSTOMER }] },
      `status: ${word}`,
    ),
  ),
  call('terminate', 'the call of the business was answered', { ...spoken, direction: 'BUSINESS_INITIATED' }),
  call('any event that is not known here', '', { event: 'transferred' }),
  change('smb_message_echoes', { metadata, message_echoes: [echo({ type: 'text', text: { body: 'Hello' } })] }),
  change(
    'smb_message_echoes',
    {
      metadata,
      message_echoes: [
        echo({
          type: 'edit',
          edit: { original_message_id: 'wamid.SENT', message: { type: 'text', text: { body: 'Hallo' } } },
        }),
      ],
    },
    'edit',
  ),
  change(
    'smb_message_echoes',
    { metadata, message_echoes: [echo({ type: 'revoke', revoke: { original_message_id: 'wamid.SENT' } })] },
    'revoke',
  ),
  book('add', { full_name: 'Sam Ray', first_name: 'Sam' }, 'add, edit'),
  book('remove', {}),
  ...history,
  ...[
    'group_lifecycle_update',
    'group_participants_update',
    'group_settings_update',
    'group_status_update',
    'automatic_events',
    'tracking_events',
    'messaging_handovers',
    'standby',
  ].map((field) => change(field, { metadata })),
  change('a field that is not known here', {}),
];

import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { named, nullableText, nullableTime, strictObject, text, time, uuid, withExample } from '#http/schemas/fields';

const MAX_ENDPOINT = 2_000;
const MAX_KEY = 200;
const MAX_USER_AGENT = 200;
const publicKeyExample = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
export const pushSubscriptionExampleId = '0190a6fd-4444-7222-8333-444455556666';

export const SubscriptionIdParams = Type.Object({
  id: withExample(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'ID of the subscription; `current` for the one of the session.',
    }),
    pushSubscriptionExampleId,
  ),
});

export const PushKeyView = Type.Object(
  {
    public_key: Type.String({
      description: 'The `applicationServerKey` of `PushManager.subscribe`: 65 bytes in base64url. It never changes.',
    }),
  },
  named('PushKey', 'The key that signs what is pushed to browsers.'),
);

export const PushSubscriptionView = Type.Object(
  {
    id: uuid('ID of the subscription.'),
    current: Type.Boolean({ description: 'Whether it belongs to the session of the request.' }),
    service: Type.String({ description: 'Host of the push service of the browser.' }),
    user_agent: nullableText('What the browser calls itself.', { maxLength: MAX_USER_AGENT }),
    created_at: time(named('CreatedAt', 'When it was created.')),
    last_pushed_at: nullableTime('When the push service last took a notification. Null: never.'),
  },
  named('PushSubscription', 'A browser in which a person is notified while no page is open.'),
);

export const PushSubscriptionList = Type.Object(
  { data: Type.Array(PushSubscriptionView, { description: 'Oldest first.' }) },
  named('PushSubscriptionList', 'The browsers in which a person is notified.'),
);

export const PutPushSubscription = strictObject(
  'The subscription of the browser: endpoint and keys of the PushSubscription as its method `toJSON` returns them.',
  {
    endpoint: text(MAX_ENDPOINT, 'Address at the push service, over https. Only public hosts are contacted.'),
    keys: strictObject('What pushes are encrypted with.', {
      p256dh: text(MAX_KEY, 'Public key of the browser: an uncompressed point of P-256, in base64url.'),
      auth: text(MAX_KEY, 'Secret of the browser: 16 bytes in base64url.'),
    }),
  },
);

export const ShownNotifications = strictObject('What was shown.', {
  before: time('All that were created until this time: created_at of the newest one.'),
});

export const pushKeyExample: JsonObject = { public_key: publicKeyExample };

export const pushSubscriptionExample: JsonObject = {
  id: pushSubscriptionExampleId,
  current: true,
  service: 'push.example.com',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  created_at: '2030-01-01T09:00:00.000Z',
  last_pushed_at: null,
};

export const putSubscriptionExamples = {
  browser: {
    summary: 'Of a browser',
    value: {
      endpoint: 'https://push.example.com/send/dGhpcyBpcyBhIGJyb3dzZXI',
      keys: { p256dh: publicKeyExample, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    },
  },
};

import { counter, gauge, histogram } from './declarations.ts';

const REFUSED_REASONS =
  'connections, outside, long_polls, slow_body, wrong_keys, sign_ins, no_signature, overload and others';
const DOORS = 'api, callbacks, payments';
/** From a message that leaves immediately to one that waited for most of its validity. */
const SEND_DELAYS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800, 7200];
const REQUEST_TIMES = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What a process does itself: each process reports its own. */
export const workFamilies = {
  accepted: counter({
    name: 'postrider_messages_accepted_total',
    unit: 'messages',
    reporter: 'any',
    help: 'Messages made durable and answered with 202, or accepted for campaigns and rules.',
  }),
  replayed: counter({
    name: 'postrider_idempotent_replays_total',
    unit: 'requests',
    reporter: 'api',
    help: 'Requests answered from an earlier one with the same idempotency key.',
  }),
  httpRequests: histogram(
    {
      name: 'postrider_http_request_seconds',
      unit: 'seconds',
      reporter: 'any',
      help: 'HTTP requests with the time until their response was sent. Streams count when they end.',
      buckets: REQUEST_TIMES,
    },
    { method: 'GET, POST and others', route: 'pattern of the path, or unknown', status: 'status code' },
  ),
  refused: counter(
    {
      name: 'postrider_requests_refused_total',
      unit: 'requests',
      reporter: 'any',
      help: 'Requests and connections refused to protect the process, by reason.',
    },
    { door: DOORS, reason: REFUSED_REASONS },
  ),
  sends: counter(
    { name: 'postrider_sends_total', unit: 'sends', reporter: 'dispatcher', help: 'Sends by outcome.' },
    { outcome: ['accepted', 'refused', 'not_sent', 'unknown'] },
  ),
  sendDelay: histogram({
    name: 'postrider_send_delay_seconds',
    unit: 'seconds',
    reporter: 'dispatcher',
    help: 'From when a message was due until the network accepted it. A message is due when it is accepted; later if it is scheduled, retried, or held back by the limit of its recipient.',
    buckets: SEND_DELAYS,
  }),
  failures: counter(
    {
      name: 'postrider_message_failures_total',
      unit: 'messages',
      reporter: 'any',
      help: 'Messages that failed, by code (docs/errors.md). A report that the network repeats is counted again.',
    },
    { by: 'send (while sending), report (by a callback)', code: 'code of the failure' },
  ),
  inFlight: gauge(
    {
      name: 'postrider_sends_in_flight',
      addsUp: true,
      unit: 'messages',
      reporter: 'dispatcher',
      help: 'Messages between claim and settlement: waiting for a connection, sending, or other (before and after).',
    },
    { state: 'waiting, sending, other' },
  ),
  lanesOwned: gauge({
    name: 'postrider_lanes_owned',
    addsUp: true,
    unit: 'lanes',
    reporter: 'dispatcher',
    help: 'Lanes of sending numbers that this process owns.',
  }),
  networkOutage: gauge({
    name: 'postrider_network_outage',
    unit: 'boolean',
    reporter: 'dispatcher',
    help: '1 while this process sends nothing because the network itself does not answer.',
  }),
  callbacks: counter(
    { name: 'postrider_callbacks_total', unit: 'callbacks', reporter: 'receiver', help: 'Callbacks by outcome.' },
    { outcome: ['stored', 'not_stored', 'bad_signature'] },
  ),
  callbackItems: counter(
    {
      name: 'postrider_callback_items_total',
      unit: 'items',
      reporter: 'ingester',
      help: 'Items of callbacks by kind.',
    },
    { kind: 'kind of the item' },
  ),
  paymentEvents: counter(
    {
      name: 'postrider_payment_events_total',
      unit: 'events',
      reporter: 'receiver',
      help: 'Events of the payment gateway by outcome.',
    },
    { outcome: 'applied, bad_signature' },
  ),
  mediaFetches: counter(
    {
      name: 'postrider_media_fetches_total',
      unit: 'fetches',
      reporter: 'ingester',
      help: 'Fetches of files that customers sent, by outcome.',
    },
    { outcome: 'ready, or the code of the failure' },
  ),
  networkBlocks: counter(
    {
      name: 'postrider_network_blocks_total',
      unit: 'calls',
      reporter: 'ingester',
      help: 'Attempts to block or unblock a customer at the network, by outcome.',
    },
    { outcome: ['blocked', 'unblocked', 'refused', 'put_off'] },
  ),
  webhooks: counter(
    {
      name: 'postrider_webhooks_total',
      unit: 'attempts',
      reporter: 'notifier',
      help: 'Attempts to deliver an event to a webhook endpoint, by outcome.',
    },
    { outcome: 'delivered, or what went wrong' },
  ),
  pushes: counter(
    {
      name: 'postrider_pushes_total',
      unit: 'attempts',
      reporter: 'maintenance',
      help: 'Attempts to push a notification to a browser, and pushes that nobody wants any more, by outcome.',
    },
    { outcome: 'kind of the outcome' },
  ),
  unreadable: counter(
    {
      name: 'postrider_unreadable_total',
      unit: 'messages and requests',
      reporter: 'any',
      help: 'Messages that could not be claimed and requests that failed because the database could not read a row.',
    },
    { by: ['claim', 'request'] },
  ),
  lostQueueRows: counter({
    name: 'postrider_lost_queue_rows_total',
    unit: 'rows',
    reporter: 'dispatcher',
    help: 'Rows of the send queue that were removed because their message does not exist.',
  }),
  storageFailures: counter(
    {
      name: 'postrider_storage_failures_total',
      unit: 'batches',
      reporter: 'any',
      help: 'Failed group commits.',
    },
    { batch: ['accept', 'callbacks', 'settle', 'webhook_attempts'] },
  ),
  strippedSettlements: counter(
    {
      name: 'postrider_stripped_settlements_total',
      unit: 'outcomes',
      reporter: 'any',
      help: 'Outcomes that could not be stored as they were and were stored with less, or ended their row.',
    },
    { what: 'send, and other kinds of outcomes' },
  ),
  batchRows: histogram(
    {
      name: 'postrider_batch_rows',
      unit: 'rows',
      reporter: 'any',
      help: 'Rows per group commit.',
      buckets: [1, 5, 20, 50, 100, 200, 500],
    },
    { batch: 'accept, callbacks, settle, webhook_attempts' },
  ),
} as const;

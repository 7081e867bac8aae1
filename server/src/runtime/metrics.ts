import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Counters of one process, in Prometheus' terms. Labels come from closed lists only, never from tenants' text.
 */
export interface Metrics {
  readonly registry: Registry;
  readonly accepted: Counter;
  readonly replayed: Counter;
  readonly sends: Counter<'outcome'>;
  readonly callbacks: Counter<'outcome'>;
  readonly callbackItems: Counter<'kind'>;
  readonly paymentEvents: Counter<'outcome'>;
  readonly mediaFetches: Counter<'outcome'>;
  readonly webhooks: Counter<'outcome'>;
  readonly clockDifference: Gauge;
  readonly databaseHistory: Gauge;
  readonly lanesOwned: Gauge;
  readonly inFlight: Gauge<'state'>;
  readonly networkOutage: Gauge;
  readonly lostQueueRows: Counter;
  readonly unreadable: Counter<'by'>;
  readonly batchRows: Histogram<'batch'>;
  readonly storageFailures: Counter<'batch'>;
  readonly bodiesHeld: Gauge<'door'>;
  readonly bodyBytesHeld: Gauge<'door'>;
  readonly longPolls: Gauge;
  readonly refused: Counter<'door' | 'reason'>;
  readonly strippedSettlements: Counter<'what'>;
}

/** Where requests come in: with a key, from the network, and from the payment gateway. */
export type Door = 'api' | 'callbacks' | 'payments';

export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    accepted: new Counter({
      name: 'postrider_messages_accepted_total',
      help: 'Messages made durable and answered with 202.',
      registers,
    }),
    replayed: new Counter({
      name: 'postrider_idempotent_replays_total',
      help: 'Requests answered from an earlier one.',
      registers,
    }),
    sends: new Counter({
      name: 'postrider_sends_total',
      help: 'Sends by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    callbacks: new Counter({
      name: 'postrider_callbacks_total',
      help: 'Callbacks by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    callbackItems: new Counter({
      name: 'postrider_callback_items_total',
      help: 'Items of callbacks by kind.',
      labelNames: ['kind'],
      registers,
    }),
    paymentEvents: new Counter({
      name: 'postrider_payment_events_total',
      help: 'Events of the payment gateway by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    mediaFetches: new Counter({
      name: 'postrider_media_fetches_total',
      help: 'Fetches of files that customers sent, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    webhooks: new Counter({
      name: 'postrider_webhooks_total',
      help: 'Attempts to deliver an event to a webhook endpoint, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    clockDifference: new Gauge({
      name: 'postrider_clock_difference_seconds',
      help: "By how much this machine's clock is ahead of the database's, which counts.",
      registers,
    }),
    databaseHistory: new Gauge({
      name: 'postrider_database_history',
      help: 'Number of the history of the database: it grows when a restore or a failover is noticed.',
      registers,
    }),
    lanesOwned: new Gauge({ name: 'postrider_lanes_owned', help: 'Lanes this process owns.', registers }),
    inFlight: new Gauge({
      name: 'postrider_sends_in_flight',
      help: 'Messages between claim and settlement: waiting for a connection, sending, or other (before and after).',
      labelNames: ['state'],
      registers,
    }),
    networkOutage: new Gauge({
      name: 'postrider_network_outage',
      help: '1 while this process sends nothing because the network itself does not answer.',
      registers,
    }),
    unreadable: new Counter({
      name: 'postrider_unreadable_total',
      help: 'Messages that could not be claimed and requests that failed because the database could not read a row.',
      labelNames: ['by'],
      registers,
    }),
    lostQueueRows: new Counter({
      name: 'postrider_lost_queue_rows_total',
      help: 'Rows of the send queue that were removed because their message does not exist.',
      registers,
    }),
    batchRows: new Histogram({
      name: 'postrider_batch_rows',
      help: 'Rows per group commit.',
      labelNames: ['batch'],
      buckets: [1, 5, 20, 50, 100, 200, 500],
      registers,
    }),
    storageFailures: new Counter({
      name: 'postrider_storage_failures_total',
      help: 'Failed group commits.',
      labelNames: ['batch'],
      registers,
    }),
    bodiesHeld: new Gauge({
      name: 'postrider_bodies_held',
      help: 'Request bodies over 16 KiB in memory.',
      labelNames: ['door'],
      registers,
    }),
    bodyBytesHeld: new Gauge({
      name: 'postrider_body_bytes_held',
      help: 'Bytes of request bodies over 16 KiB in memory.',
      labelNames: ['door'],
      registers,
    }),
    longPolls: new Gauge({
      name: 'postrider_long_polls',
      help: 'Requests that wait for the outcome of a message or for events.',
      registers,
    }),
    refused: new Counter({
      name: 'postrider_requests_refused_total',
      help: 'Requests and connections refused to protect the process, by reason.',
      labelNames: ['door', 'reason'],
      registers,
    }),
    strippedSettlements: new Counter({
      name: 'postrider_stripped_settlements_total',
      help: 'Outcomes that could not be stored as they were and were stored with less, or ended their row.',
      labelNames: ['what'],
      registers,
    }),
  };
}

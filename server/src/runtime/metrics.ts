import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Counters of one process, in Prometheus' terms. Labels come from closed lists only, never from tenants' text.
 */
export type Metrics = ReturnType<typeof makeMetrics>;

/** Where requests come in: with a key, from the network, and from the payment gateway. */
export type Door = 'api' | 'callbacks' | 'payments';

/** Makes the metrics of one process, in a registry of their own. */
export function makeMetrics() {
  const registry = new Registry();
  return { registry, ...makeCounters(registry), ...makeGauges(registry), ...makeHistograms(registry) };
}

function makeCounters(registry: Registry) {
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: readonly Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers: [registry] });
  return {
    accepted: counter('postrider_messages_accepted_total', 'Messages made durable and answered with 202.'),
    replayed: counter('postrider_idempotent_replays_total', 'Requests answered from an earlier one.'),
    sends: counter('postrider_sends_total', 'Sends by outcome.', 'outcome'),
    callbacks: counter('postrider_callbacks_total', 'Callbacks by outcome.', 'outcome'),
    callbackItems: counter('postrider_callback_items_total', 'Items of callbacks by kind.', 'kind'),
    paymentEvents: counter('postrider_payment_events_total', 'Events of the payment gateway by outcome.', 'outcome'),
    mediaFetches: counter(
      'postrider_media_fetches_total',
      'Fetches of files that customers sent, by outcome.',
      'outcome',
    ),
    webhooks: counter(
      'postrider_webhooks_total',
      'Attempts to deliver an event to a webhook endpoint, by outcome.',
      'outcome',
    ),
    pushes: counter(
      'postrider_pushes_total',
      'Attempts to push a notification to a browser, and pushes that nobody wants any more, by outcome.',
      'outcome',
    ),
    unreadable: counter(
      'postrider_unreadable_total',
      'Messages that could not be claimed and requests that failed because the database could not read a row.',
      'by',
    ),
    lostQueueRows: counter(
      'postrider_lost_queue_rows_total',
      'Rows of the send queue that were removed because their message does not exist.',
    ),
    storageFailures: counter('postrider_storage_failures_total', 'Failed group commits.', 'batch'),
    refused: counter(
      'postrider_requests_refused_total',
      'Requests and connections refused to protect the process, by reason.',
      'door',
      'reason',
    ),
    strippedSettlements: counter(
      'postrider_stripped_settlements_total',
      'Outcomes that could not be stored as they were and were stored with less, or ended their row.',
      'what',
    ),
  };
}

function makeGauges(registry: Registry) {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: readonly Label[]) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  return {
    clockDifference: gauge(
      'postrider_clock_difference_seconds',
      "By how much this machine's clock is ahead of the database's, which counts.",
    ),
    databaseHistory: gauge(
      'postrider_database_history',
      'Number of the history of the database: it grows when a restore or a failover is noticed.',
    ),
    lanesOwned: gauge('postrider_lanes_owned', 'Lanes this process owns.'),
    inFlight: gauge(
      'postrider_sends_in_flight',
      'Messages between claim and settlement: waiting for a connection, sending, or other (before and after).',
      'state',
    ),
    networkOutage: gauge(
      'postrider_network_outage',
      '1 while this process sends nothing because the network itself does not answer.',
    ),
    bodiesHeld: gauge('postrider_bodies_held', 'Request bodies over 16 KiB in memory.', 'door'),
    bodyBytesHeld: gauge('postrider_body_bytes_held', 'Bytes of request bodies over 16 KiB in memory.', 'door'),
    longPolls: gauge('postrider_long_polls', 'Requests that wait for the outcome of a message or for events.'),
  };
}

function makeHistograms(registry: Registry) {
  return {
    batchRows: new Histogram({
      name: 'postrider_batch_rows',
      help: 'Rows per group commit.',
      labelNames: ['batch'],
      buckets: [1, 5, 20, 50, 100, 200, 500],
      registers: [registry],
    }),
  };
}

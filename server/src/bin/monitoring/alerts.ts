/** A rule of Prometheus. Each has a page docs/runbooks/<name>.md, and a test that makes it fire. */
export interface Alert {
  readonly name: string;
  /** `page` wakes somebody up; `ticket` can wait until the morning. */
  readonly severity: 'page' | 'ticket';
  readonly expression: string;
  /** For how long it must hold. */
  readonly minutes: number;
  readonly summary: string;
}

const page = (name: string, expression: string, minutes: number, summary: string): Alert => ({
  ...{ name, severity: 'page', expression, minutes, summary },
});
const ticket = (name: string, expression: string, minutes: number, summary: string): Alert => ({
  ...{ name, severity: 'ticket', expression, minutes, summary },
});

/** The part of all requests, sends and so on that is of this kind, over a span such as 5m. */
function share(part: string, whole: string, span: string): string {
  return `sum(rate(${part}[${span}])) / sum(rate(${whole}[${span}]))`;
}

const REQUESTS = 'postrider_http_request_seconds_count';

/** What somebody has to be told of. The scrape job of all processes is called "postrider". */
export const alerts: readonly Alert[] = [
  page('PostriderDown', 'up{job="postrider"} == 0', 2, 'A process does not respond.'),
  page('PostriderDatabaseDown', 'postrider_database_up == 0', 1, 'The database does not respond.'),
  page(
    'PostriderQueueOld',
    'max by (priority) (postrider_queue_oldest_due_seconds{priority=~"high|normal"}) > 300',
    5,
    'Messages that are not for campaigns have waited for more than five minutes.',
  ),
  page(
    'PostriderLanesWithoutOwner',
    'max(postrider_lanes_without_owner) > 0',
    2,
    'No dispatcher sends for some numbers.',
  ),
  page('PostriderNetworkOutage', 'max(postrider_network_outage) == 1', 2, 'The messaging network does not respond.'),
  page(
    'PostriderSendsUnknown',
    `${share('postrider_sends_total{outcome="unknown"}', 'postrider_sends_total', '5m')} > 0.05`,
    5,
    'Of more than 5 % of the sends it is not known whether they arrived.',
  ),
  ticket(
    'PostriderMessagesFailing',
    `${share('postrider_message_failures_total', 'postrider_messages_accepted_total', '15m')} > 0.2`,
    10,
    'More than one message in five fails.',
  ),
  ticket(
    'PostriderNumberRefused',
    'max(postrider_phone_numbers{state="refused"}) > 0',
    5,
    'The network refuses the access of a sending number, which is paused.',
  ),
  page(
    'PostriderCallbacksOld',
    'max(postrider_callbacks_oldest_seconds) > 120',
    2,
    'Callbacks are stored and not interpreted: neither what customers write nor delivery reports show.',
  ),
  page(
    'PostriderCallbacksUnsigned',
    `${share('postrider_callbacks_total{outcome="bad_signature"}', 'postrider_callbacks_total', '5m')} > 0.5`,
    5,
    'Most callbacks have a wrong signature and are refused.',
  ),
  ticket(
    'PostriderWebhooksOld',
    'max(postrider_webhooks_oldest_seconds{endpoint="working"}) > 600',
    5,
    'Events for webhook endpoints that respond have waited for more than ten minutes.',
  ),
  ticket('PostriderCampaignsLate', 'max(postrider_campaigns_overdue_seconds) > 300', 5, 'A campaign does not go on.'),
  page(
    'PostriderStorageFailing',
    'sum(increase(postrider_storage_failures_total[5m])) > 0',
    2,
    'The database refuses to store what came in or was sent.',
  ),
  page(
    'PostriderRequestsFailing',
    `${share(`${REQUESTS}{status=~"5.."}`, REQUESTS, '5m')} > 0.05`,
    5,
    'More than 5 % of the requests are answered with a server error.',
  ),
  page(
    'PostriderRowsUnreadable',
    'sum(increase(postrider_unreadable_total[15m])) > 0',
    0,
    'The database cannot read rows: a page of it may be damaged.',
  ),
  page(
    'PostriderMessagesHeld',
    'max(sum by (instance) (postrider_queue_messages{state="held"})) > 0',
    1,
    'The database was restored or failed over; messages wait for a decision.',
  ),
  ticket(
    'PostriderBackupOverdue',
    'max(postrider_backup_overdue) == 1',
    5,
    'No backup is younger than the operator wants (MESSAGING_BACKUP_WARN_H).',
  ),
  ticket(
    'PostriderDatabaseSlow',
    'sum(rate(postrider_database_statement_seconds_sum[5m])) / sum(rate(postrider_database_statement_seconds_count[5m])) > 0.25',
    10,
    'Statements take more than a quarter of a second on average.',
  ),
  ticket(
    'PostriderConnectionsBusy',
    'postrider_database_waiting > 0',
    5,
    'Work waits for a database connection all the time.',
  ),
  ticket(
    'PostriderEventLoopLate',
    'nodejs_eventloop_lag_seconds{quantile="0.99"} > 0.5',
    5,
    'A process does not keep up with its work.',
  ),
  ticket(
    'PostriderClockDiffers',
    'abs(postrider_clock_difference_seconds) > 2',
    5,
    'The clocks of a machine and of the database differ.',
  ),
  page(
    'PostriderStateUnknown',
    'absent(postrider_state_age_seconds) or max(postrider_state_age_seconds) > 300',
    5,
    'Nobody reports what waits in the database: the alerts about queues cannot fire.',
  ),
];

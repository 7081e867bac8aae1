import { gauge } from './declarations.ts';

/**
 * What the database says about the whole installation: read when somebody asks for the metrics, and equal in every process that
 * reports it. Add over processes with max, not with sum.
 */
export const stateFamilies = {
  backupAge: gauge({
    name: 'postrider_backup_age_seconds',
    unit: 'seconds',
    reporter: 'maintenance',
    help: 'How long ago the newest backup was begun; absent when none was made with "postrider backup".',
  }),
  backupOverdue: gauge({
    name: 'postrider_backup_overdue',
    unit: '0 or 1',
    reporter: 'maintenance',
    help: '1: no backup is younger than MESSAGING_BACKUP_WARN_H; absent when that is 0.',
  }),
  queueMessages: gauge(
    {
      name: 'postrider_queue_messages',
      unit: 'messages',
      reporter: 'maintenance',
      help: 'Messages owed a send, by what they wait for.',
    },
    {
      priority: 'high, normal, bulk',
      state:
        'due (now), later (scheduled, or waits for a retry), paused (its number or tenant), sending, unknown (whether it was sent), held (since a restore)',
    },
  ),
  queueAge: gauge(
    {
      name: 'postrider_queue_oldest_due_seconds',
      unit: 'seconds',
      reporter: 'maintenance',
      help: 'For how long the message that is due the longest has waited; 0 when none is due.',
    },
    { priority: 'high, normal, bulk' },
  ),
  callbacksWaiting: gauge({
    name: 'postrider_callbacks_waiting',
    unit: 'callbacks',
    reporter: 'maintenance',
    help: 'Callbacks of the network that are stored and not yet interpreted.',
  }),
  callbacksAge: gauge({
    name: 'postrider_callbacks_oldest_seconds',
    unit: 'seconds',
    reporter: 'maintenance',
    help: 'How long ago the oldest of them was received; 0 when none waits.',
  }),
  webhooksWaiting: gauge(
    {
      name: 'postrider_webhooks_waiting',
      unit: 'deliveries',
      reporter: 'maintenance',
      help: 'Deliveries of events to webhook endpoints that are enqueued and not yet done.',
    },
    { endpoint: 'working, failing (its last attempt failed)' },
  ),
  webhooksAge: gauge(
    {
      name: 'postrider_webhooks_oldest_seconds',
      unit: 'seconds',
      reporter: 'maintenance',
      help: 'How long ago the oldest event was recorded that an enabled endpoint has not taken or got; 0 when there is none.',
    },
    { endpoint: 'working, failing (its last attempt failed)' },
  ),
  webhookEndpoints: gauge(
    {
      name: 'postrider_webhook_endpoints',
      unit: 'endpoints',
      reporter: 'maintenance',
      help: 'Webhook endpoints of all tenants by state.',
    },
    { state: 'working, failing, disabled' },
  ),
  campaigns: gauge(
    {
      name: 'postrider_campaigns',
      unit: 'campaigns',
      reporter: 'maintenance',
      help: 'Campaigns that are not over, by status.',
    },
    { status: 'draft, scheduled, preparing, running, paused' },
  ),
  campaignRecipients: gauge({
    name: 'postrider_campaign_recipients_waiting',
    unit: 'recipients',
    reporter: 'maintenance',
    help: 'Recipients of running campaigns for whom no message was accepted yet.',
  }),
  campaignAge: gauge({
    name: 'postrider_campaigns_overdue_seconds',
    unit: 'seconds',
    reporter: 'maintenance',
    help: 'For how long the next step of a campaign has been due; 0 when none is.',
  }),
  numbers: gauge(
    {
      name: 'postrider_phone_numbers',
      unit: 'numbers',
      reporter: 'maintenance',
      help: 'Sending numbers by what keeps them from sending.',
    },
    { state: 'active, paused (by a person), refused (paused because the network refused its access)' },
  ),
  lanesWithoutOwner: gauge({
    name: 'postrider_lanes_without_owner',
    unit: 'lanes',
    reporter: 'maintenance',
    help: 'Sending numbers that no running dispatcher owns, so that nothing is sent from them.',
  }),
  processes: gauge(
    {
      name: 'postrider_lease_holders',
      unit: 'processes',
      reporter: 'maintenance',
      help: 'Processes that are registered as owners of lanes.',
    },
    { kind: 'dispatcher, notifier' },
  ),
  stateAge: gauge({
    name: 'postrider_state_age_seconds',
    unit: 'seconds',
    reporter: 'maintenance',
    help: 'How long ago the figures about the whole installation were read.',
  }),
  databaseUp: gauge({
    name: 'postrider_database_up',
    unit: 'boolean',
    reporter: 'any',
    help: '1 if the database responded when it was last asked, otherwise 0.',
  }),
} as const;

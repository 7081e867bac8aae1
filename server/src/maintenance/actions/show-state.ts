import type {
  Backlog,
  CampaignGroup,
  countLeaseHolders,
  NumberCounts,
  QueueGroup,
  WebhookBacklog,
} from '#maintenance/store/service-state';
import { QUEUE_GROUP_STATES } from '#maintenance/store/service-state';
import { priorities, priorityRank } from '#messages/domain/message';
import type { Metrics } from '#runtime/metrics';

/** What waits in the whole installation, as the database says. */
export interface ServiceState {
  readonly queue: readonly QueueGroup[];
  readonly callbacks: Backlog;
  readonly webhooks: readonly WebhookBacklog[];
  /** Disabled webhook endpoints. */
  readonly disabled: number;
  readonly campaigns: readonly CampaignGroup[];
  readonly numbers: NumberCounts;
  readonly holders: Awaited<ReturnType<typeof countLeaseHolders>>;
}

const OPEN_CAMPAIGNS = ['draft', 'scheduled', 'preparing', 'running', 'paused'] as const;

/** Sets the gauges of the installation; what there is none of becomes 0. */
export function showState(metrics: Metrics, state: ServiceState, nowMs: number): void {
  const ageS = (sinceMs: number | null | undefined) => Math.max(0, nowMs - (sinceMs ?? nowMs)) / 1_000;
  showQueue(metrics, state.queue, ageS);
  metrics.callbacksWaiting.set(state.callbacks.waiting);
  metrics.callbacksAge.set(ageS(state.callbacks.oldestMs));
  showWebhooks(metrics, state, ageS);
  showCampaigns(metrics, state.campaigns, ageS);
  const { active, paused, refused, withoutOwner } = state.numbers;
  metrics.numbers.set({ state: 'active' }, active);
  metrics.numbers.set({ state: 'paused' }, paused);
  metrics.numbers.set({ state: 'refused' }, refused);
  metrics.lanesWithoutOwner.set(withoutOwner);
  metrics.processes.set({ kind: 'dispatcher' }, state.holders.dispatchers);
  metrics.processes.set({ kind: 'notifier' }, state.holders.notifiers);
}

type AgeS = (sinceMs: number | null | undefined) => number;

function showQueue(metrics: Metrics, queue: readonly QueueGroup[], ageS: AgeS): void {
  for (const priority of priorities) {
    const groups = queue.filter((group) => group.priority === priorityRank[priority]);
    const of = (state: QueueGroup['state']) => groups.find((group) => group.state === state);
    for (const state of QUEUE_GROUP_STATES) metrics.queueMessages.set({ priority, state }, of(state)?.messages ?? 0);
    metrics.queueAge.set({ priority }, ageS(of('due')?.oldestDueMs));
  }
}

function showWebhooks(metrics: Metrics, { webhooks, disabled }: ServiceState, ageS: AgeS): void {
  for (const endpoint of ['working', 'failing'] as const) {
    const found = webhooks.find(({ failing }) => failing === (endpoint === 'failing'));
    metrics.webhooksWaiting.set({ endpoint }, found?.waiting ?? 0);
    metrics.webhooksAge.set({ endpoint }, ageS(found?.oldestMs));
    metrics.webhookEndpoints.set({ state: endpoint }, found?.endpoints ?? 0);
  }
  metrics.webhookEndpoints.set({ state: 'disabled' }, disabled);
}

function showCampaigns(metrics: Metrics, campaigns: readonly CampaignGroup[], ageS: AgeS): void {
  for (const status of OPEN_CAMPAIGNS)
    metrics.campaigns.set({ status }, campaigns.find((group) => group.status === status)?.campaigns ?? 0);
  metrics.campaignRecipients.set(campaigns.reduce((sum, { recipients }) => sum + recipients, 0));
  metrics.campaignAge.set(Math.max(0, ...campaigns.map(({ oldestDueMs }) => ageS(oldestDueMs))));
}

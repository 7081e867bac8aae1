import { makeAuditForwarder, type SendToLogServer } from '#access/actions/forward-audit';
import { sealAllAudit } from '#access/actions/seal-audit';
import { rollUp } from '#analytics/actions/roll-up';
import { emitAlerts } from '#billing/actions/emit-alerts';
import { reconcileSubscriptions } from '#billing/actions/reconcile-subscriptions';
import { reconcileTopUps } from '#billing/actions/reconcile-top-ups';
import { takeOwedRefunds } from '#billing/actions/refund-top-up';
import { reratePastPrices } from '#billing/actions/rerate-wallets';
import { settleHolds } from '#billing/actions/settle-wallet';
import type { PaymentGateway } from '#billing/domain/top-up';
import {
  addUpConversationCounts,
  emitClosingWindows,
  linkEarlierMessages,
  resolveIdle,
  wakeConversations,
} from '#conversations/actions/conversation-upkeep';
import type { Database } from '#database/database';
import { eraseEvents } from '#erasure/actions/erase-events';
import {
  type CleanupCounts,
  removeOldRows,
  vacuumGrowingTables,
  vacuumQueues,
} from '#maintenance/actions/clean-up-database';
import { deleteTenants } from '#maintenance/actions/delete-tenant';
import type { DueWorkMonitor } from '#maintenance/actions/due-work';
import { makeTenantSweeper } from '#maintenance/actions/sweep-tenants';
import { makeNotifications, type NotificationDeps } from '#notifications/actions/make-notifications';
import { Loop } from '#queue/loop';
import { freeBytesAt } from '#runtime/free-space';
import type { Runtime } from '#runtime/runtime';
import { indexSearch } from '#search/actions/index-search';
import { reconcileTemplates } from '#templates/actions/reconcile-templates';
import type { TemplateDeps } from '#templates/actions/template-deps';
import { tenantsNamingType } from '#webhooks/store/webhook-endpoints';
import { makeAssigner } from './assigner.ts';
import { cleanMedia, type MediaPlaces } from './media-cleaner.ts';

export interface Maintenance {
  start(): void;
  stop(): Promise<void>;
}

/** What housekeeping reaches besides the database. */
export interface MaintenanceDeps extends MediaPlaces {
  /** Null: none is set up. */
  readonly payments: PaymentGateway | null;
  readonly templates: TemplateDeps;
  /** Null: the audit log is forwarded to no log server. */
  readonly logServer: SendToLogServer | null;
  readonly due: DueWorkMonitor;
  /** Passes new notifications on to open pages. */
  readonly signals: NotificationDeps['signals'];
}

const CLEAN_MS = 60_000;
/** The pause between rounds over tenants with retentions of their own. */
const SWEEP_TENANTS_MS = 10_000;
/** PGlite has no autovacuum and no background writer: without this its queue bloats and its recovery grows. */
const TIDY_QUEUES_MS = 15_000;
/** What is held for a message is captured or released this long after its price or its failure is known. */
const SETTLE_WALLET_MS = 2_000;
/** Prices of the past are charged this long after they were set. */
const RERATE_MS = 30_000;
/** How late a due question to the payment gateway can be. */
const ASK_PAYMENTS_MS = 15_000;
/** What a wallet could not pay of a refund is taken this long after money came in. */
const REFUND_MS = 30_000;
/** The gateway repeats its events for days: asking is for what got lost all the same. */
const ASK_SUBSCRIPTIONS_MS = 60 * 60_000;
/** How far reports are behind what happened. */
const ROLL_UP_MS = 1_000;
/** How soon what was stored is found by a search. */
const INDEX_SEARCH_MS = 1_000;
/** How late a notification can be. */
const NOTIFY_MS = 1_000;
/** How late a snooze can end. */
const WAKE_MS = 1_000;
/** How late a quiet conversation is resolved: its rule counts in hours. */
const RESOLVE_IDLE_MS = 15_000;
/** The longest delay of the announcement that a window closes. */
const WINDOW_MS = 5_000;
/** Earlier messages are added to a new conversation this long after it was opened. */
const LINK_MS = 1_000;
const ADD_UP_MS = 10_000;
/** How late a list of templates that is due can be read. */
const ASK_TEMPLATES_MS = 5 * 60_000;
/** The longest delay of alerts about usage or the wallet. */
const ALERTS_MS = 10_000;
/** How soon an entry of the audit log joins the chain of its tenant. */
const SEAL_AUDIT_MS = 1_000;
/** How soon a sealed entry leaves for the log server. */
const FORWARD_AUDIT_MS = 1_000;
/** How soon the search for events of an erased person begins. */
const ERASE_MS = 1_000;
/** How soon the next portion of a tenant that is being deleted is deleted. */
const DELETE_TENANTS_MS = 1_000;
const TIDY_GROWING_MS = 10 * 60_000;

/** Retention of rows and media, settling of wallets, assignment of conversations, and on the embedded database VACUUM, ANALYZE and CHECKPOINT. */
export function makeMaintenance(rt: Runtime, db: Database, parts: MaintenanceDeps): Maintenance {
  const { due } = parts;
  const wake = due.gate('snooze', () => wakeConversations(rt, db));
  const link = due.gate('conversation_link', () => linkEarlierMessages(rt, db));
  const finishDeletions = due.gate('tenant_deletion', () => inPortions(() => deleteTenants(rt, db)));
  const erase = due.gate('erasure', () => inPortions(() => eraseEvents(db)));
  const seal = due.gate('audit_seal', () => sealAllAudit(rt, db, tenantsNamingType));
  const loops = [
    new Loop(rt, CLEAN_MS, 'retention', () => clean(rt, db)),
    new Loop(rt, SWEEP_TENANTS_MS, 'tenant_retention', makeTenantSweeper(rt, db)),
    new Loop(rt, WAKE_MS, 'wake_conversations', wake),
    new Loop(rt, RESOLVE_IDLE_MS, 'resolve_idle', () => inPortions(() => resolveIdle(rt, db))),
    new Loop(rt, WINDOW_MS, 'closing_windows', () => inPortions(() => emitClosingWindows(rt, db))),
    new Loop(rt, LINK_MS, 'link_conversations', link),
    new Loop(rt, ADD_UP_MS, 'conversation_counts', () => addUpConversationCounts(rt, db)),
    new Loop(rt, DELETE_TENANTS_MS, 'delete_tenants', finishDeletions),
    new Loop(rt, ERASE_MS, 'erase_events', erase),
    new Loop(rt, ALERTS_MS, 'alerts', () => emitAlerts(rt, db)),
    new Loop(rt, CLEAN_MS, 'media', () => cleanMedia(rt, db, parts)),
    new Loop(rt, ASK_TEMPLATES_MS, 'templates', () => reconcileTemplates(parts.templates)),
    new Loop(rt, SEAL_AUDIT_MS, 'seal_audit', seal),
    new Loop(rt, ROLL_UP_MS, 'roll_up', () => rollUpAll(rt, db)),
    new Loop(rt, INDEX_SEARCH_MS, 'index_search', () => inPortions(() => indexSearch(db))),
    new Loop(rt, NOTIFY_MS, 'notifications', () =>
      inPortions(() => makeNotifications({ rt, db, signals: parts.signals })),
    ),
  ];
  if (rt.config.walletEnabled === 'true') {
    loops.push(new Loop(rt, SETTLE_WALLET_MS, 'settle_wallet', () => settleHolds(rt, db)));
    loops.push(new Loop(rt, RERATE_MS, 'rerate', () => reratePastPrices(rt, db)));
  }
  const { payments } = parts;
  if (payments !== null) {
    const askSubscriptions = () => reconcileSubscriptions(rt, db, payments.findSubscription);
    loops.push(new Loop(rt, ASK_PAYMENTS_MS, 'payments', () => reconcileTopUps(rt, db, payments)));
    loops.push(new Loop(rt, REFUND_MS, 'refunds', () => takeOwedRefunds(rt, db)));
    loops.push(new Loop(rt, ASK_SUBSCRIPTIONS_MS, 'subscriptions', askSubscriptions));
  }
  if (parts.logServer !== null) {
    const forward = makeAuditForwarder({ rt, db, send: parts.logServer });
    loops.push(new Loop(rt, FORWARD_AUDIT_MS, 'forward_audit', () => inPortions(forward)));
  }
  if (db.kind === 'pglite') {
    loops.push(new Loop(rt, TIDY_QUEUES_MS, 'tidy_queues', () => vacuumQueues(db, freeBytesAt(rt.config.dataDir))));
    loops.push(new Loop(rt, TIDY_GROWING_MS, 'tidy_growing', () => vacuumGrowingTables(db)));
  }
  const assigner = makeAssigner(rt, db, due);
  return {
    start: () => {
      assigner.start();
      // Who starts the service waits for its first answers: a large database is tidied some time later.
      for (const loop of loops) loop.start('later');
    },
    stop: async () => {
      await Promise.all([assigner, ...loops].map((one) => one.stop()));
    },
  };
}

/** Thousands may come due at the same time: so many portions, then a pause, so that a stop need not wait for all. */
const MAX_PORTIONS = 20;

async function inPortions(step: () => Promise<number>): Promise<void> {
  for (let portion = 0; portion < MAX_PORTIONS; portion += 1) if ((await step()) === 0) return;
}

async function rollUpAll(rt: Runtime, db: Database): Promise<void> {
  while ((await rollUp(rt, db)) > 0);
}

async function clean(rt: Runtime, db: Database): Promise<CleanupCounts> {
  const counts = await removeOldRows(rt, db);
  if (Object.values(counts).some((count) => count > 0)) rt.log.info({ ...counts }, 'retention.removed');
  return counts;
}

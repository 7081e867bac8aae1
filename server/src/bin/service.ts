import { fileURLToPath } from 'node:url';
import { installationSecret } from '#access/actions/manage-tenants';
import { keepRateShare } from '#access/actions/rate-share';
import { makeTokenProvider } from '#accounts/actions/account-token';
import { type Bootstrap, bootstrapTenant } from '#accounts/actions/bootstrap-tenant';
import { pauseRefused, type RefusedAccess } from '#accounts/actions/pause-number';
import { watchBackups } from '#backups/actions/watch-backups';
import { openBlobStore, openPartialStore } from '#blobs/open-store';
import { requireWhole } from '#cells/actions/require-whole';
import { makeNetworkBlocker } from '#contacts/workers/network-blocker';
import { makeBulkChanger } from '#conversations/workers/bulk-changer';
import type { Database } from '#database/database';
import { readMigrations } from '#database/migration-file';
import { timedDatabase } from '#database/timed-database';
import { openEventListener } from '#events/actions/event-listener';
import { EventWaiters } from '#events/actions/event-waiters';
import { SignalHub } from '#events/actions/signal-hub';
import { openSignalLine } from '#events/actions/signal-line';
import { makeImporter } from '#imports/workers/importer';
import { makeIngester } from '#inbound/workers/ingester';
import { type Aborted, awaitDatabase } from '#maintenance/actions/await-database';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { CLOCK_BEAT_MS, makeClockWatch } from '#maintenance/actions/follow-clock';
import { type HistoryKeeper, MARK_MS, makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { openConnections, prepareDatabase } from '#maintenance/actions/open-database';
import { makeSchemaWatch } from '#maintenance/actions/schema-watch';
import { watchState } from '#maintenance/actions/watch-state';
import { makeMaintenance } from '#maintenance/workers/maintenance';
import { makeMediaSource } from '#media/actions/media-source';
import { makeHandleMaker } from '#media/workers/handle-maker';
import { makeMediaFetcher } from '#media/workers/media-fetcher';
import { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import { makeDispatcher } from '#messages/workers/dispatcher';
import { makeMediaCarrier, UPLOADS_AT_ONCE } from '#messages/workers/media-carrier';
import { makeAccountClient } from '#network/account-client';
import { makeBusinessClient } from '#network/business-client';
import { makeNetworkClient } from '#network/client';
import { makeFiguresClient } from '#network/figures-client';
import { makeFlowClient } from '#network/flow-client';
import { makeIdentityProviders } from '#network/identity-providers';
import { makeMediaClient } from '#network/media-client';
import { makePaymentGateway } from '#network/payment-gateway';
import { makeResumableUploadClient } from '#network/resumable-upload-client';
import { makeSimulatorClient } from '#network/simulator-client';
import { makeMailer } from '#network/smtp-client';
import { makeSyslogClient } from '#network/syslog-client';
import { makeTemplateClient } from '#network/template-client';
import { openTracing } from '#network/trace-exporter';
import { installationPushKey } from '#notifications/actions/push-key';
import { makePushSender } from '#notifications/workers/push-sender';
import { Loop } from '#queue/loop';
import { Slots } from '#queue/slots';
import { openKeyring } from '#runtime/keyring';
import { watchProcess } from '#runtime/metrics/process-figures';
import type { Runtime } from '#runtime/runtime';
import { makeNotifier } from '#webhooks/workers/notifier';
import { openWebhookPoster } from '#webhooks/workers/post';
import { type CellHost, makeCellHost } from './cells.ts';
import { makeEntrances } from './entrances.ts';
import { openToAll } from './open-to-all.ts';
import { type Role, readRoles } from './roles.ts';
import type { CellPlace, StartedCell } from './served-cells.ts';

/** A running service. */
export interface Service {
  readonly url: string;
  readonly db: Database;
  /** The cells that tenants live in; null: the embedded database, which is all there is. */
  readonly cells: CellHost | null;
  readonly bootstrap: Bootstrap | null;
  readonly migrated: readonly string[];
  /** Resolves with a sentence when a newer program has made the schema one that this program cannot work on. */
  readonly outdated: Promise<string>;
  /** Stops accepting, finishes what is in flight, gives the lanes back. */
  close(): Promise<void>;
}

/** Works from source and from dist alike: both lie as deep below the package as this file says. */
export function migrationsFolder(): string {
  return fileURLToPath(new URL('../../migrations', import.meta.url));
}

/** How soon a process leaves that a migration has made unfit for work. */
const SCHEMA_POLL_MS = 1_000;

/**
 * Builds what the roles of this process need, and starts it. The only place that wires.
 * @param stopped ends the wait for a database that is away; null: nothing does
 */
export async function startService(given: Runtime, stopped: Aborted | null = null): Promise<Service> {
  const roles = readRoles(given.config);
  const db = timedDatabase(await awaitDatabase(given, stopped), given.metrics, given.clock);
  const rt = { ...given, tracing: await openTracing(given.config) };
  const stopWatching = watchProcess(rt.metrics);
  try {
    const migrations = readMigrations(migrationsFolder());
    await requireWhole(db);
    const migrated = await prepareDatabase(rt, db, migrations);
    const history = makeHistoryKeeper(rt, db);
    await history.open();
    await openConnections(rt, db);
    const bootstrap =
      rt.config.bootstrapApiKey === '' ? null : await bootstrapTenant(rt, db, rt.config.bootstrapApiKey);
    const cells =
      db.kind === 'postgres'
        ? makeCellHost({ rt, db, migrations, start: (place) => startCell({ ...place, roles }) })
        : null;
    const main = await startCell({ rt, db, roles, history, ...cells?.entrances });
    const running = await openToAll(rt, main, cells);
    if (roles.has('maintenance')) await watchBackups(rt, db);
    const schema = makeSchemaWatch(rt, db, migrations.at(-1)?.version ?? 0);
    const watching = new Loop(rt, SCHEMA_POLL_MS, 'schema', schema.runOnce);
    // The embedded database has one process: nobody else changes its schema.
    if (db.kind === 'postgres') watching.start('later');
    const stops = [
      () => watching.stop(),
      ...running.stops,
      async () => stopWatching(),
      async () => rt.tracing?.close(),
    ];
    const { outdated } = schema;
    return { url: running.url, db, cells, bootstrap, migrated, outdated, close: () => closeAll(rt, db, stops) };
  } catch (error) {
    stopWatching();
    await rt.tracing?.close();
    await db.close().catch(() => undefined);
    throw error;
  }
}

type Stop = () => Promise<void>;

/** Starts everything that works on one database, and does not listen yet. */
async function startCell(place: CellPlace & { readonly roles: ReadonlySet<Role> }): Promise<StartedCell> {
  const { rt, db, roles, history } = place;
  const parts = await openParts(rt, db);
  const workers = makeWorkers(parts, roles);
  const entrances = await makeEntrances(parts, { ...place, roles }, workers);
  const { app, metricsApp, rateShare, campaigner, rules } = entrances;
  const background = await startBackground(parts, history);
  const beats = roles.has('api') ? await keepRateShare(rt, db, rateShare) : null;
  for (const worker of workers.list) await worker.start();
  rules?.start();
  campaigner?.start();
  watchState(rt, db, roles.has('maintenance'));
  const { recorder, applyPayment } = entrances;
  return {
    ...{ app, metricsApp, recorder, applyPayment },
    // Requests that wait for an outcome get their 202: nothing else would end them soon.
    endWaits: [async () => parts.watch.close(), async () => parts.eventWatch.close()],
    stopEntrances: stopEntrances(entrances, beats),
    stopWork: [...stopWorkers(entrances, workers), ...background, ...closeParts(parts)],
  };
}

/** What runs in every process. @returns how it is stopped */
async function startBackground({ rt, db, signals }: Parts, history: HistoryKeeper): Promise<readonly Stop[]> {
  const closeLine = await openEventListener(rt, db);
  const closeSignals = await openSignalLine(rt, db, signals);
  const loops = [
    new Loop(rt, CLOCK_BEAT_MS, 'clock', makeClockWatch(rt, db)),
    new Loop(rt, MARK_MS, 'database_mark', history.mark),
  ];
  for (const loop of loops) loop.start();
  const stops = [closeLine, closeSignals, async () => signals.close()];
  return [...loops.map((loop) => () => loop.stop()), ...stops];
}

type Entrances = Awaited<ReturnType<typeof makeEntrances>>;

function stopEntrances({ app, metricsApp }: Entrances, beats: Stop | null): readonly Stop[] {
  return [
    async () => void (await app?.close()),
    async () => void (await beats?.()),
    async () => void (await metricsApp?.close()),
  ];
}

function stopWorkers(
  { campaigner, rules, acceptor, recorder, laneNotifier }: Entrances,
  workers: ReturnType<typeof makeWorkers>,
): readonly Stop[] {
  return [
    async () => void (await campaigner?.stop()),
    // Before the acceptor: it sends.
    async () => void (await rules?.stop()),
    () => acceptor.close(),
    () => recorder.close(),
    ...workers.list.map((worker) => () => worker.stop()),
    () => laneNotifier.close(),
  ];
}

function closeParts({
  network,
  media,
  sessions,
  verifyPoster,
  accounts,
  providers,
  templateClient,
  businessClient,
  flowClient,
  figuresClient,
  phone,
  blobs,
}: Parts): readonly Stop[] {
  const clients = [network, media, sessions, verifyPoster, accounts, providers];
  const parts = [...clients, templateClient, businessClient, flowClient, figuresClient, phone, blobs].filter(
    (part) => part !== null,
  );
  return parts.map((part) => () => part.close());
}

/** What every role may need: clients of the outside, stores, and the secrets of the installation. */
async function openParts(rt: Runtime, db: Database) {
  const { config } = rt;
  const keyring = openKeyring(config);
  const accounts = makeAccountClient(config);
  const tokens = makeTokenProvider(rt, db, keyring);
  return {
    rt,
    db,
    due: new DueWorkMonitor(rt, db),
    network: makeNetworkClient(config),
    media: makeMediaClient(config),
    sessions: makeResumableUploadClient(config),
    verifyPoster: openWebhookPoster(rt),
    payments: makePaymentGateway(config),
    accounts,
    keyring,
    blobs: openBlobStore(config),
    partials: openPartialStore(config),
    tokens,
    providers: makeIdentityProviders(config, rt.clock),
    templateClient: makeTemplateClient(config),
    businessClient: makeBusinessClient(config),
    flowClient: makeFlowClient(config),
    figuresClient: makeFiguresClient(config),
    phone: makeSimulatorClient(config),
    mailer: makeMailer(config, rt.log),
    linking: { rt, db, accounts, keyring, stateKey: await installationSecret(db, 'link_key') },
    watch: new OutcomeWaiters(),
    eventWatch: new EventWaiters(rt),
    signals: new SignalHub(rt),
    correlationKey: await installationSecret(db, 'echo_key'),
    cursorKey: await installationSecret(db, 'cursor_key'),
    pushKey: await installationPushKey(db),
  };
}

export type Parts = Awaited<ReturnType<typeof openParts>>;

export type Workers = ReturnType<typeof makeWorkers>;

/**
 * Background workers that the roles of this process ask for. Nothing is started yet.
 * @returns the list in the order in which they start and stop
 */
function makeWorkers(parts: Parts, roles: ReadonlySet<Role>) {
  const { rt, db, due, network, media, sessions, payments, blobs, partials, tokens, keyring, watch, correlationKey } =
    parts;
  const onRefused = (refusal: RefusedAccess) => pauseRefused(rt, db, refusal);
  const uploads = new Slots(UPLOADS_AT_ONCE, rt.clock);
  const carry = makeMediaCarrier({ blobs, network: media, tokens, slots: uploads, onRefused });
  const source = makeMediaSource({ rt, db, carry });
  const sending = { rt, db, network, uploads, media: source, tokens, watch, correlationKey };
  const templates = { rt, db, network: parts.templateClient, tokens };
  const { signals } = parts;
  const housekeeping = { due, blobs, partials, payments, templates, signals, logServer: makeSyslogClient(rt.config) };
  const dispatcher = roles.has('dispatcher') ? makeDispatcher(sending) : null;
  const ingester = roles.has('ingester') ? makeIngester({ rt, db, due, correlationKey, watch }) : null;
  const list = [
    dispatcher,
    ingester,
    roles.has('dispatcher') ? makeHandleMaker({ rt, db, due, blobs, network: sessions }) : null,
    roles.has('ingester') ? makeMediaFetcher({ rt, db, due, blobs, network: media, tokens }) : null,
    roles.has('notifier') ? makeNotifier({ rt, db, keyring }) : null,
    roles.has('ingester') ? makeImporter({ rt, db, due, blobs }, 'contacts') : null,
    roles.has('ingester') ? makeImporter({ rt, db, due, blobs }, 'recipients') : null,
    roles.has('ingester') ? makeBulkChanger({ rt, db, due }) : null,
    roles.has('ingester') ? makeNetworkBlocker({ rt, db, due, network: parts.businessClient, tokens }) : null,
    roles.has('maintenance') ? makeMaintenance(rt, db, housekeeping) : null,
    roles.has('maintenance') ? makePushSender({ rt, db, key: parts.pushKey, isDue: () => due.has('push') }) : null,
  ];
  return { dispatcher, ingester, list: list.filter((worker) => worker !== null) };
}

async function closeAll(rt: Runtime, db: Database, stops: readonly Stop[]): Promise<void> {
  for (const stop of stops) {
    await stop().catch((error: Error) => rt.log.warn({ error: error.message }, 'service.stop_failed'));
  }
  await db.close();
}

import { readLedger } from '../chaos/ledger.ts';
import type { Programs } from '../harness/paths.ts';
import { pollUntil } from '../harness/pause.ts';
import type { Postgres } from '../harness/postgres.ts';
import { PHONE_NUMBER_ID } from '../harness/server.ts';
import type { Workspace } from '../harness/workspace.ts';
import { seededRandom } from '../random.ts';
import { auditCampaign, type CampaignCounts, type CampaignVerdict, type RecipientEvidence } from './audit-campaign.ts';
import { addContacts, type CampaignStage, openCampaignStage } from './campaign-stage.ts';
import { LedgerWatch } from './ledger-watch.ts';

export interface CampaignChaosSpec {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly postgres: Postgres;
  readonly recipients: number;
  readonly kills: number;
  readonly seed: number;
  readonly rate: number;
  readonly say: (line: string) => void;
}

export interface CampaignChaosResult extends CampaignVerdict {
  readonly counts: CampaignCounts;
  readonly kills: number;
  readonly samples: number;
  readonly seconds: number;
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly pause_reason: string | null;
  readonly recipients: CampaignCounts;
}

/** A campaign to contacts of a condition, while its server is killed again and again; then the records are compared. */
export async function runCampaignChaos(spec: CampaignChaosSpec): Promise<CampaignChaosResult> {
  const { recipients, kills, say } = spec;
  const startMs = performance.now();
  const stage = await openCampaignStage(spec);
  await addContacts(stage.database, recipients);
  const run: Run = { spec, stage, id: await draft(stage), samples: [], stopped: [], acceptsWhilePaused: 0 };
  await stage.call('POST', `/v1/campaigns/${run.id}/start`);
  const watch = new LedgerWatch(stage.simulator.ledgerFile);
  for (const [index, at] of plan(spec).entries()) {
    // The first one, while contacts become recipients: facts of the network come later.
    await until(run, `${at} messages to leave`, ({ recipients: counts }) =>
      index === 0 && kills > 1 ? counts.total > 0 : watch.count() >= at,
    );
    await stage.killAndRestart();
    say(`  killed ${index + 1}/${kills} after ${watch.count()} accepts`);
    if (index === Math.floor(kills / 2)) await stopAndPause(run);
  }
  await until(run, 'the campaign to end', ({ status }) => status === 'completed');
  const records = await recordsOf(stage, run.id);
  const verdict = auditCampaign({ ...run, ...records });
  if (verdict.explainedDuplicates > 0) await printDuplicates(run, records);
  const seconds = Math.round((performance.now() - startMs) / 1000);
  return { ...verdict, counts: run.samples.at(-1) as CampaignCounts, kills, samples: run.samples.length, seconds };
}

interface Run {
  readonly spec: CampaignChaosSpec;
  readonly stage: CampaignStage;
  readonly id: string;
  readonly samples: CampaignCounts[];
  readonly stopped: string[];
  acceptsWhilePaused: number;
}

async function draft(stage: CampaignStage): Promise<string> {
  const made = await stage.call<Shown>('POST', '/v1/campaigns', {
    name: 'P14',
    template: { name: 'order_shipped', language: 'en', variables: { name: '{{contact.name}}' } },
    audience: { when: { field: 'contact.country', match: 'is', value: 'GB' } },
    phone_number_id: PHONE_NUMBER_ID,
  });
  return made.id;
}

/** After how many accepts each kill comes: spread over the run, each somewhere in its part of it. */
function plan({ recipients, kills, seed }: CampaignChaosSpec): readonly number[] {
  const random = seededRandom(seed);
  const part = recipients / (kills + 1);
  return Array.from({ length: kills }, (_, index) => Math.floor(part * (index + 0.5 + random.next() / 2)));
}

const SAMPLE_EVERY_MS = 40;
/** The longest standstill that is allowed: a lane changes hands within 8 s of a kill. */
const PATIENCE_MS = 120_000;

/** Polls the campaign until it is as wanted; every sample is evidence. */
async function until({ stage, id, samples }: Run, what: string, done: (shown: Shown) => boolean): Promise<Shown> {
  let last = '';
  let movedMs = performance.now();
  const probe = async (): Promise<Shown | null> => {
    const shown = await stage.call<Shown>('GET', `/v1/campaigns/${id}`);
    const now = JSON.stringify(shown.recipients);
    if (now !== last) {
      samples.push(shown.recipients);
      movedMs = performance.now();
    }
    last = now;
    if (performance.now() - movedMs > PATIENCE_MS) throw new Error(`it stands still: ${shown.status} ${now}`);
    return done(shown) ? shown : null;
  };
  const timeoutMs = PATIENCE_MS * 20;
  return pollUntil({ what: `waited for ${what}`, everyMs: SAMPLE_EVERY_MS, timeoutMs, probe });
}

/** The last in the queue says STOP; then the campaign is paused, and nothing of it may leave. */
async function stopAndPause(run: Run): Promise<void> {
  const { stage, id, spec } = run;
  await until(run, 'recipients', ({ status }) => status === 'running');
  const [last] = await stage.database.query(
    "select phone from campaign_recipients where status = 'waiting' order by place desc limit 1",
  );
  const from = String(last?.phone ?? '');
  if (from !== '') {
    await stage.simulator.control('POST', '/_sim/inbound', { from, text: 'STOP', phone_number_id: PHONE_NUMBER_ID });
    const probe = async () => ((await hasStopped(stage, from)) ? true : null);
    await pollUntil({ what: 'the STOP is not heard', everyMs: SAMPLE_EVERY_MS, timeoutMs: PATIENCE_MS, probe });
    run.stopped.push(from);
  }
  await stage.call('POST', `/v1/campaigns/${id}/pause`);
  await until(run, 'the queue to be empty', ({ recipients }) => recipients.queued === 0);
  const before = readLedger(stage.simulator.ledgerFile).length;
  if (spec.kills > FEW_KILLS) await stage.killAndRestart();
  await sendSomethingElse(stage);
  // The one message that was to leave.
  run.acceptsWhilePaused = readLedger(stage.simulator.ledgerFile).length - before - 1;
  spec.say(`  paused: ${run.acceptsWhilePaused} messages left; one customer said STOP`);
  await stage.call('POST', `/v1/campaigns/${id}/resume`);
}

async function hasStopped(stage: CampaignStage, phone: string): Promise<boolean> {
  const { data } = await stage.call<{ data: { consent: { marketing: string } }[] }>(
    'GET',
    `/v1/contacts?phone=${phone}`,
  );
  return data[0]?.consent.marketing === 'denied';
}

/** A short run spares the kill during the pause: each costs the time in which a lane changes hands. */
const FEW_KILLS = 2;
const SOMEBODY_ELSE = '15559999999';

/** That it leaves shows that the server sends: what the campaign does not send, it does not want to. */
async function sendSomethingElse(stage: CampaignStage): Promise<void> {
  const { id } = await stage.call<{ id: string }>('POST', '/v1/messages', { to: SOMEBODY_ELSE, body: 'Hello' });
  const probe = async () => {
    const { status } = await stage.call<{ status: string }>('GET', `/v1/messages/${id}`);
    return status === 'sent' ? true : null;
  };
  await pollUntil({ what: 'another message does not leave', everyMs: SAMPLE_EVERY_MS, timeoutMs: PATIENCE_MS, probe });
}

const REPORTED = 3;

/** What happened to some of those who were sent to twice, to help find the cause. */
async function printDuplicates(
  { stage, spec }: Run,
  { recipients, ledger }: Awaited<ReturnType<typeof recordsOf>>,
): Promise<void> {
  const suspects = recipients.filter(({ possibleDuplicate }) => possibleDuplicate);
  const twice = suspects.filter(({ phone }) => ledger.filter(({ to }) => to === phone).length > 1);
  for (const { phone, messageId } of twice.slice(0, REPORTED)) {
    const trace = await stage.call<{ data: { at: string; event: string; detail: string }[] }>(
      'GET',
      `/v1/messages/${messageId}/trace`,
    );
    const steps = trace.data.map(({ at, event, detail }) => `${at} ${event} (${detail})`);
    const accepts = ledger
      .filter(({ to }) => to === phone)
      .map(({ acceptedAtMs }) => new Date(acceptedAtMs).toISOString());
    spec.say(`  twice: ${phone}, accepted ${accepts.join(' and ')}: ${steps.join('; ')}`);
  }
}

async function recordsOf(stage: CampaignStage, id: string) {
  const rows = await stage.database.query(
    `select r.phone, r.status, r.message_id, coalesce(m.possible_duplicate, false) as possible_duplicate
     from campaign_recipients r
     left join outbound_messages m on m.tenant_id = r.tenant_id and m.message_id = r.message_id
     where r.campaign_id = $1`,
    [id],
  );
  const recipients = rows.map((row): RecipientEvidence => {
    const messageId = row.message_id === null ? null : String(row.message_id);
    const possibleDuplicate = row.possible_duplicate === true;
    return { phone: String(row.phone), status: String(row.status), messageId, possibleDuplicate };
  });
  const ledger = readLedger(stage.simulator.ledgerFile).filter(({ to }) => to !== SOMEBODY_ELSE);
  return { recipients, ledger };
}

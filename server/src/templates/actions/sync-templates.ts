import { ApiProblem } from '#core/errors';
import type { TemplateId, TenantId } from '#core/ids';
import { describeFailure } from '#core/network/transfer-failure';
import { withEvents } from '#events/actions/with-events';
import { sameText } from '#templates/domain/definition';
import type { NetworkTemplate } from '#templates/domain/network';
import type { Template } from '#templates/domain/template';
import { listTemplateAccounts, noteTemplateSync, type TemplateAccount } from '#templates/store/template-accounts';
import {
  bumpTemplateCache,
  lockNamedTemplates,
  lockTemplatesOfAccount,
  saveTemplate,
} from '#templates/store/templates';
import { reportedText, statusChange } from './apply-template-changes.ts';
import { addTemplate, storeTemplate, type TemplateWriter } from './change-template.ts';
import { accessTo, chooseAccount, type TemplateDeps } from './template-deps.ts';

/** What reading the network's lists changed. */
export interface SyncCounts {
  readonly added: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
}

export interface AccountSync extends SyncCounts {
  readonly networkAccountId: string;
  /** One sentence; null: its list was read to the end. */
  readonly error: string | null;
}

const NOTHING: SyncCounts = { added: 0, updated: 0, deleted: 0, unchanged: 0 };
/** "6,000 templates per account": far above it, so that a list that never ends does end. */
const MAX_PAGES = 200;
/** Templates of one transaction that removes. */
const REMOVE_AT_ONCE = 200;

/**
 * Reads the templates of all accounts of a tenant from the network: new ones are added, changed ones updated, and those
 * the network no longer has deleted. Drafts stay. Each page is a separate transaction, with no call to the network
 * inside.
 * @param wanted one account; null: all of them
 * @throws ApiProblem unknown_network_account
 * @returns the result of each account; of an account that could not be read, why
 */
export async function syncTemplates(
  parts: TemplateDeps,
  tenantId: TenantId,
  wanted: string | null,
): Promise<readonly AccountSync[]> {
  const accounts =
    wanted === null ? await listTemplateAccounts(parts.db, tenantId) : [await chooseAccount(parts, tenantId, wanted)];
  const outcomes: AccountSync[] = [];
  for (const account of accounts) outcomes.push(await syncAccount(parts, tenantId, account));
  return outcomes;
}

async function syncAccount(parts: TemplateDeps, tenantId: TenantId, account: TemplateAccount): Promise<AccountSync> {
  const { rt, db } = parts;
  const { networkAccountId } = account;
  const startMs = rt.clock.now();
  const read = await readAccount(parts, tenantId, account);
  await noteTemplateSync(db, { tenantId, networkAccountId }, { nowMs: rt.clock.now(), error: read.error });
  // A cache that did not know the account asks again only when its number grows.
  await bumpTemplateCache(db, tenantId);
  if (read.error !== null) return { networkAccountId, ...read.counts, error: read.error };
  const deleted = await removeMissing(parts, { tenantId, networkAccountId, seen: read.seen, startMs });
  return { networkAccountId, ...read.counts, deleted, error: null };
}

interface AccountRead {
  readonly counts: SyncCounts;
  readonly seen: ReadonlySet<string>;
  readonly error: string | null;
}

async function readAccount(parts: TemplateDeps, tenantId: TenantId, account: TemplateAccount): Promise<AccountRead> {
  const { networkAccountId } = account;
  const seen = new Set<string>();
  let counts = NOTHING;
  let after: string | null = null;
  try {
    const access = await accessTo(parts, tenantId, account);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const asked = await parts.network.listPage(access, after);
      if (!asked.ok) return { counts, seen, error: describeFailure(asked.failure) };
      for (const { networkTemplateId } of asked.value.templates) seen.add(networkTemplateId);
      counts = plus(counts, await storePage(parts, { tenantId, networkAccountId }, asked.value.templates));
      after = asked.value.after;
      if (after === null) break;
    }
    return { counts, seen, error: null };
  } catch (error) {
    if (error instanceof ApiProblem) return { counts, seen, error: error.message };
    throw error;
  }
}

function plus(one: SyncCounts, other: SyncCounts): SyncCounts {
  return {
    added: one.added + other.added,
    updated: one.updated + other.updated,
    deleted: one.deleted + other.deleted,
    unchanged: one.unchanged + other.unchanged,
  };
}

interface Place {
  readonly tenantId: TenantId;
  readonly networkAccountId: string;
}

function storePage(parts: TemplateDeps, place: Place, page: readonly NetworkTemplate[]): Promise<SyncCounts> {
  const { rt, db } = parts;
  return withEvents(rt, db, async (tx, events) => {
    const writer: TemplateWriter = { rt, tx, events, cause: 'sync' };
    const known = new Map((await lockNamedTemplates(tx, place, page)).map((template) => [keyOf(template), template]));
    let counts = NOTHING;
    for (const listed of page) {
      const outcome = await storeListed(writer, { place, listed, before: known.get(keyOf(listed)) });
      counts = plus(counts, { ...NOTHING, [outcome]: 1 });
    }
    return counts;
  });
}

function keyOf({ name, language }: Pick<Template, 'name' | 'language'>): string {
  return `${name}/${language}`;
}

interface Listed {
  readonly place: Place;
  readonly listed: NetworkTemplate;
  readonly before: Template | undefined;
}

async function storeListed(
  writer: TemplateWriter,
  { place, listed, before }: Listed,
): Promise<'added' | 'updated' | 'unchanged'> {
  const nowMs = writer.rt.clock.now();
  if (before === undefined) {
    // Going already: it would only come to go.
    if (listed.status === 'deleted') return 'unchanged';
    const added = await addTemplate(writer, fromNetwork(writer, place, listed));
    return added ? 'added' : 'unchanged';
  }
  const after = withListed(before, listed, nowMs);
  if (!differs(before, after)) {
    const { networkTemplateId, library } = after;
    await saveTemplate(writer.tx, { ...before, networkTemplateId, library, syncedMs: nowMs });
    return 'unchanged';
  }
  await storeTemplate(writer, before, after);
  return 'updated';
}

function fromNetwork({ rt }: TemplateWriter, place: Place, listed: NetworkTemplate): Template {
  const nowMs = rt.clock.now();
  const { networkTemplateId, name, language, quality, reason, libraryName } = listed;
  const status = listed.status ?? 'archived';
  return {
    ...place,
    ...reportedText(listed),
    templateId: rt.newId<TemplateId>(),
    networkTemplateId,
    name,
    language,
    status,
    reason,
    quality,
    previousCategory: null,
    correctCategory: null,
    library: libraryName === null ? null : { name: libraryName, inputs: [] },
    version: 1,
    submittedVersion: 1,
    submittedMs: null,
    live: status === 'approved' || status === 'paused' ? reportedText(listed) : null,
    syncedMs: nowMs,
    reportedMs: {},
    deletedMs: null,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
}

/** The template with what the list says. What was changed here and not handed in yet stays; what is live follows. */
function withListed(before: Template, listed: NetworkTemplate, nowMs: number): Template {
  const { networkTemplateId, quality, reason } = listed;
  const status = listed.status ?? before.status;
  const own = before.status !== 'draft' && before.version !== before.submittedVersion;
  // A different category is not a new text.
  const same = sameText({ ...before, category: listed.category }, listed);
  const moved = own || same ? {} : movedTo(before, listed);
  const recategorised = !own && listed.category !== before.category ? { previousCategory: before.category } : {};
  const base: Template = {
    ...before,
    ...moved,
    ...(own ? {} : { category: listed.category, library: sourceOf(before, listed) }),
    ...recategorised,
    networkTemplateId,
    quality,
    syncedMs: nowMs,
    updatedMs: nowMs,
  };
  const changed: Template = { ...base, ...statusChange(base, { status, reason, nowMs }) };
  const live = status === 'approved' || status === 'paused' ? reportedText(listed) : changed.live;
  return { ...changed, live, submittedVersion: base.submittedVersion ?? base.version };
}

/** The network does not list where the buttons of its own templates lead apart from the buttons. */
function sourceOf({ library }: Template, { libraryName }: NetworkTemplate): Template['library'] {
  if (libraryName === null) return null;
  return library?.name === libraryName ? library : { name: libraryName, inputs: [] };
}

function movedTo(before: Template, listed: NetworkTemplate): Partial<Template> {
  const version = before.version + 1;
  return { ...reportedText(listed), version, submittedVersion: version };
}

function differs(before: Template, after: Template): boolean {
  return (['status', 'reason', 'quality', 'category', 'version', 'networkTemplateId'] as const).some(
    (key) => before[key] !== after[key],
  );
}

interface Missing extends Place {
  readonly seen: ReadonlySet<string>;
  readonly startMs: number;
}

/** What the whole list did not name is gone, unless it was handed in while the list was read. */
async function removeMissing(parts: TemplateDeps, missing: Missing): Promise<number> {
  const { rt, db } = parts;
  let deleted = 0;
  let after: Pick<Template, 'name' | 'language'> | null = { name: '', language: '' };
  while (after !== null) {
    const from: Pick<Template, 'name' | 'language'> = after;
    const step = await withEvents(rt, db, async (tx, events) => {
      const page = await lockTemplatesOfAccount(tx, missing, { after: from, limit: REMOVE_AT_ONCE });
      const gone = page.filter((template) => isGone(template, missing));
      const nowMs = rt.clock.now();
      for (const before of gone) {
        const deleted: Template = { ...before, status: 'deleted', live: null, deletedMs: nowMs, updatedMs: nowMs };
        await storeTemplate({ rt, tx, events, cause: 'sync' }, before, deleted);
      }
      return { gone: gone.length, last: page.length < REMOVE_AT_ONCE ? null : (page.at(-1) ?? null) };
    });
    deleted += step.gone;
    after = step.last;
  }
  return deleted;
}

function isGone({ networkTemplateId, submittedMs }: Template, { seen, startMs }: Missing): boolean {
  if (networkTemplateId === null || seen.has(networkTemplateId)) return false;
  return submittedMs === null || submittedMs < startMs;
}

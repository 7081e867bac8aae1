import { ApiProblem, type FaultDetail } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { groupedReads } from '#database/group-commit';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';
import type { TemplateContent, TemplateFields } from '#templates/domain/content';
import type { TemplateCategory } from '#templates/domain/definition';
import { fitSend, type SendFit, type SendShape, sendShape } from '#templates/domain/send';
import { isSendable } from '#templates/domain/template';
import { listSyncedAccounts } from '#templates/store/template-accounts';
import { listSendable, readTemplateRevisions, type SendableTemplate } from '#templates/store/templates';

/** Whether a template may be sent with these values, decided from memory: a message costs no query. */
export interface TemplateCache {
  /** Without a promise when it is remembered: the hot path. */
  of(tenantId: TenantId): TenantTemplates | Promise<TenantTemplates>;
}

/** The templates of one tenant, as they were a moment ago. */
export interface TenantTemplates {
  /** @param networkAccountId that of the sending number; null: not known, so that nothing is known of its templates */
  evaluate(networkAccountId: string | null, fields: TemplateFields): TemplateVerdict;
}

export type TemplateVerdict =
  /** Nothing is known of it: the network decides. */
  | { readonly kind: 'left_to_network' }
  | { readonly kind: 'refused'; readonly problem: ApiProblem }
  /** `content` is sent to the network. */
  | { readonly kind: 'fits'; readonly content: TemplateContent; readonly category: TemplateCategory };

/** A pause that the network reports takes effect after at most this long. */
const REMEMBER_MS = 1_000;
/** Tenants remembered; beyond it the oldest is forgotten. */
const MAX_TENANTS = 5_000;

const LEFT_TO_NETWORK: TemplateVerdict = { kind: 'left_to_network' };

export function makeTemplateCache(rt: Runtime, db: Database): TemplateCache {
  const revisionOf = groupedReads('template_revisions', (tenantIds: readonly TenantId[]) =>
    readTemplateRevisions(db, tenantIds),
  );
  const remembered = new TtlCache<TenantCache, TenantId>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_TENANTS,
    read: async (tenantId, known) => {
      const revision = await revisionOf(tenantId);
      // Read before the templates: what changes in between is read again.
      if (known?.revision === revision) return known;
      const [templates, synced] = await Promise.all([listSendable(db, tenantId), listSyncedAccounts(db, tenantId)]);
      return new TenantCache(revision, templates, synced);
    },
  });
  return { of: (tenantId) => remembered.of(tenantId) };
}

interface Entry {
  readonly template: SendableTemplate;
  /** Made at the first send. */
  shape: SendShape | null;
}

class TenantCache implements TenantTemplates {
  readonly revision: number;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #synced: ReadonlySet<string>;

  constructor(revision: number, templates: readonly SendableTemplate[], synced: readonly string[]) {
    this.revision = revision;
    this.#entries = new Map(templates.map((template) => [keyOf(template), { template, shape: null }]));
    this.#synced = new Set(synced);
  }

  evaluate(networkAccountId: string | null, fields: TemplateFields): TemplateVerdict {
    const verdict = this.#look(networkAccountId, fields);
    // What nobody here knows the category of leaves over an API that takes nothing but marketing.
    const isMarketing = verdict.kind === 'left_to_network' && fields.marketing_messages !== undefined;
    return isMarketing ? taken(fields, 'marketing', null) : verdict;
  }

  #look(networkAccountId: string | null, fields: TemplateFields): TemplateVerdict {
    if (networkAccountId === null) return LEFT_TO_NETWORK;
    const entry = this.#entries.get(keyOf({ networkAccountId, name: fields.name, language: fields.language }));
    if (entry === undefined) {
      return this.#synced.has(networkAccountId) ? refused(unknownTemplate(fields)) : LEFT_TO_NETWORK;
    }
    const { template } = entry;
    const problem = stateProblem(template);
    if (problem !== null) return refused(problem);
    if (template.live === null) return LEFT_TO_NETWORK;
    entry.shape ??= sendShape(template.live);
    return fitting(entry.shape, fields);
  }
}

function keyOf({
  networkAccountId,
  name,
  language,
}: Pick<SendableTemplate, 'networkAccountId' | 'name' | 'language'>): string {
  return `${networkAccountId}/${name}/${language}`;
}

function refused(problem: ApiProblem): TemplateVerdict {
  return { kind: 'refused', problem };
}

function fitting(shape: SendShape, fields: TemplateFields): TemplateVerdict {
  const { faults, components } = fitSend(shape, fields);
  if (faults.length > 0) return refused(misfit(faults));
  if (fields.marketing_messages !== undefined && shape.category !== 'marketing') {
    return refused(misfit([notMarketing(shape.category)]));
  }
  return taken(fields, shape.category, components);
}

/** @param components what the values become in the template; null: the fields as they were given */
function taken(fields: TemplateFields, category: TemplateCategory, components: SendFit['components']): TemplateVerdict {
  const { category: _known, ...given } = fields;
  const marked = category === 'marketing' ? { ...given, category } : given;
  const template = components === null ? marked : { ...marked, components };
  return { kind: 'fits', content: { type: 'template', template }, category };
}

function notMarketing(category: TemplateCategory): FaultDetail {
  const message = `the template is of the category ${category}; marketing_messages is for templates of marketing`;
  return { path: 'body.template.marketing_messages', message };
}

function misfit(details: readonly FaultDetail[]): ApiProblem {
  const sentence = `${details.map(({ message }) => message).join('; ')}.`;
  return new ApiProblem('validation_failed', {
    sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1),
    details,
  });
}

function unknownTemplate({ name, language }: TemplateFields): ApiProblem {
  const sentence = `The account of the sending number has no template ${name} in ${language}. Sync the templates if it is new.`;
  return new ApiProblem('template_unknown', { sentence });
}

/** Null when the network would send it, or may for all that is known. */
function stateProblem(template: SendableTemplate): ApiProblem | null {
  const { name, status, reason } = template;
  // Found in review at the network: an earlier version of it may be live there.
  if (isSendable(template) || status === 'submitted') return null;
  const why = reason === null ? '' : ` (${reason})`;
  if (status === 'paused') {
    return new ApiProblem('template_paused', { sentence: `The network has paused the template ${name}${why}.` });
  }
  return new ApiProblem('template_not_sendable', { sentence: `The template ${name} is ${status}${why}.` });
}

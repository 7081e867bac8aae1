import type { JsonObject } from '../json.ts';

export const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;
export type Category = (typeof CATEGORIES)[number];

export const STATUSES = [
  'APPROVED',
  'PENDING',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'ARCHIVED',
  'FLAGGED',
] as const;
export type TemplateStatus = (typeof STATUSES)[number];

export const SCORES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;
export type Score = (typeof SCORES)[number];

/** Why a template was rejected, in the network's words. */
export const REASONS = [
  'ABUSIVE_CONTENT',
  'CATEGORY_NOT_AVAILABLE',
  'INCORRECT_CATEGORY',
  'INVALID_FORMAT',
  'NONE',
  'PROMOTIONAL',
  'SCAM',
  'TAG_CONTENT_MISMATCH',
] as const;
export type Reason = (typeof REASONS)[number];

/** What a template says; replaced as a whole when it is edited. */
export type Definition = {
  readonly category: Category;
  readonly parameterFormat: 'NAMED' | 'POSITIONAL';
  readonly components: readonly JsonObject[];
  readonly ttlSeconds: number | null;
};

/** A change of status that comes with time: the end of a review or of a pause. */
export type Coming = {
  readonly atMs: number;
  readonly status: TemplateStatus;
  readonly reason: Reason;
  /** Another change came before its time; it is not reported then. */
  canceled: boolean;
};

export type Template = {
  readonly id: string;
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  readonly createdAtMs: number;
  /** The entry of the library that it was taken from and still reads like. Absent: an earlier program kept it. */
  library?: string | null;
  definition: Definition;
  /** The definition that may be sent: the one approved last. Null: none. */
  live: Definition | null;
  status: TemplateStatus;
  reason: Reason;
  score: Score;
  scoredAtMs: number;
  previousCategory: Category | null;
  /** How often quality has paused it. */
  pauses: number;
  /** Edits of the approved template, unix milliseconds. */
  readonly edits: number[];
  coming: Coming | null;
};

export type NewTemplate = Pick<Template, 'id' | 'wabaId' | 'name' | 'language' | 'definition' | 'library'>;

/** What is kept between two runs. */
export type KeptTemplates = {
  readonly templates: readonly Template[];
  readonly locked: readonly (readonly [name: string, untilMs: number])[];
};

// "The name of a deleted template cannot be used for 30 days", if it had been approved.
const NAME_LOCK_MS = 30 * 24 * 3600 * 1000;

/** All templates of all accounts; every reader gets them as they are at `nowMs`. */
export class TemplateStore {
  readonly #templates = new Map<string, Template>();
  /** Account and name → ids of its languages. */
  readonly #byName = new Map<string, Set<string>>();
  readonly #lockedUntilMs = new Map<string, number>();

  add(wish: NewTemplate, nowMs: number): Template {
    const template: Template = {
      ...wish,
      createdAtMs: nowMs,
      live: null,
      status: 'PENDING',
      reason: 'NONE',
      score: 'UNKNOWN',
      scoredAtMs: nowMs,
      previousCategory: null,
      pauses: 0,
      edits: [],
      coming: null,
    };
    this.#keep(template);
    return template;
  }

  find(id: string, nowMs: number): Template | null {
    const template = this.#templates.get(id);
    return template === undefined ? null : settle(template, nowMs);
  }

  /** All languages of a name. */
  named(wabaId: string, name: string, nowMs: number): readonly Template[] {
    const ids = this.#byName.get(nameKey(wabaId, name));
    if (ids === undefined) return [];
    return [...ids].flatMap((id) => this.find(id, nowMs) ?? []);
  }

  /** Oldest first; `wabaId` null: of all accounts. */
  list(wabaId: string | null, nowMs: number): readonly Template[] {
    const all = [...this.#templates.values()];
    return all.filter((one) => wabaId === null || one.wabaId === wabaId).map((one) => settle(one, nowMs));
  }

  remove(template: Template, nowMs: number): void {
    const key = nameKey(template.wabaId, template.name);
    this.#templates.delete(template.id);
    const ids = this.#byName.get(key);
    ids?.delete(template.id);
    if (ids?.size === 0) this.#byName.delete(key);
    cancelComing(template);
    if (template.live !== null) this.#lockedUntilMs.set(key, nowMs + NAME_LOCK_MS);
  }

  /** True while the name of a deleted template cannot be used again. */
  isLocked(wabaId: string, name: string, nowMs: number): boolean {
    return nowMs < (this.#lockedUntilMs.get(nameKey(wabaId, name)) ?? 0);
  }

  dump(nowMs: number): KeptTemplates {
    const locked = [...this.#lockedUntilMs].filter(([, untilMs]) => untilMs > nowMs);
    return { templates: this.list(null, nowMs), locked };
  }

  load({ templates, locked }: KeptTemplates): void {
    for (const template of templates) this.#keep(template);
    for (const [name, untilMs] of locked) this.#lockedUntilMs.set(name, untilMs);
  }

  #keep(template: Template): void {
    const key = nameKey(template.wabaId, template.name);
    this.#templates.set(template.id, template);
    this.#byName.set(key, (this.#byName.get(key) ?? new Set()).add(template.id));
  }

  reset(): void {
    this.#templates.clear();
    this.#byName.clear();
    this.#lockedUntilMs.clear();
  }
}

/** Gives a template its status from now on. */
export function enterStatus(template: Template, status: TemplateStatus, reason: Reason = 'NONE'): void {
  cancelComing(template);
  template.status = status;
  template.reason = reason;
  if (status === 'APPROVED') template.live = template.definition;
  if (status === 'REJECTED') template.live = null;
}

function cancelComing(template: Template): void {
  if (template.coming !== null) template.coming.canceled = true;
  template.coming = null;
}

function settle(template: Template, nowMs: number): Template {
  const { coming } = template;
  if (coming !== null && nowMs >= coming.atMs) {
    template.coming = null;
    enterStatus(template, coming.status, coming.reason);
  }
  return template;
}

function nameKey(wabaId: string, name: string): string {
  return `${wabaId}:${name}`;
}

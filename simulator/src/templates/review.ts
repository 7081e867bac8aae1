/** The review of a template, and the callbacks that report it. */
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import {
  type Category,
  type Coming,
  enterStatus,
  type Reason,
  type Score,
  type Template,
  type TemplateStatus,
} from './template-store.ts';

export type ReviewPolicy = {
  /** PENDING: the review does not end automatically. */
  readonly outcome: 'APPROVED' | 'REJECTED' | 'PENDING';
  /** How long a review takes, in simulator milliseconds. */
  readonly delayMs: number;
  /** Why a template is rejected. */
  readonly reason: Reason;
  /** Replaces the category that was asked for; null: none is replaced. */
  readonly category: Category | null;
};

export const DEFAULT_REVIEW: ReviewPolicy = {
  outcome: 'APPROVED',
  delayMs: 0,
  reason: 'INVALID_FORMAT',
  category: null,
};

const HOUR_MS = 3_600_000;
/** "Paused for 3 hours, the second time for 6, the third time disabled." */
const PAUSE_MS = [3 * HOUR_MS, 6 * HOUR_MS];
const PAUSE_TITLES = ['FIRST_PAUSE', 'SECOND_PAUSE'];
const SUFFIXES = [
  ['_approved', 'APPROVED'],
  ['_rejected', 'REJECTED'],
  ['_pending', 'PENDING'],
] as const;

/** Begins a review; a name that ends in `_approved`, `_rejected` or `_pending` decides it. */
export function beginReview(sim: Simulation, template: Template): void {
  const { outcome: usual, delayMs, reason } = sim.review;
  const outcome = SUFFIXES.find(([suffix]) => template.name.endsWith(suffix))?.[1] ?? usual;
  enterStatus(template, 'PENDING');
  if (outcome === 'PENDING') return;
  const why = outcome === 'REJECTED' ? reason : 'NONE';
  scheduleStatus(sim, template, { atMs: sim.clock.now() + delayMs, status: outcome, reason: why }, rejection(outcome));
}

/** Puts what a kept template waits for (the end of a review or of a pause) on the schedule again. */
export function resumeReview(sim: Simulation, template: Template): void {
  const { coming } = template;
  if (coming !== null) scheduleStatus(sim, template, coming, rejection(coming.status));
}

/** Gives the template another status now and reports it. */
export function changeStatus(sim: Simulation, template: Template, status: TemplateStatus, reason: Reason): void {
  enterStatus(template, status, reason);
  reportStatus(sim, template, { status, reason, atMs: sim.clock.now() }, rejection(status), () => true);
}

/** Changes the quality and reports it; RED pauses the template, and disables it the third time. */
export function changeScore(sim: Simulation, template: Template, score: Score): void {
  const nowMs = sim.clock.now();
  const previous = template.score;
  template.score = score;
  template.scoredAtMs = nowMs;
  report(sim, template, 'message_template_quality_update', nowMs, {
    previous_quality_score: previous,
    new_quality_score: score,
  });
  if (score === 'RED' && template.status === 'APPROVED') punish(sim, template, nowMs);
}

/** Changes the category and reports it. */
export function changeCategory(sim: Simulation, template: Template, category: Category): void {
  const previous = template.definition.category;
  template.previousCategory = previous;
  template.definition = { ...template.definition, category };
  if (template.live !== null) template.live = { ...template.live, category };
  report(sim, template, 'template_category_update', sim.clock.now(), {
    previous_category: previous,
    new_category: category,
  });
}

function punish(sim: Simulation, template: Template, nowMs: number): void {
  const pauseMs = PAUSE_MS[template.pauses];
  const title = PAUSE_TITLES[template.pauses];
  template.pauses++;
  const status = pauseMs === undefined ? 'DISABLED' : 'PAUSED';
  enterStatus(template, status);
  const disabled = { disable_info: { disable_date: Math.floor(nowMs / 1000) } };
  const more = { ...info(title ?? 'DISABLED'), ...(pauseMs === undefined ? disabled : {}) };
  reportStatus(sim, template, { status, reason: 'NONE', atMs: nowMs }, more, () => true);
  if (pauseMs === undefined) return;
  scheduleStatus(sim, template, { atMs: nowMs + pauseMs, status: 'APPROVED', reason: 'NONE' }, info('UNPAUSE'));
}

function scheduleStatus(sim: Simulation, template: Template, change: StatusChange, more: JsonObject): void {
  const coming: Coming = { ...change, canceled: false };
  template.coming = coming;
  reportStatus(sim, template, change, more, () => !coming.canceled);
}

type StatusChange = Omit<Coming, 'canceled'>;

function reportStatus(
  sim: Simulation,
  template: Template,
  change: StatusChange,
  more: JsonObject,
  holds: () => boolean,
): void {
  const value = {
    event: change.status,
    reason: change.reason,
    message_template_category: template.definition.category,
    ...more,
  };
  report(sim, template, 'message_template_status_update', change.atMs, value, holds);
}

function report(
  sim: Simulation,
  template: Template,
  field: string,
  atMs: number,
  value: JsonObject,
  holds: () => boolean = () => true,
): void {
  const names = {
    // The one id that the network writes as a number.
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
  };
  const update = {
    kind: 'account' as const,
    wabaId: template.wabaId,
    field,
    atMs,
    value: { ...names, ...value },
    holds,
  };
  sim.callbacks.schedule(atMs, update);
}

function rejection(status: TemplateStatus): JsonObject {
  if (status !== 'REJECTED') return {};
  return {
    rejection_info: {
      reason: 'The template does not follow the rules.',
      recommendation: 'Change it and hand it in again.',
    },
  };
}

function info(title: string): JsonObject {
  return { other_info: { title, description: `The template changed because of its quality: ${title}.` } };
}

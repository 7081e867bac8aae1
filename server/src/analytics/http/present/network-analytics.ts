import type { TemplateFigures } from '#analytics/actions/template-figures';
import type { ButtonClicks } from '#analytics/domain/network-figures';
import type { Period } from '#core/calendar';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

export function presentStep({ startMs, endMs }: Period): JsonObject {
  return { start: formatRfc3339(startMs), end: formatRfc3339(endMs) };
}

export function presentTemplateRow({ ours, ...figures }: TemplateFigures): JsonObject {
  return {
    ...presentStep(figures),
    template: figures.name,
    language: figures.language,
    network_template_id: figures.networkTemplateId,
    sent: figures.sent,
    delivered: figures.delivered,
    read: figures.read,
    clicks: figures.clicks.map(({ type, button, count }) => ({ type, button, count })),
    amount_spent: figures.amountSpent,
    cost_per_delivered: figures.costPerDelivered,
    cost_per_click: figures.costPerClick,
    ours: ours && { sent: ours.sent, delivered: ours.delivered, read: ours.read, replied: ours.replied },
  };
}

/** For a table. */
export function allClicks(clicks: readonly ButtonClicks[]): number {
  return clicks.reduce((sum, { count }) => sum + (count ?? 0), 0);
}

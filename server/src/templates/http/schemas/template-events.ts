import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';
import { type EventDescription, fieldChanges } from '#http/schemas/events/description';
import { named } from '#http/schemas/fields';
import { TemplateView, templateExample } from './template.ts';

const Changed = Type.Intersect(
  [TemplateView, Type.Object({ changes: fieldChanges })],
  named('ChangedTemplate', 'The updated template, and what changed.'),
);

function changed(changes: JsonObject, example: JsonObject = {}): EventDescription {
  return { data: Changed, example: { ...templateExample, ...example, changes } };
}

/** What the events of templates carry: the template as it now is, and what changed about it. */
export const templateEvents: Partial<Record<EventType, EventDescription>> = {
  'template.created': { data: TemplateView, example: templateExample },
  'template.updated': changed({ version: [1, 2] }, { version: 2 }),
  'template.status_changed': changed({ status: ['submitted', 'approved'] }),
  'template.quality_changed': changed({ quality: ['unknown', 'green'] }),
  'template.category_changed': changed({ category: ['utility', 'marketing'] }, { category: 'marketing' }),
  'template.deleted': changed({ status: ['approved', 'deleted'] }, { status: 'deleted', sendable: false }),
};

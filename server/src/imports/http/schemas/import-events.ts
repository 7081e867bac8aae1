import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { ContactImportView, contactImportExample } from './contact-import.ts';

export const importEvents: Partial<Record<EventType, EventDescription>> = {
  'import.completed': { data: ContactImportView, example: contactImportExample },
};

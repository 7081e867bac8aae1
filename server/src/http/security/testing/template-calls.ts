import type { JsonObject } from '#core/json';
import type { CallPlan } from './calls.ts';

/** A template that nobody would review. */
export function draft(name: string): JsonObject {
  return { name, language: 'en', category: 'utility', components: [{ type: 'BODY', text: 'We have moved.' }] };
}

/** An entry of the library without buttons. */
export const fromLibrary: JsonObject = { library_template: 'payment_received', language: 'en_US', name: 'taken' };

/** An account of nobody; one of the tenant's own stands in the table of references. */
const NOBODYS_ACCOUNT = { network_account_id: '999999999999' };

/** Operations about templates. */
export const templateCalls: Readonly<Record<string, CallPlan>> = {
  listTemplates: { status: 200 },
  createTemplate: { json: { ...draft('made'), ...NOBODYS_ACCOUNT }, status: 400 },
  listTemplateLibrary: { status: 200 },
  createTemplateFromLibrary: { json: { ...fromLibrary, ...NOBODYS_ACCOUNT }, status: 400 },
  lintTemplate: { json: draft('checked'), status: 200 },
  syncTemplates: { status: 200 },
  getTemplate: { names: { id: 'template' }, status: 200 },
  updateTemplate: { names: { id: 'template' }, json: { category: 'marketing' }, status: 200 },
  deleteTemplate: { names: { id: 'template' }, status: 200 },
  submitTemplate: { names: { id: 'template' }, status: 200 },
  previewTemplate: { names: { id: 'template' }, json: {}, status: 200 },
  listTemplateHistory: { names: { id: 'template' }, status: 200 },
};

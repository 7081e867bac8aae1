import { selectFields } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import type { Template } from './template-store.ts';

const DEFAULT_FIELDS = 'name,parameter_format,components,language,status,category,id';

/** The node of a template with the members that `fields` asks for. */
export function presentTemplate(template: Template, fields: unknown): JsonObject {
  const { definition } = template;
  const node: JsonObject = {
    name: template.name,
    parameter_format: definition.parameterFormat,
    components: definition.components,
    language: template.language,
    status: template.status,
    category: definition.category,
    ...(template.previousCategory === null ? {} : { previous_category: template.previousCategory }),
    quality_score: { score: template.score, date: Math.floor(template.scoredAtMs / 1000) },
    rejected_reason: template.reason,
    ...(definition.ttlSeconds === null ? {} : { message_send_ttl_seconds: definition.ttlSeconds }),
    ...(typeof template.library === 'string' ? { library_template_name: template.library } : {}),
    id: template.id,
  };
  return selectFields(node, typeof fields === 'string' && fields !== '' ? fields : DEFAULT_FIELDS);
}

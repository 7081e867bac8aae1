import type { Segment } from '#contacts/store/segments';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

export function presentSegment(segment: Segment): JsonObject {
  return {
    id: segment.segmentId,
    name: segment.name,
    when: segment.condition,
    count: segment.contactCount,
    evaluated_at: segment.evaluatedMs === null ? null : formatRfc3339(segment.evaluatedMs),
    version: segment.version,
    created_at: formatRfc3339(segment.createdMs),
    updated_at: formatRfc3339(segment.updatedMs),
  };
}

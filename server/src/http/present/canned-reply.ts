import type { JsonObject } from '#core/json';
import type { CannedReply } from '#storage/canned-replies';
import { formatRfc3339 } from '../validation/rfc3339.ts';

export function presentCannedReply({
  replyId,
  shortcut,
  text,
  version,
  createdMs,
  updatedMs,
}: CannedReply): JsonObject {
  const times = { created_at: formatRfc3339(createdMs), updated_at: formatRfc3339(updatedMs) };
  return { id: replyId, shortcut, text, version, ...times };
}

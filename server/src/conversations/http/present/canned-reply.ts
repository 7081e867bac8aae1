import type { CannedReply } from '#conversations/store/canned-replies';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

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

import type { ReportScope } from '#analytics/store/analytics-reads';
import type { SumQuery } from '#analytics/store/analytics-sums';
import {
  type ConversationScope,
  type Histograms,
  readConversationTotals,
  readHistograms,
} from '#analytics/store/conversation-analytics-reads';
import type { ConversationCounts, ConversationDimension } from '#conversations/domain/conversation-tally';
import type { Database } from '#database/database';

/** How many conversations, and how long they took. */
export interface ConversationFigures {
  readonly counts: ConversationCounts;
  /** Null: nothing took any time. */
  readonly histograms: Histograms | null;
}

/** The conversations that a report of messages is about too; null: no conversation has a type, a template or a campaign. */
export function conversationScopeOf({ dimension, key }: ReportScope): ConversationScope | null {
  return dimension === 'all' || dimension === 'number' ? { dimension, key } : null;
}

/** What a report says of conversations. */
export async function readConversationFigures(
  db: Database,
  { tenantId, scope, period }: SumQuery<ConversationDimension>,
): Promise<ConversationFigures> {
  const { dimension, key } = scope;
  const [counts, histograms] = await Promise.all([
    readConversationTotals(db, { tenantId, scope, period }),
    readHistograms(db, { tenantId, dimension, keys: [key], period }),
  ]);
  return { counts, histograms: histograms.get(key) ?? null };
}

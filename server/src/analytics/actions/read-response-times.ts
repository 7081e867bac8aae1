import { type AgentBrief, findNames, listAgentBriefs } from '#analytics/store/analytics-names';
import {
  readConversationBreakdown,
  readConversationTotals,
  readHistograms,
} from '#analytics/store/conversation-analytics-reads';
import {
  type ConversationCounts,
  type ConversationDimension,
  NO_CONVERSATIONS,
} from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { ConversationFigures } from './conversation-figures.ts';
import { readWritten } from './read-authors.ts';

/** Keys of one answer: those with most of everything. */
const MAX_KEYS = 200;

export interface ConversationInput {
  readonly tenantId: TenantId;
  readonly period: Period;
  readonly dimension: ConversationDimension;
  /** Null: all keys of the dimension. */
  readonly key: string | null;
}

export interface ResponseTimes {
  readonly key: string;
  readonly name: string | null;
  readonly figures: ConversationFigures;
}

/** Conversations of one key, or of each key of a dimension. */
export async function readResponseTimes(db: Database, wish: ConversationInput): Promise<readonly ResponseTimes[]> {
  const counted = await readCounted(db, wish);
  const { tenantId, dimension } = wish;
  const keys = counted.map(({ key }) => key);
  const hasNames = dimension === 'agent' || dimension === 'team';
  const [names, histograms] = await Promise.all([
    hasNames ? findNames(db, tenantId, dimension, keys) : new Map<string, string>(),
    readHistograms(db, { ...wish, keys }),
  ]);
  return counted.map(({ key, counts }) => ({
    key,
    name: names.get(key) ?? null,
    figures: { counts, histograms: histograms.get(key) ?? null },
  }));
}

async function readCounted(
  db: Database,
  { tenantId, period, dimension, key }: ConversationInput,
): ReturnType<typeof readConversationBreakdown> {
  if (key === null) return readConversationBreakdown(db, { tenantId, period, dimension, limit: MAX_KEYS });
  const counts = await readConversationTotals(db, { tenantId, period, scope: { dimension, key } });
  return [{ key, counts }];
}

export interface AgentFigures {
  readonly agentId: string;
  /** Null: the agent was removed. */
  readonly agent: AgentBrief | null;
  readonly figures: ConversationFigures;
  /** Messages that the agent wrote, also outside of conversations. */
  readonly written: number;
}

/** Agents of one answer. */
export const MAX_AGENTS = 500;

/** What agents did in a time: those who did most first, then those who did nothing. */
export async function readAgentFigures(
  db: Database,
  { tenantId, period }: { readonly tenantId: TenantId; readonly period: Period },
): Promise<readonly AgentFigures[]> {
  const [counted, briefs, written] = await Promise.all([
    readConversationBreakdown(db, { tenantId, period, dimension: 'agent', limit: MAX_AGENTS }),
    listAgentBriefs(db, tenantId, MAX_AGENTS),
    readWritten(db, { tenantId, period }),
  ]);
  const counts = new Map<string, ConversationCounts>(counted.map((row) => [row.key, row.counts]));
  const agents = new Map<string, AgentBrief>(briefs.map((brief) => [brief.agentId, brief]));
  const keys = [...counts.keys()];
  const histograms = await readHistograms(db, { tenantId, period, dimension: 'agent', keys });
  return [...new Set([...keys, ...agents.keys()])].slice(0, MAX_AGENTS).map((agentId) => ({
    agentId,
    agent: agents.get(agentId) ?? null,
    figures: { counts: counts.get(agentId) ?? NO_CONVERSATIONS, histograms: histograms.get(agentId) ?? null },
    written: written.get(agentId) ?? 0,
  }));
}

import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import type { Flow } from '#flows/domain/flow';
import { answerColumns, answerHeader, answerRow, type FlowAnswer, MAX_ANSWER_COLUMNS } from '#flows/domain/flow-answer';
import { listFlowAnswers } from '#flows/store/flow-answers';

/** Answers in memory at a time. */
const PORTION = 500;

/**
 * The answers of a flow as a table, newest first, read as fast as it is taken. Forms change, so the columns are known only when all
 * answers were seen: they are read twice. What arrives in between is left out, since it may have further fields.
 */
export async function* exportAnswers(db: SqlRunner, tenantId: TenantId, flow: Flow): AsyncIterable<string> {
  const fields = new Set<string>();
  let newestId: string | null = null;
  for await (const portion of portions(db, tenantId, flow)) {
    newestId ??= portion[0]?.messageId ?? null;
    for (const field of answerColumns(portion)) if (fields.size < MAX_ANSWER_COLUMNS) fields.add(field);
  }
  const columns = [...fields];
  yield answerHeader(columns);
  if (newestId === null) return;
  const untilId: string = newestId;
  for await (const portion of portions(db, tenantId, flow)) {
    const seen = portion.filter(({ messageId }) => messageId <= untilId);
    yield seen.map((answer) => answerRow(answer, columns)).join('');
  }
}

/** A walk of the messages by id: the last portion costs what the first does. */
async function* portions(db: SqlRunner, tenantId: TenantId, flow: Flow): AsyncIterable<readonly FlowAnswer[]> {
  let beforeId: string | null = null;
  for (;;) {
    const window = { limit: PORTION, offset: 0, beforeId };
    const page: Awaited<ReturnType<typeof listFlowAnswers>> = await listFlowAnswers(db, tenantId, flow, window);
    if (page.items.length > 0) yield page.items;
    if (!page.hasMore) return;
    beforeId = page.items.at(-1)?.messageId ?? null;
  }
}

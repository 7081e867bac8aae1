import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { conversationFields } from '#conversations/domain/conversation-fields';
import type { Condition } from '#core/conditions/condition';
import { type ParsedCondition, parseCondition } from '#core/conditions/parse-condition';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';

/** Where a condition stands in a request, and what it says. */
export interface WrittenCondition {
  readonly input: unknown;
  readonly path: string;
}

/**
 * A condition about the conversations of a tenant and their contacts.
 * @throws ApiProblem validation_failed with every fault
 */
export async function readConversationCondition(
  db: SqlRunner,
  tenantId: TenantId,
  written: WrittenCondition,
): Promise<Condition> {
  const [parsed] = await parseConversationConditions(db, tenantId, [written]);
  if (parsed?.ok) return parsed.condition;
  const details = parsed?.faults ?? [];
  throw new ApiProblem('validation_failed', {
    sentence: details[0]?.message ?? 'The condition is not valid.',
    details,
  });
}

/** Parses several, in their order, with one look at the attributes of the tenant. */
export async function parseConversationConditions(
  db: SqlRunner,
  tenantId: TenantId,
  written: readonly WrittenCondition[],
): Promise<readonly ParsedCondition[]> {
  const fields = conversationFields(await findAttributeTypes(db, tenantId));
  return written.map(({ input, path }) => parseCondition(input, { path, fields }));
}

import { CliError, EXIT } from '#cli/exit';
import { isUuid, type TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import { readDeadLetters } from '#maintenance/actions/read-for-operator';
import { requeueDeadLetters } from '#messages/actions/requeue-dead-letters';
import { type DeadLetter, listDeadLetters } from '#messages/store/dead-letters';
import type { OperatorCommand, OperatorDeps } from './command.ts';
import { optionalText, optionalWhole, tenantOf, textsOf, timeText } from './input.ts';

const MAX_LETTERS = 1000;
const DEFAULT_LETTERS = 50;

export const listDeadLettersCommand: OperatorCommand = async ({ rt, db }, input) => {
  const limit = optionalWhole(input, 'limit', { min: 1, max: MAX_LETTERS }) ?? DEFAULT_LETTERS;
  const letters = await readDeadLetters(rt, db, await tenantOf(db, input), limit);
  return { data: letters.map(presentLetter) };
};

/**
 * Queues failed messages again: those named, or up to 1000 of a code (`all` without a code: of any).
 * The dispatcher finds them with its next poll.
 */
export const requeueDeadLettersCommand: OperatorCommand = async (deps, input) => {
  const tenantId = await tenantOf(deps.db, input);
  const named = textsOf(input, 'ids');
  const ids = input.all === true ? await idsOfCode(deps, tenantId, optionalText(input, 'code')) : named;
  const wrong = ids.find((id) => !isUuid(id));
  if (wrong !== undefined) throw new CliError(EXIT.usage, `"${wrong}" is not a message id.`);
  if (ids.length === 0 && input.all !== true)
    throw new CliError(EXIT.usage, 'Name messages, or take all of them with --all.');
  const requeued = await requeueDeadLetters(deps.rt, deps.db, { tenantId, messageIds: ids });
  if (requeued.length === 0 && named.length > 0)
    throw new OperatorError('None of these is a failed message of this tenant.');
  return { requeued: requeued.length, skipped: ids.length - requeued.length, ids: requeued };
};

async function idsOfCode({ db }: OperatorDeps, tenantId: TenantId, code: string | null): Promise<readonly string[]> {
  const letters = await listDeadLetters(db, tenantId, MAX_LETTERS);
  return letters.filter((letter) => code === null || letter.code === code).map((letter) => letter.messageId);
}

function presentLetter({ messageId, to, code, reason, deadMs }: DeadLetter): JsonObject {
  return { id: messageId, to, code, reason, failed_at: timeText(deadMs) };
}

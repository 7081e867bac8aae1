import { CliError, EXIT } from '#cli/exit';
import { parseWhole } from '#cli/options';
import { countOf, line, shortTime, table } from '#cli/output';
import { isUuid, type TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import { readDeadLetters } from '#maintenance/actions/read-for-operator';
import { requeueDeadLetters } from '#messages/actions/requeue-dead-letters';
import { listDeadLetters } from '#messages/store/dead-letters';
import { type OperatorDeps, type OperatorGroup, TENANT } from './command.ts';
import { optionalText, optionalWhole, tenantOf, textsOf, timeText } from './input.ts';

const MAX_LETTERS = 1000;
const DEFAULT_LETTERS = 50;

export const deadLetterCommands: OperatorGroup = {
  name: 'dead-letters',
  description: 'list failed messages and queue them again',
  examples: `
Examples:
  postrider dead-letters list --limit 100
  postrider dead-letters requeue 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01
  postrider dead-letters requeue --all --code network_unavailable`,
  commands: {
    list: {
      description: 'list failed messages of a tenant, newest first',
      options: {
        tenant: TENANT,
        limit: ['--limit <n>', 'maximum number of lines, up to 1000; default: 50', parseWhole],
      },
      work: async ({ rt, db }, input) => {
        const limit = optionalWhole(input, 'limit', { min: 1, max: MAX_LETTERS }) ?? DEFAULT_LETTERS;
        const letters = await readDeadLetters(rt, db, await tenantOf(db, input), limit);
        return {
          data: letters.map(({ messageId: id, to, code, reason, deadMs }) => {
            return { id, to, code, reason, failed_at: timeText(deadMs) };
          }),
        };
      },
      show: table('No message of this tenant has failed.', [
        { title: 'ID', value: (row) => row.id },
        { title: 'FAILED (UTC)', value: (row) => shortTime(row.failed_at).slice(5) },
        { title: 'TO', value: (row) => row.to },
        { title: 'CODE', value: (row) => row.code },
        { title: 'REASON', value: (row) => row.reason, flexible: true },
      ]),
    },
    /**
     * Queues failed messages again: those named, or up to 1000 of a code (`all` without a code: of any).
     * The dispatcher finds them with its next poll.
     */
    requeue: {
      description: 'queue failed messages again, with a fresh validity period',
      arguments: { ids: ['[id...]', 'messages'] },
      options: {
        all: ['--all', 'up to 1000 failed messages instead of the given ones'],
        code: ['--code <code>', 'with --all: only messages that failed with this code'],
        tenant: TENANT,
      },
      work: async (deps, input) => {
        const tenantId = await tenantOf(deps.db, input);
        const named = textsOf(input, 'ids');
        const ids = input.all === true ? await idsOfCode(deps, tenantId, optionalText(input, 'code')) : named;
        const wrong = ids.find((id) => !isUuid(id));
        if (wrong !== undefined) throw new CliError(EXIT.usage, `"${wrong}" is not a message id.`);
        if (ids.length === 0 && input.all !== true) throw new CliError(EXIT.usage, 'Name messages, or use --all.');
        const requeued = await requeueDeadLetters(deps.rt, deps.db, { tenantId, messageIds: ids });
        if (requeued.length === 0 && named.length > 0)
          throw new OperatorError('None of these are failed messages of this tenant.');
        return { requeued: requeued.length, skipped: ids.length - requeued.length, ids: requeued };
      },
      show: line(({ requeued, skipped }) => {
        const rest = skipped === 0 ? '' : ` Skipped ${skipped}: not a failed message of this tenant.`;
        return `Queued ${countOf(requeued, 'message')} again.${rest}`;
      }),
    },
  },
};

async function idsOfCode({ db }: OperatorDeps, tenantId: TenantId, code: string | null): Promise<readonly string[]> {
  const letters = await listDeadLetters(db, tenantId, MAX_LETTERS);
  return letters.filter((letter) => code === null || letter.code === code).map((letter) => letter.messageId);
}

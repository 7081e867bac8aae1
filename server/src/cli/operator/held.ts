import { countOf, line, shortTime, table } from '#cli/output';
import { holdByHand } from '#maintenance/actions/keep-history';
import { readHeld } from '#maintenance/actions/read-for-operator';
import { releaseMessages } from '#messages/actions/release-held';
import type { OperatorGroup } from './command.ts';
import { tenantIfNamed, timeText } from './input.ts';

export const heldCommands: OperatorGroup = {
  name: 'held',
  description: 'messages that may have been sent before the database was restored',
  examples: `
Examples:
  postrider held list
  postrider held release                     settles them as each tenant has configured for unknown outcomes
  postrider held release --unsent            after a planned move: nothing was sent since the backup
  postrider held begin                       after a restore that the service could not detect`,
  commands: {
    list: {
      description: 'count held messages by tenant',
      work: async ({ rt, db }) => ({
        data: (await readHeld(rt, db)).map(({ tenantId, messages, firstExpiresMs }) => {
          return { tenant_id: tenantId, messages, first_expires_at: timeText(firstExpiresMs) };
        }),
      }),
      show: table('No messages are held.', [
        { title: 'TENANT', value: (row) => row.tenant_id },
        { title: 'MESSAGES', value: (row) => row.messages },
        { title: 'FIRST EXPIRES (UTC)', value: (row) => shortTime(row.first_expires_at) },
      ]),
    },
    release: {
      description: 'release held messages',
      options: {
        tenant: ['--tenant <id|name>', 'only this tenant'],
        unsent: ['--unsent', 'nothing was sent since the backup: send messages that were ready, without marking them'],
      },
      work: async ({ rt, db }, input) => {
        const tenantId = await tenantIfNamed(db, input);
        return { released: await releaseMessages(rt, db, { tenantId, unsent: input.unsent === true }) };
      },
      show: line(({ released }) => `Released ${countOf(released, 'message')}.`),
    },
    /** Holds what may have been sent, for a restore that nothing shows. */
    begin: {
      description: 'hold everything that is due, as after a restore',
      work: async ({ rt, db }) => ({ held: await holdByHand(rt, db) }),
      show: line(({ held }) => `Holding ${countOf(held, 'message')}.`),
    },
  },
};

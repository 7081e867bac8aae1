import { allFields } from '#cli/output';
import { OperatorError } from '#core/operator-error';
import { rotateTokens } from '#maintenance/actions/rotate-tokens';
import { openKeyring } from '#runtime/keyring';
import type { OperatorGroup } from './command.ts';

export const tokenCommands: OperatorGroup = {
  name: 'tokens',
  description: 'manage encrypted access tokens and secrets',
  examples: `
Access tokens of linked accounts, webhook secrets and the secrets of authenticator apps are encrypted with the first key in MESSAGING_ENCRYPTION_KEY.
To rotate it, put a new key before the old one, restart every process, run this command, and remove the old key.
If the setting is empty, the command creates a new key in the data folder.

Examples:
  postrider tokens rotate-key
  postrider tokens rotate-key -o json`,
  commands: {
    'rotate-key': {
      description: 'encrypt every token and webhook secret with the newest key',
      work: async ({ rt, db }) => {
        const { keyId, rotated, unreadable } = await rotateTokens(rt, db, openKeyring(rt.config));
        if (keyId === null) throw new OperatorError('There is no key. Set MESSAGING_ENCRYPTION_KEY first.');
        return { key_id: keyId, rotated, unreadable };
      },
      show: allFields,
    },
  },
};

import { OperatorError } from '#core/operator-error';
import { rotateTokens } from '#maintenance/actions/rotate-tokens';
import { openKeyring } from '#runtime/keyring';
import type { OperatorCommand } from './command.ts';

export const rotateTokenKeyCommand: OperatorCommand = async ({ rt, db }) => {
  const { keyId, rotated, unreadable } = await rotateTokens(rt, db, openKeyring(rt.config));
  if (keyId === null) throw new OperatorError('There is no key: set MESSAGING_ENCRYPTION_KEY first.');
  return { key_id: keyId, rotated, unreadable };
};

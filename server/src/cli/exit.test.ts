import { expect, test } from 'vitest';
import { OperatorError } from '#operations/manage-tenants';
import { ConfigError } from '#runtime/config';
import { StorageUnavailable } from '#storage/database';
import { FolderLocked } from '#storage/folder-lock';
import { CliError, EXIT, explain } from './exit.ts';

const listen = (code: string) =>
  Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen', address: '127.0.0.1', port: 80 });

test.each([
  ['a wrong setting', new ConfigError('PORT=x'), EXIT.usage],
  ['a refused operator command', new OperatorError('no'), EXIT.refused],
  ['a locked data folder', new FolderLocked('in use'), EXIT.unreachable],
  ['a database that is away', new StorageUnavailable('away'), EXIT.unreachable],
  ['a database that rejects the password', Object.assign(new Error('password'), { code: '28P01' }), EXIT.unreachable],
  ['a taken port', listen('EADDRINUSE'), EXIT.failure],
  ['a failure of our own', new CliError(EXIT.refused, 'no'), EXIT.refused],
  ['anything else', new Error('boom'), EXIT.failure],
  ['what is no error at all', 'boom', EXIT.failure],
])('%s has its exit code', (_label, error, exitCode) => expect(explain(error).exitCode).toBe(exitCode));

test.each([
  'EADDRINUSE',
  'EACCES',
  'EADDRNOTAVAIL',
])('%s while listening is explained with the address and the way out', (code) => {
  expect(explain(listen(code)).sentence).toMatch(/^127\.0\.0\.1:80 .*(PORT|HOST)/);
});

test('only the first line of a message is shown', () => {
  expect(explain(new Error('first\n    at stack')).sentence).toBe('first');
});

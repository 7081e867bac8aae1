import { expect, test } from 'vitest';
import { OperatorError } from '#core/operator-error';
import { StorageUnavailable } from '#database/database';
import { FolderLocked } from '#database/folder-lock';
import { asStorageError } from '#database/pg-errors';
import { ConfigError } from '#runtime/config';
import { CliError, EXIT, explainExit } from './exit.ts';

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
])('%s has its exit code', (_label, error, exitCode) => expect(explainExit(error).exitCode).toBe(exitCode));

test.each([
  'EADDRINUSE',
  'EACCES',
  'EADDRNOTAVAIL',
])('%s while listening is explained with the address and the way out', (code) => {
  expect(explainExit(listen(code)).sentence).toMatch(/^127\.0\.0\.1:80 .*(PORT|HOST)/);
});

test.each([
  ['53100', /no space left/],
  ['53300', /no more connections/],
  ['55P03', /another session .* holds a lock/i],
  ['57014', /longer than its time limit/],
])('a database that refuses with %s is not called one that is away', (code, sentence) => {
  const error = asStorageError(Object.assign(new Error('as the server says'), { code }));
  expect(explainExit(error)).toEqual({ exitCode: EXIT.unreachable, sentence: expect.stringMatching(sentence) });
  expect(explainExit(error).sentence).not.toContain('DATABASE_URL');
});

test('only the first line of a message is shown', () => {
  expect(explainExit(new Error('first\n    at stack')).sentence).toBe('first');
});

import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { StorageUnavailable } from './database.ts';
import { asStorageError, faultKind } from './pg-errors.ts';

test.each([
  'EPIPE',
  'ECONNRESET',
  'ETIMEDOUT',
])('a connection that broke with %s is a database that is away, though a code may look like one of PostgreSQL', (code) => {
  const error = Object.assign(new Error(`write ${code}`), { code, errno: -32, syscall: 'write' });
  expect(faultKind(error)).toBe('connection');
  expect(asStorageError(error)).toBeInstanceOf(StorageUnavailable);
});

test('a port on which nobody listens is a database that is away', async () => {
  const error = await new Promise((resolve) => connect({ host: '127.0.0.1', port: 1 }).once('error', resolve));
  expect(faultKind(error)).toBe('connection');
});

test.each([
  ['23505', 'row'],
  ['40P01', 'passing'],
  ['57014', 'passing'],
  ['57P01', 'connection'],
  ['42P01', 'defect'],
])('SQLSTATE %s is told by its class: %s', (code, kind) => {
  expect(faultKind(Object.assign(new Error('it failed'), { code }))).toBe(kind);
});

test.each([
  'failure on connection marked as essential: 10.0.0.7:5432',
  'connection to the remote node postrider@10.0.0.7:5432 failed with the following error: Connection refused',
])('a node of Citus that went away is a database that is away: %s', (message) => {
  expect(faultKind(Object.assign(new Error(message), { code: 'XX000' }))).toBe('connection');
  expect(faultKind(Object.assign(new Error('could not find a block'), { code: 'XX000' }))).toBe('defect');
});

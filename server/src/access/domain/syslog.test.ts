import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import { parseSyslogAddress } from '#core/syslog-address';
import { type AuditEntry, auditActionNames } from './audit.ts';
import { type ChainedEntry, chainedEntryJson } from './audit-chain.ts';
import { syslogMessage } from './syslog.ts';

const entry: AuditEntry = {
  tenantId: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' as TenantId,
  entryId: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f11',
  createdMs: Date.UTC(2030, 0, 3, 8),
  origin: { actor: 'operator', keyId: null, agentId: null, requestId: null, address: null },
  action: 'tenant.suspended',
  targetId: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  details: { reason: 'Unpaid' },
};
const chained: ChainedEntry = { seq: 7, hash: 'ab'.repeat(32), entry };

describe('an entry of the audit log as a syslog message', () => {
  test('has the header of RFC 5424, its action as the message id, and the entry with its tenant as JSON', () => {
    const message = syslogMessage('host-1', chained);
    const [header, json] = [message.slice(0, message.indexOf('{')), message.slice(message.indexOf('{'))];
    expect(header).toBe('<110>1 2030-01-03T08:00:00.000Z host-1 postrider - tenant.suspended - ');
    expect(JSON.parse(json)).toEqual({ tenant_id: entry.tenantId, ...chainedEntryJson(chained) });
  });

  test('is ASCII on one line whatever the details hold, so that nobody can forge a message inside it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (reason) => {
        const message = syslogMessage('host-1', { ...chained, entry: { ...entry, details: { reason } } });
        expect(message).toMatch(/^[ -~]*$/);
        expect(JSON.parse(message.slice(message.indexOf('{'))).details.reason).toBe(reason);
      }),
    );
  });

  test('leaves out details that log servers may not take, and keeps the rest', () => {
    const message = syslogMessage('host-1', {
      ...chained,
      entry: { ...entry, details: { reason: 'x'.repeat(9_000) } },
    });
    expect(message.length).toBeLessThanOrEqual(8_192);
    expect(message).toContain('"details":{"omitted":true}');
    expect(message).toContain(chained.hash);
  });

  test('has an action that fits the 32 characters of a message id', () => {
    for (const action of auditActionNames) expect(action).toMatch(/^[!-~]{1,32}$/);
  });
});

test.each([
  ['tcp://logs.internal:601', { transport: 'tcp', host: 'logs.internal', port: 601 }],
  ['udp://192.0.2.1:514/', { transport: 'udp', host: '192.0.2.1', port: 514 }],
  ['tls://[2001:db8::1]:6514', { transport: 'tls', host: '2001:db8::1', port: 6514 }],
  ['tcp://logs.internal', null],
  ['tcp://logs.internal:0', null],
  ['tcp://logs.internal:70000', null],
  ['http://logs.internal:601', null],
  ['tcp://user@logs.internal:601', null],
  ['logs.internal:601', null],
])('the address %s is read as %j', (text, address) => {
  expect(parseSyslogAddress(text)).toEqual(address);
});

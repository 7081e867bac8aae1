import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import { makeSyslogClient } from '#network/syslog-client';
import { type LogServer, startLogServer } from '#testing/peers/log-server';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';
import { tenantsNamingType } from '#webhooks/store/webhook-endpoints';
import { makeAuditForwarder, REST_MS, type SendToLogServer } from './forward-audit.ts';
import { sealAllAudit } from './seal-audit.ts';

let kit: TestService;
let server: LogServer;
const noLoops = { roles: 'api,receiver' };

beforeAll(async () => {
  kit = await startTestService({ config: noLoops });
});
afterAll(() => kit.close());
beforeEach(async () => {
  server = await startLogServer();
});
afterEach(() => server.close());

interface ForwarderOptions {
  readonly send?: SendToLogServer;
  readonly aheadMs?: () => number;
  readonly deadlineMs?: number;
}

/** Deadline for a log server that hangs at first; still longer than an exchange takes on a busy machine. */
const SHORT_MS = 3_000;

/** A process that forwards, with a clock that can be ahead. */
function forwarder(options: ForwarderOptions = {}) {
  const { aheadMs = () => 0, deadlineMs = 240_000 } = options;
  const { clock } = kit.rt;
  const ahead = { ...clock, now: () => clock.now() + aheadMs(), monotonic: () => clock.monotonic() + aheadMs() };
  const client = makeSyslogClient({ ...kit.rt.config, auditSyslog: server.address }, { deadlineMs });
  if (client === null) throw new Error('No client.');
  const rt = { ...kit.rt, clock: ahead };
  return makeAuditForwarder({ rt, db: kit.service.db, send: options.send ?? client });
}

/** A tenant with this many entries, all sealed. */
async function audited(count: number): Promise<TenantId> {
  const tenant = await makeTestTenant(kit);
  for (let made = 3; made < count; made += 1) await tenant.call('POST', '/v1/api-keys', { name: `k${made}` });
  await sealAllAudit(kit.rt, kit.service.db, tenantsNamingType);
  return tenant.tenantId;
}

async function drain(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

function seqsOf(tenantId: TenantId): readonly number[] {
  const all = server.messages.map((message) => JSON.parse(message.slice(message.indexOf('{'))));
  return all.filter((one) => one.tenant_id === tenantId).map(({ seq }) => seq);
}

describe('forwarding the audit log', () => {
  test('forwards every entry of every tenant once, in the order of its chain, also from two concurrent processes', async () => {
    const tenants = [await audited(5), await audited(7)];
    await Promise.all([drain(forwarder()), drain(forwarder())]);
    await drain(forwarder());
    expect(tenants.map(seqsOf)).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5, 6, 7],
    ]);
  });

  test.each([
    'hangs',
    'closes at once',
  ] as const)('to a log server that %s loses nothing: it continues where that one was', async (way) => {
    const tenantId = await audited(4);
    let aheadMs = 0;
    const step = forwarder({ aheadMs: () => aheadMs, deadlineMs: SHORT_MS });
    server.way = way;
    expect(await step()).toBe(0);
    const tried = server.connections;
    expect(await step()).toBe(0);
    expect(server.connections).toBe(tried);
    server.way = 'takes';
    aheadMs = REST_MS;
    await drain(step);
    expect(seqsOf(tenantId)).toEqual([1, 2, 3, 4]);
  });

  test('is repeated from the same place when its process dies before it has recorded what was taken', async () => {
    const tenantId = await audited(3);
    let dies = (): void => undefined;
    const died = new Promise<void>((resolve) => {
      dies = resolve;
    });
    void forwarder({
      send: () => {
        dies();
        return new Promise(() => undefined);
      },
    })();
    await died;
    await drain(forwarder());
    expect(seqsOf(tenantId)).toEqual([]);
    await drain(forwarder({ aheadMs: () => 60_000 }));
    expect(seqsOf(tenantId)).toEqual([1, 2, 3]);
  });

  test('delays no request and no sealing while the log server hangs', async () => {
    await audited(3);
    server.way = 'hangs';
    const hanging = forwarder({ deadlineMs: SHORT_MS })();
    const tenantId = await audited(4);
    await hanging;
    server.way = 'takes';
    await drain(forwarder());
    expect(seqsOf(tenantId)).toEqual([1, 2, 3, 4]);
  });
});

test('a service with the setting forwards automatically', async () => {
  const own = await startTestService({ config: { auditSyslog: server.address } });
  try {
    const { tenantId } = await makeTestTenant(own);
    await own.until(
      async () => seqsOf(tenantId),
      (seqs) => seqs.length === 3,
      'the entries came',
    );
  } finally {
    await own.close();
  }
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { type Clock, systemClock } from '#runtime/clock';
import { testRuntime } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** Timers that come due while it is frozen run when it thaws, as in a process that was stopped for a while. */
class FreezableClock implements Clock {
  readonly #withheld: (() => void)[] = [];
  #frozen = false;

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  after(ms: number, task: () => void): () => void {
    let canceled = false;
    const run = () => {
      if (!canceled) task();
    };
    const cancel = systemClock.after(ms, () => (this.#frozen ? this.#withheld.push(run) : run()));
    return () => {
      canceled = true;
      cancel();
    };
  }

  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
    for (const run of this.#withheld.splice(0)) run();
  }
}

const LANES = 16;
const PER_LANE = 5;

// The embedded database allows one process: there is nothing to share there.
describe('two processes on one PostgreSQL', () => {
  const clock = new FreezableClock();
  let kit: TestService;
  let second: Service;
  let firstId: string;
  let tenants: TestTenant[];

  beforeAll(async () => {
    kit = await startTestService();
    firstId = [...(await lanesByOwner()).keys()][0] ?? '';
    second = await startService(testRuntime({ ...kit.rt.config, port: 0 }, clock));
    tenants = await Promise.all(Array.from({ length: LANES }, () => makeTestTenant(kit, { ratePerSecond: 0 })));
  });
  afterAll(async () => {
    clock.thaw();
    await second.close();
    await kit.close();
  });

  /** Numbers by the dispatcher that owns them; '' for none. */
  async function lanesByOwner(): Promise<ReadonlyMap<string, readonly string[]>> {
    const text = "select coalesce(owner_id::text, '') as owner, lane_id as phone_number_id from lane_owners";
    const { rows } = await kit.service.db.run<{ owner: string; phone_number_id: string }>(
      { name: 'test_lanes', text },
      [],
    );
    const owners = new Map<string, string[]>();
    for (const row of rows) owners.set(row.owner, [...(owners.get(row.owner) ?? []), row.phone_number_id]);
    return owners;
  }

  async function ownersOtherThan(id: string): Promise<readonly string[]> {
    return [...(await lanesByOwner()).keys()].filter((owner) => owner !== id);
  }

  async function untilShared(): Promise<void> {
    const shared = (owners: ReadonlyMap<string, unknown>) =>
      owners.size === 2 && !owners.has('') && owners.has(firstId);
    await kit.until(lanesByOwner, shared, 'both own lanes');
  }

  async function sendEverywhere(): Promise<void> {
    await Promise.all(tenants.flatMap((tenant) => Array.from({ length: PER_LANE }, () => tenant.send(freshPhone()))));
  }

  async function expectEachOnce(perLane: number): Promise<void> {
    for (const tenant of tenants) {
      const entries = await kit.until(
        () => tenant.ledger(),
        (list) => list.length >= perLane,
        'its messages are sent',
      );
      const ids = entries.map((entry) => entry.biz_opaque_callback_data.split('.')[0]);
      expect(ids.length).toBe(perLane);
      expect(new Set(ids).size).toBe(perLane);
    }
  }

  test('share the lanes, and each message is sent once', async () => {
    await untilShared();
    await sendEverywhere();
    await expectEachOnce(PER_LANE);
  });

  test('lanes of a frozen one are sent by the other; thawed, it sends nothing twice and takes its share again', async () => {
    await untilShared();
    clock.freeze();
    await kit.until(
      () => ownersOtherThan(firstId),
      (others) => others.length === 0,
      'one owns all lanes',
    );
    await sendEverywhere();
    await expectEachOnce(2 * PER_LANE);
    clock.thaw();
    await sendEverywhere();
    await untilShared();
    await sendEverywhere();
    await expectEachOnce(4 * PER_LANE);
  });

  test('one that stops in order gives its lanes back, and the other sends what waits in them', async () => {
    await untilShared();
    await sendEverywhere();
    const [secondId = ''] = await ownersOtherThan(firstId);
    await second.close();
    expect([...(await lanesByOwner()).keys()]).not.toContain(secondId);
    await kit.until(
      () => ownersOtherThan(firstId),
      (others) => others.length === 0,
      'one owns all lanes',
    );
    await expectEachOnce(5 * PER_LANE);
    second = await startService(testRuntime({ ...kit.rt.config, port: 0 }, clock));
  });
});

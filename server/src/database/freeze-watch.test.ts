import { describe, expect, test } from 'vitest';
import { silentLog } from '#runtime/log';
import { TestClock } from '#testing/test-runtime';
import { FreezeWatch } from './freeze-watch.ts';

/** A server as the watch sees it. */
function watchedServer() {
  const clock = new TestClock();
  const server = { busy: 0, bytesRead: 0, broken: 0, probes: 0, answers: true };
  const watch = new FreezeWatch({
    clock,
    log: silentLog,
    watched: () => ({
      ...server,
      breakAll: () => {
        server.broken += 1;
      },
    }),
    probe: async () => {
      server.probes += 1;
      return server.answers;
    },
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { server, watch, pass };
}

describe('a server', () => {
  test('that nobody waits for is not probed', async () => {
    const { server, pass } = watchedServer();
    await pass(60_000);
    expect(server.probes).toBe(0);
  });

  test('that answers somebody all the time is not probed', async () => {
    const { server, pass } = watchedServer();
    server.busy = 3;
    for (let second = 0; second < 60; second += 1) {
      server.bytesRead += 1;
      await pass(1_000);
    }
    expect(server.probes).toBe(0);
  });

  test('that works on one slow statement and answers the probe is left alone', async () => {
    const { server, watch, pass } = watchedServer();
    server.busy = 1;
    await pass(60_000);
    expect(server.probes).toBeGreaterThan(10);
    expect([watch.isFrozen, server.broken]).toEqual([false, 0]);
  });

  test('that is silent while somebody waits, also to the probe, is frozen, and its connections are broken once', async () => {
    const { server, watch, pass } = watchedServer();
    Object.assign(server, { busy: 1, answers: false });
    await pass(10_000);
    expect([watch.isFrozen, server.broken]).toEqual([true, 1]);
  });

  test('that answers again is asked again', async () => {
    const { server, watch, pass } = watchedServer();
    Object.assign(server, { busy: 1, answers: false });
    await pass(10_000);
    Object.assign(server, { busy: 0, answers: true });
    await pass(500);
    expect(watch.isFrozen).toBe(false);
  });

  test('whose answer was read while the probe was under way is not frozen', async () => {
    const { server, watch, pass } = watchedServer();
    Object.assign(server, { busy: 1, answers: false });
    await pass(1_500);
    const before = server.probes;
    Object.defineProperty(server, 'probes', {
      get: () => before,
      set: () => {
        server.bytesRead += 1;
      },
    });
    await pass(10_000);
    expect([watch.isFrozen, server.broken]).toEqual([false, 0]);
  });
});

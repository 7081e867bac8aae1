import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventId } from '../../server/src/events/domain/event.ts';
import { addConversations } from '../../server/src/testing/test-agents.ts';
import { recordEvents } from '../../server/src/testing/test-events.ts';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { makeTestTenant, type TestTenant } from '../../server/src/testing/test-tenant.ts';
import {
  AuthenticationError,
  CursorExpiredError,
  type Event,
  type LiveSignal,
  Postrider,
  type StreamOptions,
} from './index.ts';
import { type CuttingProxy, startCuttingProxy } from './testing/cutting-proxy.ts';
import { startRestartableService } from './testing/restartable-service.ts';

let kit: TestService;
let proxy: CuttingProxy;
beforeAll(async () => {
  kit = await startTestService();
  proxy = await startCuttingProxy(kit.service.url);
});
afterAll(async () => {
  await proxy.close();
  await kit.close();
});

async function fresh(): Promise<{ tenant: TestTenant; pr: Postrider }> {
  const tenant = await makeTestTenant(kit);
  return { tenant, pr: new Postrider({ apiKey: tenant.key, baseUrl: proxy.url }) };
}

const record = (tenant: TestTenant, ...bodies: string[]) =>
  recordEvents(
    kit,
    tenant.tenantId,
    bodies.map((body) => ({ data: { body } })),
  );
const bodyOf = (event: Event) => (event.type === 'message.received' ? event.data.body : undefined);

/** Follows a stream until it has this many events; `each` runs after every one. */
async function follow(
  pr: Postrider,
  count: number,
  options: StreamOptions,
  each: (seen: number) => Promise<void> | void = () => undefined,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const event of pr.events.stream(options)) {
    events.push(event);
    await each(events.length);
    if (events.length === count) break;
  }
  return events;
}

/** Resolves with the first place that a stream hands out: it is open then. */
function opening(): { readonly onCursor: (cursor: string) => void; readonly opened: Promise<string> } {
  let onCursor: (cursor: string) => void = () => undefined;
  const opened = new Promise<string>((resolve) => {
    onCursor = resolve;
  });
  return { onCursor, opened };
}

describe('a stream of events', () => {
  test('gives what happens from now on, in order', async () => {
    const { tenant, pr } = await fresh();
    await record(tenant, 'before');
    const { onCursor, opened } = opening();
    const following = follow(pr, 3, { onCursor });
    await opened;
    await record(tenant, 'a', 'b', 'c');
    expect((await following).map(bodyOf)).toEqual(['a', 'b', 'c']);
  });

  test('gives only the types that are asked for', async () => {
    const { tenant, pr } = await fresh();
    const { onCursor, opened } = opening();
    const following = follow(pr, 1, { onCursor, types: ['team.created'] });
    await opened;
    await record(tenant, 'a');
    await pr.teams.create({ name: 'Support' });
    expect(await following).toMatchObject([{ type: 'team.created', data: { name: 'Support' } }]);
  });

  test('hands out a cursor after each event that was worked on; another stream continues there', async () => {
    const { tenant, pr } = await fresh();
    const { onCursor, opened } = opening();
    const cursors: string[] = [];
    const note = (cursor: string) => {
      cursors.push(cursor);
      onCursor(cursor);
    };
    const following = follow(pr, 2, { onCursor: note });
    const start = await opened;
    await record(tenant, 'a', 'b', 'c');
    const [first] = await following;
    // Left while it worked on the second, so only the first is behind it.
    expect(cursors).toEqual([start, first?.id]);
    const rest = await follow(pr, 2, { after: cursors.at(-1) });
    expect(rest.map(bodyOf)).toEqual(['b', 'c']);
  });

  test('has no gap and no double when its connection breaks again and again', async () => {
    const { tenant, pr } = await fresh();
    const { onCursor, opened } = opening();
    const states: string[] = [];
    const bodies = Array.from({ length: 8 }, (_, index) => `event ${index}`);
    const following = follow(pr, bodies.length, { onCursor, onState: (state) => states.push(state) }, async (seen) => {
      if (seen % 3 === 0) proxy.cutAll();
      if (seen < bodies.length) await record(tenant, bodies[seen] ?? '');
    });
    await opened;
    await record(tenant, bodies[0] ?? '');
    expect((await following).map(bodyOf)).toEqual(bodies);
    expect(states).toEqual(['open', 'reconnecting', 'open', 'reconnecting', 'open']);
  });

  test('misses nothing that happens before the first event of a connection that broke', async () => {
    const { tenant, pr } = await fresh();
    const { onCursor, opened } = opening();
    const following = follow(pr, 1, { onCursor });
    await opened;
    proxy.cutAll();
    await record(tenant, 'while it was away');
    expect((await following).map(bodyOf)).toEqual(['while it was away']);
  });

  test('hands out what is neither numbered nor stored to whoever listens for it', async () => {
    const { tenant, pr } = await fresh();
    const agent = await pr.agents.create({ name: 'Ben' });
    const [id = ''] = await addConversations(kit.rt, kit.service.db, tenant.tenantId, [{}]);
    const signals: unknown[] = [];
    const { onCursor, opened } = opening();
    let heard: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const onSignal = (signal: LiveSignal) => {
      signals.push(signal);
      heard();
    };
    const following = follow(pr, 1, { onCursor, onSignal, types: ['team.created'] });
    await opened;
    await pr.conversations.setSignal(id, { viewing: true, writing: false }, { agentId: agent.id });
    await arrived;
    await pr.teams.create({ name: 'Support' });
    await following;
    const data = { conversation_id: id, agent_id: agent.id, viewing: true, writing: false };
    expect(signals).toEqual([{ type: 'signal', data }]);
  });

  test('says in a class of its own that a cursor is too old', async () => {
    const { tenant, pr } = await fresh();
    await record(tenant, 'kept');
    // As after a database was restored from a backup that did not have it yet.
    const lost = eventId(tenant.tenantId, 2, kit.rt.clock.now() - 1);
    const error = await follow(pr, 1, { after: lost }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(CursorExpiredError);
  });

  test('ends with an error when its key does not work, and without one when its signal is aborted', async () => {
    const wrong = new Postrider({ apiKey: 'pr_live_wrong', baseUrl: kit.service.url });
    await expect(follow(wrong, 1, {})).rejects.toBeInstanceOf(AuthenticationError);
    const { pr } = await fresh();
    const controller = new AbortController();
    const { onCursor, opened } = opening();
    const following = follow(pr, 1, { onCursor, signal: controller.signal });
    await opened;
    controller.abort();
    expect(await following).toEqual([]);
  });

  test('passes on what an observer of cursors throws', async () => {
    const { pr } = await fresh();
    const failing = follow(pr, 1, {
      onCursor: () => {
        throw new Error('The disk is full.');
      },
    });
    await expect(failing).rejects.toThrow('The disk is full.');
  });
});

describe('a restart of the service', () => {
  test('leaves neither a gap nor a double in a stream', async () => {
    const service = await startRestartableService();
    const pr = new Postrider({ apiKey: service.key, baseUrl: service.url });
    const { onCursor, opened } = opening();
    const following = follow(pr, 4, { onCursor, types: ['team.created'] });
    await opened;
    for (const name of ['a', 'b']) await pr.teams.create({ name });
    await service.stop();
    await service.start();
    for (const name of ['c', 'd']) await pr.teams.create({ name });
    const events = await following;
    expect(events.map((event) => event.type === 'team.created' && event.data.name)).toEqual(['a', 'b', 'c', 'd']);
    await service.close();
  });
});

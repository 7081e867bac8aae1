import type { AgentId, ConversationId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import type { Announcement, SignalHub } from './signal-hub.ts';

const CHANNEL = 'postrider_signals';
/** At most 20 notifications a second and process, as for events. */
const COALESCE_MS = 50;
/** A notification carries at most 8,000 bytes, and an announcement takes 114. The rest leaves with the next. */
const MAX_PER_NOTICE = 65;
const MAX_WAITING_PER_TENANT = 2_000;

/**
 * Carries signals to other processes by a coalesced NOTIFY, and theirs to this one. What is lost while the line is down is
 * there again when clients renew their signals. Tenants take turns, so the storm of one holds up nobody else.
 * @returns closes the line
 */
export async function openSignalLine(rt: Runtime, db: Database, hub: SignalHub): Promise<() => Promise<void>> {
  // The embedded database has one process.
  if (db.kind === 'pglite') return async () => undefined;
  const sender = rt.newId<string>();
  const waiting = new Map<TenantId, Map<string, Announcement>>();
  let cancel: (() => void) | null = null;
  const send = (): void => {
    const notice = takeTurns(waiting, MAX_PER_NOTICE).map(encode).join('\n');
    cancel = waiting.size > 0 ? rt.clock.after(COALESCE_MS, send) : null;
    db.notify(CHANNEL, `${sender}\n${notice}`).catch((error: Error) =>
      rt.log.debug({ error: error.message }, 'signal_line.failed'),
    );
  };
  const unlisten = await db.listen(CHANNEL, (payload) => {
    const [from, ...lines] = payload.split('\n');
    if (from !== sender) for (const line of lines) receive(hub, line);
  });
  const stop = hub.listen((announcement, origin) => {
    if (origin === 'elsewhere') return;
    const { tenantId, agentId } = announcement;
    const own = waiting.get(tenantId) ?? new Map<string, Announcement>();
    waiting.set(tenantId, own);
    // What finds no room is renewed by its client, or ends by itself.
    if (own.size >= MAX_WAITING_PER_TENANT) return;
    own.set(announcement.kind === 'signal' ? `${announcement.conversationId} ${agentId}` : agentId, announcement);
    cancel ??= rt.clock.after(COALESCE_MS, send);
  });
  return async () => {
    stop();
    cancel?.();
    await unlisten?.();
  };
}

/** Takes out one of each tenant after the other, as long as there are any. */
export function takeTurns<T>(waiting: Map<TenantId, Map<string, T>>, most: number): readonly T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const [tenantId, own] = first(waiting) ?? [];
    if (tenantId === undefined || own === undefined) break;
    const [key, one] = first(own) ?? [];
    if (key !== undefined && one !== undefined) taken.push(one);
    own.delete(key ?? '');
    // Behind the others, who come first in the next notice, too.
    waiting.delete(tenantId);
    if (own.size > 0) waiting.set(tenantId, own);
  }
  return taken;
}

function first<K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | undefined {
  return map.entries().next().value;
}

function encode(announcement: Announcement): string {
  const { tenantId, agentId } = announcement;
  if (announcement.kind === 'notification') return `${tenantId} ${agentId}`;
  const { conversationId, viewing, writing } = announcement;
  return `${tenantId} ${agentId} ${conversationId} ${Number(viewing)}${Number(writing)}`;
}

function receive(hub: SignalHub, line: string): void {
  const [tenantId, agentId, conversationId, flags = ''] = line.split(' ');
  if (!tenantId || !agentId) return;
  const to = tenantId as TenantId;
  if (conversationId === undefined) {
    hub.notify(to, agentId as AgentId, 'elsewhere');
    return;
  }
  const of = { conversationId: conversationId as ConversationId, agentId: agentId as AgentId };
  hub.set(to, { ...of, viewing: flags[0] === '1', writing: flags[1] === '1' }, 'elsewhere');
}

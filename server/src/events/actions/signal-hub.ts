import type { AgentId, TenantId } from '#core/ids';
import { type ConversationSignal, notificationFrame, signalFrame } from '#events/domain/signal';
import type { SignalOrigin } from '#runtime/event-signal';
import type { Runtime } from '#runtime/runtime';
import { SignalReader } from './signal-reader.ts';

/** A signal that is not renewed for so long ends. */
export const SIGNAL_MS = 15_000;
const SWEEP_MS = 1_000;
/** Changes are passed on together, so that a storm of them costs a bounded number of writes. */
const FLUSH_MS = 100;
/** More agents than this do not look at conversations of one tenant at once; beyond, the oldest signal ends. */
export const MAX_SIGNALS_PER_TENANT = 2_000;
/** About 15 MB. */
export const MAX_SIGNALS = 50_000;
/** Changes times streams that one flush of a tenant takes. The rest comes with the next. */
const HANDED_AT_ONCE = 50_000;

/** What a process passes on to streams: a signal, or that an agent has a new notification. */
export type Announcement =
  | ({ readonly tenantId: TenantId; readonly kind: 'signal' } & ConversationSignal)
  | { readonly tenantId: TenantId; readonly kind: 'notification'; readonly agentId: AgentId };

export type AnnouncementListener = (announcement: Announcement, origin: SignalOrigin) => void;

interface Held {
  readonly signal: ConversationSignal;
  readonly untilMs: number;
}

/** What one tenant has: no other tenant's storm can fill it. */
interface TenantSignals {
  /** In the order of their renewal, so that the first one ends first. */
  readonly held: Map<string, Held>;
  /** Frames to pass on, the newest of each matter. */
  readonly changed: Map<string, string>;
  readonly readers: Set<SignalReader>;
}

/**
 * Who looks at and who writes in conversations, as far as this process knows, and the streams that want to know. All of it
 * is in memory: after a restart, it is there again within the time in which clients renew their signals.
 */
export class SignalHub {
  readonly #rt: Runtime;
  readonly #tenants = new Map<TenantId, TenantSignals>();
  readonly #listeners = new Set<AnnouncementListener>();
  #count = 0;
  #cancelFlush: (() => void) | null = null;
  #cancelSweep: (() => void) | null = null;

  constructor(rt: Runtime) {
    this.#rt = rt;
  }

  /** Signals that are held. */
  get size(): number {
    return this.#count;
  }

  /** Whether an agent's signal is held: its conversation was found before. */
  holds(tenantId: TenantId, signal: Pick<ConversationSignal, 'conversationId' | 'agentId'>): boolean {
    return this.#tenants.get(tenantId)?.held.has(keyOf(signal)) ?? false;
  }

  /**
   * Takes what an agent does now, in place of what the agent did in this conversation before.
   * @returns false when too many signals are held, or wait to be passed on, to take another
   */
  set(tenantId: TenantId, signal: ConversationSignal, origin: SignalOrigin = 'here'): boolean {
    const tenant = this.#tenantOf(tenantId);
    const key = keyOf(signal);
    const before = tenant.held.get(key);
    const ends = !signal.viewing && !signal.writing;
    if (before === undefined && ends) return true;
    const isFull = this.#count >= MAX_SIGNALS || tenant.changed.size >= MAX_SIGNALS_PER_TENANT;
    if (before === undefined && isFull) return false;
    this.#forget(tenant, key);
    if (!ends) this.#hold(tenant, key, signal);
    if (!isSame(before?.signal, signal)) this.#change(tenant, key, signalFrame(signal));
    for (const listener of this.#listeners) listener({ tenantId, kind: 'signal', ...signal }, origin);
    return true;
  }

  /** Says to the streams of a tenant that an agent has a new notification. */
  notify(tenantId: TenantId, agentId: AgentId, origin: SignalOrigin = 'here'): void {
    this.#change(this.#tenantOf(tenantId), agentId, notificationFrame(agentId));
    for (const listener of this.#listeners) listener({ tenantId, kind: 'notification', agentId }, origin);
  }

  /** For a stream, which first gets what is held. */
  enter(tenantId: TenantId): SignalReader {
    const tenant = this.#tenantOf(tenantId);
    const reader = new SignalReader(() => {
      tenant.readers.delete(reader);
    });
    for (const [key, { signal }] of tenant.held) reader.put(key, signalFrame(signal));
    tenant.readers.add(reader);
    return reader;
  }

  /** @returns stops listening */
  listen(listener: AnnouncementListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#cancelFlush?.();
    this.#cancelSweep?.();
  }

  #tenantOf(tenantId: TenantId): TenantSignals {
    const found = this.#tenants.get(tenantId);
    if (found !== undefined) return found;
    const made: TenantSignals = { held: new Map(), changed: new Map(), readers: new Set() };
    this.#tenants.set(tenantId, made);
    this.#cancelSweep ??= this.#rt.clock.after(SWEEP_MS, () => this.#sweep());
    return made;
  }

  #hold(tenant: TenantSignals, key: string, signal: ConversationSignal): void {
    if (tenant.held.size >= MAX_SIGNALS_PER_TENANT) this.#end(tenant, tenant.held.keys().next().value ?? '');
    tenant.held.set(key, { signal, untilMs: this.#rt.clock.monotonic() + SIGNAL_MS });
    this.#count += 1;
  }

  #forget(tenant: TenantSignals, key: string): void {
    if (tenant.held.delete(key)) this.#count -= 1;
  }

  #end(tenant: TenantSignals, key: string): void {
    const held = tenant.held.get(key);
    if (held === undefined) return;
    this.#forget(tenant, key);
    this.#change(tenant, key, signalFrame({ ...held.signal, viewing: false, writing: false }));
  }

  #change(tenant: TenantSignals, key: string, frame: string): void {
    if (tenant.readers.size === 0) return;
    tenant.changed.set(key, frame);
    this.#cancelFlush ??= this.#rt.clock.after(FLUSH_MS, () => this.#flush());
  }

  #flush(): void {
    this.#cancelFlush = null;
    let isRest = false;
    for (const { changed, readers } of this.#tenants.values()) {
      let left = Math.max(1, Math.floor(HANDED_AT_ONCE / Math.max(1, readers.size)));
      for (const [key, frame] of changed) {
        if (left === 0) break;
        left -= 1;
        changed.delete(key);
        for (const reader of readers) reader.put(key, frame);
      }
      isRest ||= changed.size > 0;
    }
    if (isRest) this.#cancelFlush = this.#rt.clock.after(FLUSH_MS, () => this.#flush());
  }

  #sweep(): void {
    const nowMs = this.#rt.clock.monotonic();
    for (const [tenantId, tenant] of this.#tenants) {
      for (const [key, { untilMs }] of tenant.held) {
        if (untilMs > nowMs) break;
        this.#end(tenant, key);
      }
      const isIdle = tenant.held.size + tenant.readers.size + tenant.changed.size === 0;
      if (isIdle) this.#tenants.delete(tenantId);
    }
    this.#cancelSweep = this.#tenants.size === 0 ? null : this.#rt.clock.after(SWEEP_MS, () => this.#sweep());
  }
}

function keyOf({ conversationId, agentId }: Pick<ConversationSignal, 'conversationId' | 'agentId'>): string {
  return `${conversationId} ${agentId}`;
}

function isSame(before: ConversationSignal | undefined, after: ConversationSignal): boolean {
  return before?.viewing === after.viewing && before.writing === after.writing;
}

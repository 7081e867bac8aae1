/** Who else looks at and who writes in conversations: what the stream passes on and nobody stores. */

export interface Signal {
  readonly agentId: string;
  readonly viewing: boolean;
  readonly writing: boolean;
}

const NOBODY: readonly Signal[] = [];

export class Signals {
  #held: ReadonlyMap<string, readonly Signal[]> = new Map();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The signals in a conversation, in the order in which they came; the same array while nothing changes. */
  of(conversationId: string): readonly Signal[] {
    return this.#held.get(conversationId) ?? NOBODY;
  }

  /** Takes the data of a frame; what it does not know, it passes over. */
  receive(data: unknown): void {
    if (!isSignalData(data)) return;
    const { conversation_id: id, agent_id: agentId, viewing, writing } = data;
    const before = this.of(id);
    const isThere = viewing || writing;
    const place = before.findIndex((one) => one.agentId === agentId);
    const next = { agentId, viewing, writing };
    const others = before.filter((one) => one.agentId !== agentId);
    const after = !isThere ? others : place < 0 ? [...before, next] : before.with(place, next);
    const held = new Map(this.#held);
    if (after.length === 0) held.delete(id);
    else held.set(id, after);
    this.#set(held);
  }

  /** The line was cut: a new one begins with the signals that hold then. */
  clear(): void {
    if (this.#held.size > 0) this.#set(new Map());
  }

  #set(held: ReadonlyMap<string, readonly Signal[]>): void {
    this.#held = held;
    for (const listener of this.#listeners) listener();
  }
}

interface SignalData {
  readonly conversation_id: string;
  readonly agent_id: string;
  readonly viewing: boolean;
  readonly writing: boolean;
}

function isSignalData(data: unknown): data is SignalData {
  const { conversation_id: id, agent_id: agentId } = (data ?? {}) as Partial<SignalData>;
  return typeof id === 'string' && typeof agentId === 'string';
}

/** Says within the page that an agent has a new notification, as the stream does. */
type Listener = (agentId: string) => void;

const listeners = new Set<Listener>();

export function emitNotified(data: unknown): void {
  const { agent_id: agentId } = (data ?? {}) as { readonly agent_id?: unknown };
  if (typeof agentId === 'string') for (const listener of listeners) listener(agentId);
}

/** @returns stops listening */
export function onNotified(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

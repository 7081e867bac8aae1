import type { AgentId, ConversationId } from '#core/ids';
import type { JsonObject } from '#core/json';

/** What an agent does in a conversation right now. It is passed on and forgotten: neither numbered nor stored. */
export interface ConversationSignal {
  readonly conversationId: ConversationId;
  readonly agentId: AgentId;
  readonly viewing: boolean;
  readonly writing: boolean;
}

/** Both names are never those of events. */
export type FrameName = 'signal' | 'notification';

/** A block of the stream without an id: a client that reconnects does not continue behind it. */
export function unnumberedFrame(name: FrameName, data: JsonObject): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** How a signal is shown on the stream. */
export function signalFrame({ conversationId, agentId, viewing, writing }: ConversationSignal): string {
  return unnumberedFrame('signal', { conversation_id: conversationId, agent_id: agentId, viewing, writing });
}

/** Says that an agent has a new notification. */
export function notificationFrame(agentId: AgentId): string {
  return unnumberedFrame('notification', { agent_id: agentId });
}

import type { Resource } from '#http/resource';
import { outboundExample } from '#http/schemas/examples';
import { MessageIdParams } from '#http/schemas/parameters';
import type { InboundMessage, OutboundMessage } from '#messages/domain/message';
import { presentMessage } from './present/message.ts';
import { Message } from './schemas/message.ts';

export const messageResource: Resource<OutboundMessage | InboundMessage> = {
  path: '/v1/messages',
  name: 'Message',
  noun: 'message',
  tag: 'Messages',
  scopes: { read: 'messages:read', write: 'messages:write' },
  params: MessageIdParams,
  view: Message,
  example: outboundExample,
  present: presentMessage,
};

import type { Operation } from '../operation.ts';
import { cancelMessageRoute } from './messages/cancel.ts';
import { getMessage } from './messages/get.ts';
import { listInboundMessages } from './messages/list-inbound.ts';
import { listOutboundMessages } from './messages/list-outbound.ts';
import { markMessageRead } from './messages/mark-read.ts';
import { resendMessageRoute } from './messages/resend.ts';
import { sendMessage } from './messages/send.ts';
import { sendBatch } from './messages/send-batch.ts';
import { getMessageTrace } from './messages/trace.ts';
import { getHealth } from './system/healthz.ts';
import { getMetrics } from './system/metrics.ts';
import { getOpenApi } from './system/openapi.ts';
import { getReadiness } from './system/readyz.ts';

/** Every endpoint of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  sendMessage,
  sendBatch,
  getMessage,
  listInboundMessages,
  listOutboundMessages,
  getMessageTrace,
  cancelMessageRoute,
  resendMessageRoute,
  markMessageRead,
  getOpenApi,
  getHealth,
  getReadiness,
  getMetrics,
];

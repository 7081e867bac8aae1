import type { Operation } from '../operation.ts';
import { getSubscription } from './billing/subscription.ts';
import { getUsage } from './billing/usage.ts';
import { cancelMessageRoute } from './messages/cancel.ts';
import { getMessage } from './messages/get.ts';
import { listInboundMessages } from './messages/list-inbound.ts';
import { listOutboundMessages } from './messages/list-outbound.ts';
import { sendMessage } from './messages/send.ts';
import { getMessageTrace } from './messages/trace.ts';
import { getHealth } from './system/healthz.ts';
import { getMetrics } from './system/metrics.ts';
import { getOpenApi } from './system/openapi.ts';
import { getReadiness } from './system/readyz.ts';
import { getWallet } from './wallet/get.ts';
import { getWalletPricing } from './wallet/pricing.ts';
import { topUpWalletRoute } from './wallet/top-up.ts';
import { listWalletTransactions } from './wallet/transactions.ts';

/** Every endpoint of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  sendMessage,
  getMessage,
  listInboundMessages,
  listOutboundMessages,
  getMessageTrace,
  cancelMessageRoute,
  getSubscription,
  getUsage,
  getWallet,
  getWalletPricing,
  listWalletTransactions,
  topUpWalletRoute,
  getOpenApi,
  getHealth,
  getReadiness,
  getMetrics,
];

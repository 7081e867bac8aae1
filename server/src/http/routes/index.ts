import type { Operation } from '../operation.ts';
import { getAccount } from './accounts/get.ts';
import { listAccounts } from './accounts/list.ts';
import { retryAccount } from './accounts/retry.ts';
import { createApiKeyRoute } from './api-keys/create.ts';
import { getApiKey } from './api-keys/get.ts';
import { listApiKeysRoute } from './api-keys/list.ts';
import { revokeApiKeyRoute } from './api-keys/revoke.ts';
import { rotateApiKeyRoute } from './api-keys/rotate.ts';
import { listAuditLog } from './audit-log/list.ts';
import { getSubscription } from './billing/subscription.ts';
import { getUsage } from './billing/usage.ts';
import { linkCallback } from './linking/callback.ts';
import { getLinkUrl } from './linking/url.ts';
import { getMediaContent } from './media/content.ts';
import { deleteMediaRoute } from './media/delete.ts';
import { getMedia } from './media/get.ts';
import { listMediaRoute } from './media/list.ts';
import { createResumableUpload } from './media/resumable-create.ts';
import { deleteResumableUpload } from './media/resumable-delete.ts';
import { getResumableUpload } from './media/resumable-get.ts';
import { patchResumableUpload } from './media/resumable-patch.ts';
import { uploadMedia } from './media/upload.ts';
import { cancelMessageRoute } from './messages/cancel.ts';
import { getMessage } from './messages/get.ts';
import { listInboundMessages } from './messages/list-inbound.ts';
import { listOutboundMessages } from './messages/list-outbound.ts';
import { markMessageRead } from './messages/mark-read.ts';
import { resendMessageRoute } from './messages/resend.ts';
import { sendMessage } from './messages/send.ts';
import { sendBatch } from './messages/send-batch.ts';
import { getMessageTrace } from './messages/trace.ts';
import { addPhoneNumberRoute } from './phone-numbers/add.ts';
import { changePhoneNumberRoute } from './phone-numbers/change.ts';
import { getPhoneNumber } from './phone-numbers/get.ts';
import { listPhoneNumbersRoute } from './phone-numbers/list.ts';
import { removePhoneNumberRoute } from './phone-numbers/remove.ts';
import { getDocs } from './system/docs.ts';
import { getDocsScript } from './system/docs-script.ts';
import { getHealth } from './system/healthz.ts';
import { getMetrics } from './system/metrics.ts';
import { getOpenApi } from './system/openapi.ts';
import { getReadiness } from './system/readyz.ts';
import { getWallet } from './wallet/get.ts';
import { getTopUp } from './wallet/get-top-up.ts';
import { getWalletPricing } from './wallet/pricing.ts';
import { topUpWalletRoute } from './wallet/top-up.ts';
import { listWalletTransactions } from './wallet/transactions.ts';

/** Every endpoint of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  sendMessage,
  sendBatch,
  getMessage,
  listInboundMessages,
  listOutboundMessages,
  getMessageTrace,
  cancelMessageRoute,
  uploadMedia,
  listMediaRoute,
  getMedia,
  getMediaContent,
  deleteMediaRoute,
  createResumableUpload,
  getResumableUpload,
  patchResumableUpload,
  deleteResumableUpload,
  resendMessageRoute,
  markMessageRead,
  getLinkUrl,
  linkCallback,
  listAccounts,
  getAccount,
  retryAccount,
  listPhoneNumbersRoute,
  addPhoneNumberRoute,
  getPhoneNumber,
  changePhoneNumberRoute,
  removePhoneNumberRoute,
  listApiKeysRoute,
  createApiKeyRoute,
  getApiKey,
  rotateApiKeyRoute,
  revokeApiKeyRoute,
  listAuditLog,
  getSubscription,
  getUsage,
  getWallet,
  getWalletPricing,
  listWalletTransactions,
  topUpWalletRoute,
  getTopUp,
  getOpenApi,
  getDocs,
  getDocsScript,
  getHealth,
  getReadiness,
  getMetrics,
];

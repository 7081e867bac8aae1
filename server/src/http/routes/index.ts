import type { Operation } from '../operation.ts';
import { unlinkAccountRoute } from './accounts/delete.ts';
import { getAccount } from './accounts/get.ts';
import { listAccounts } from './accounts/list.ts';
import { retryAccount } from './accounts/retry.ts';
import { createAgentRoute } from './agents/create.ts';
import { deleteAgentRoute } from './agents/delete.ts';
import { getAgent } from './agents/get.ts';
import { listAgentsRoute } from './agents/list.ts';
import { setAgentPresenceRoute } from './agents/presence.ts';
import { updateAgentRoute } from './agents/update.ts';
import { getAnalyticsAgents } from './analytics/agents.ts';
import { getAnalyticsErrors } from './analytics/errors.ts';
import { getAnalyticsFunnel } from './analytics/funnel.ts';
import { getAnalyticsHeatmap } from './analytics/heatmap.ts';
import { getAnalyticsResponseTimes } from './analytics/response-times.ts';
import { getAnalyticsSummary } from './analytics/summary.ts';
import { getAnalyticsTimeseries } from './analytics/timeseries.ts';
import { createApiKeyRoute } from './api-keys/create.ts';
import { getApiKey } from './api-keys/get.ts';
import { listApiKeysRoute } from './api-keys/list.ts';
import { revokeApiKeyRoute } from './api-keys/revoke.ts';
import { rotateApiKeyRoute } from './api-keys/rotate.ts';
import { exportAuditLog } from './audit-log/export.ts';
import { listAuditLog } from './audit-log/list.ts';
import { getSubscription } from './billing/subscription.ts';
import { getUsage } from './billing/usage.ts';
import { createBusinessHours } from './business-hours/create.ts';
import { deleteBusinessHours } from './business-hours/delete.ts';
import { getBusinessHours } from './business-hours/get.ts';
import { listBusinessHours } from './business-hours/list.ts';
import { getBusinessHoursState } from './business-hours/state.ts';
import { updateBusinessHours } from './business-hours/update.ts';
import { createCampaignImportRoute } from './campaign-imports/create.ts';
import { getCampaignImportErrors } from './campaign-imports/errors.ts';
import { getCampaignImport } from './campaign-imports/get.ts';
import { addCampaignRecipientsRoute } from './campaigns/add-recipients.ts';
import { cancelCampaign, pauseCampaign, resumeCampaign, startCampaign } from './campaigns/command.ts';
import { createCampaignRoute } from './campaigns/create.ts';
import { deleteCampaignRoute } from './campaigns/delete.ts';
import { getCampaign } from './campaigns/get.ts';
import { listCampaignsRoute } from './campaigns/list.ts';
import { listCampaignRecipients } from './campaigns/list-recipients.ts';
import { preflightCampaignRoute } from './campaigns/preflight.ts';
import { retryCampaignRoute } from './campaigns/retry.ts';
import { updateCampaignRoute } from './campaigns/update.ts';
import { createCannedReplyRoute } from './canned-replies/create.ts';
import { deleteCannedReplyRoute } from './canned-replies/delete.ts';
import { getCannedReply } from './canned-replies/get.ts';
import { listCannedRepliesRoute } from './canned-replies/list.ts';
import { updateCannedReplyRoute } from './canned-replies/update.ts';
import { backtestRuleRoute } from './chatbot-rules/backtest.ts';
import { createRuleRoute } from './chatbot-rules/create.ts';
import { listDecisionsRoute } from './chatbot-rules/decisions.ts';
import { removeRuleRoute } from './chatbot-rules/delete.ts';
import { getRuleRoute } from './chatbot-rules/get.ts';
import { listRulesRoute } from './chatbot-rules/list.ts';
import { orderRulesRoute } from './chatbot-rules/order.ts';
import { testRulesRoute } from './chatbot-rules/test.ts';
import { changeRuleRoute } from './chatbot-rules/update.ts';
import { createContactAttributeRoute } from './contact-attributes/create.ts';
import { deleteContactAttributeRoute } from './contact-attributes/delete.ts';
import { getContactAttribute } from './contact-attributes/get.ts';
import { listContactAttributesRoute } from './contact-attributes/list.ts';
import { updateContactAttributeRoute } from './contact-attributes/update.ts';
import { blockContactRoute } from './contacts/block.ts';
import { setContactConsentRoute } from './contacts/consent.ts';
import { listContactConsentsRoute } from './contacts/consent-history.ts';
import { createContactRoute } from './contacts/create.ts';
import { deleteContactRoute } from './contacts/delete.ts';
import { exportContactsRoute } from './contacts/export.ts';
import { getContact } from './contacts/get.ts';
import { listContactsRoute } from './contacts/list.ts';
import { mergeContactRoute } from './contacts/merge.ts';
import { listContactMergesRoute } from './contacts/merges.ts';
import { searchContactsRoute } from './contacts/search.ts';
import { updateContactTagsRoute } from './contacts/tags.ts';
import { unblockContactRoute } from './contacts/unblock.ts';
import { unmergeContactRoute } from './contacts/unmerge.ts';
import { updateContactRoute } from './contacts/update.ts';
import { assignConversation } from './conversations/assign.ts';
import { getAssignmentLog } from './conversations/assignment-log.ts';
import { changeManyRoute } from './conversations/bulk.ts';
import { countConversations } from './conversations/counts.ts';
import { getConversation } from './conversations/get.ts';
import { listConversationEvents } from './conversations/history.ts';
import { leaseConversation } from './conversations/lease.ts';
import { listConversationsRoute } from './conversations/list.ts';
import { readConversation } from './conversations/read.ts';
import { releaseConversation } from './conversations/release.ts';
import { reopenConversation } from './conversations/reopen.ts';
import { replyRoute } from './conversations/reply.ts';
import { resolveConversation } from './conversations/resolve.ts';
import { snoozeConversation } from './conversations/snooze.ts';
import { tagConversation } from './conversations/tags.ts';
import { listConversationMessages } from './conversations/thread.ts';
import { updateConversationRoute } from './conversations/update.ts';
import { getEventRoute } from './events/get.ts';
import { listEvents } from './events/list.ts';
import { streamEvents } from './events/stream.ts';
import { createImportRoute } from './imports/create.ts';
import { getImportErrors } from './imports/errors.ts';
import { getImport } from './imports/get.ts';
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
import { deletePhoneNumberRoute } from './phone-numbers/delete.ts';
import { getPhoneNumber } from './phone-numbers/get.ts';
import { listPhoneNumbersRoute } from './phone-numbers/list.ts';
import { updatePhoneNumberRoute } from './phone-numbers/update.ts';
import { createSegmentRoute } from './segments/create.ts';
import { deleteSegmentRoute } from './segments/delete.ts';
import { getSegment } from './segments/get.ts';
import { listSegmentsRoute } from './segments/list.ts';
import { updateSegmentRoute } from './segments/update.ts';
import { getDocs } from './system/docs.ts';
import { getDocsScript } from './system/docs-script.ts';
import { getHealth } from './system/healthz.ts';
import { getMetrics } from './system/metrics.ts';
import { getOpenApi } from './system/openapi.ts';
import { getReadiness } from './system/readyz.ts';
import { createTeamRoute } from './teams/create.ts';
import { deleteTeamRoute } from './teams/delete.ts';
import { getTeam } from './teams/get.ts';
import { listTeamsRoute } from './teams/list.ts';
import { updateTeamRoute } from './teams/update.ts';
import { createTemplateRoute } from './templates/create.ts';
import { deleteTemplateRoute } from './templates/delete.ts';
import { getTemplate } from './templates/get.ts';
import { listTemplateHistoryRoute } from './templates/history.ts';
import { lintTemplateRoute } from './templates/lint.ts';
import { listTemplatesRoute } from './templates/list.ts';
import { previewTemplateRoute } from './templates/preview.ts';
import { submitTemplateRoute } from './templates/submit.ts';
import { syncTemplatesRoute } from './templates/sync.ts';
import { updateTemplateRoute } from './templates/update.ts';
import { getWallet } from './wallet/get.ts';
import { getTopUp } from './wallet/get-top-up.ts';
import { getWalletPricing } from './wallet/pricing.ts';
import { topUpWalletRoute } from './wallet/top-up.ts';
import { listWalletTransactions } from './wallet/transactions.ts';
import { createEndpointRoute } from './webhook-endpoints/create.ts';
import { removeEndpointRoute } from './webhook-endpoints/delete.ts';
import { listDeliveries } from './webhook-endpoints/deliveries.ts';
import { getEndpoint } from './webhook-endpoints/get.ts';
import { listEndpoints } from './webhook-endpoints/list.ts';
import { recoverEndpoint } from './webhook-endpoints/recover.ts';
import { resendDeliveryRoute } from './webhook-endpoints/resend.ts';
import { rotateSecretRoute } from './webhook-endpoints/rotate-secret.ts';
import { testEndpoint } from './webhook-endpoints/send-test.ts';
import { changeEndpointRoute } from './webhook-endpoints/update.ts';

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
  listTemplatesRoute,
  createTemplateRoute,
  lintTemplateRoute,
  syncTemplatesRoute,
  getTemplate,
  updateTemplateRoute,
  deleteTemplateRoute,
  submitTemplateRoute,
  previewTemplateRoute,
  listTemplateHistoryRoute,
  listConversationsRoute,
  countConversations,
  changeManyRoute,
  getConversation,
  updateConversationRoute,
  listConversationMessages,
  replyRoute,
  listConversationEvents,
  assignConversation,
  snoozeConversation,
  resolveConversation,
  reopenConversation,
  readConversation,
  tagConversation,
  leaseConversation,
  releaseConversation,
  getLinkUrl,
  linkCallback,
  listAccounts,
  getAccount,
  retryAccount,
  unlinkAccountRoute,
  listPhoneNumbersRoute,
  addPhoneNumberRoute,
  getPhoneNumber,
  updatePhoneNumberRoute,
  deletePhoneNumberRoute,
  listEvents,
  streamEvents,
  getEventRoute,
  listEndpoints,
  createEndpointRoute,
  getEndpoint,
  changeEndpointRoute,
  removeEndpointRoute,
  rotateSecretRoute,
  testEndpoint,
  listDeliveries,
  resendDeliveryRoute,
  recoverEndpoint,
  listContactsRoute,
  createContactRoute,
  searchContactsRoute,
  exportContactsRoute,
  getContact,
  updateContactRoute,
  deleteContactRoute,
  updateContactTagsRoute,
  blockContactRoute,
  unblockContactRoute,
  setContactConsentRoute,
  listContactConsentsRoute,
  mergeContactRoute,
  unmergeContactRoute,
  listContactMergesRoute,
  listContactAttributesRoute,
  createContactAttributeRoute,
  getContactAttribute,
  updateContactAttributeRoute,
  deleteContactAttributeRoute,
  createImportRoute,
  getImport,
  getImportErrors,
  listSegmentsRoute,
  createSegmentRoute,
  getSegment,
  updateSegmentRoute,
  deleteSegmentRoute,
  listCannedRepliesRoute,
  createCannedReplyRoute,
  getCannedReply,
  updateCannedReplyRoute,
  deleteCannedReplyRoute,
  listAgentsRoute,
  createAgentRoute,
  getAgent,
  updateAgentRoute,
  deleteAgentRoute,
  setAgentPresenceRoute,
  listTeamsRoute,
  createTeamRoute,
  getTeam,
  updateTeamRoute,
  deleteTeamRoute,
  listBusinessHours,
  createBusinessHours,
  getBusinessHours,
  updateBusinessHours,
  deleteBusinessHours,
  getBusinessHoursState,
  getAssignmentLog,
  listRulesRoute,
  createRuleRoute,
  getRuleRoute,
  changeRuleRoute,
  removeRuleRoute,
  orderRulesRoute,
  testRulesRoute,
  backtestRuleRoute,
  listDecisionsRoute,
  listApiKeysRoute,
  createApiKeyRoute,
  getApiKey,
  rotateApiKeyRoute,
  revokeApiKeyRoute,
  listAuditLog,
  exportAuditLog,
  createCampaignRoute,
  listCampaignsRoute,
  getCampaign,
  updateCampaignRoute,
  deleteCampaignRoute,
  addCampaignRecipientsRoute,
  createCampaignImportRoute,
  getCampaignImport,
  getCampaignImportErrors,
  listCampaignRecipients,
  preflightCampaignRoute,
  startCampaign,
  pauseCampaign,
  resumeCampaign,
  cancelCampaign,
  retryCampaignRoute,
  getAnalyticsSummary,
  getAnalyticsTimeseries,
  getAnalyticsFunnel,
  getAnalyticsErrors,
  getAnalyticsHeatmap,
  getAnalyticsResponseTimes,
  getAnalyticsAgents,
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

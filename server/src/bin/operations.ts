import { createApiKeyRoute } from '#access/http/api-keys/create';
import { getApiKey } from '#access/http/api-keys/get';
import { listApiKeysRoute } from '#access/http/api-keys/list';
import { revokeApiKeyRoute } from '#access/http/api-keys/revoke';
import { rotateApiKeyRoute } from '#access/http/api-keys/rotate';
import { exportAuditLog } from '#access/http/audit-log/export';
import { listAuditLog } from '#access/http/audit-log/list';
import { unlinkAccountRoute } from '#accounts/http/accounts/delete';
import { getAccount } from '#accounts/http/accounts/get';
import { listAccounts } from '#accounts/http/accounts/list';
import { retryAccount } from '#accounts/http/accounts/retry';
import { linkCallback } from '#accounts/http/linking/callback';
import { getLinkUrl } from '#accounts/http/linking/url';
import { addPhoneNumberRoute } from '#accounts/http/phone-numbers/add';
import { deletePhoneNumberRoute } from '#accounts/http/phone-numbers/delete';
import { getPhoneNumber } from '#accounts/http/phone-numbers/get';
import { listPhoneNumbersRoute } from '#accounts/http/phone-numbers/list';
import { updatePhoneNumberRoute } from '#accounts/http/phone-numbers/update';
import { createAgentRoute } from '#agents/http/agents/create';
import { deleteAgentRoute } from '#agents/http/agents/delete';
import { getAgent } from '#agents/http/agents/get';
import { listAgentsRoute } from '#agents/http/agents/list';
import { setAgentPresenceRoute } from '#agents/http/agents/presence';
import { updateAgentRoute } from '#agents/http/agents/update';
import { createBusinessHours } from '#agents/http/business-hours/create';
import { deleteBusinessHours } from '#agents/http/business-hours/delete';
import { getBusinessHours } from '#agents/http/business-hours/get';
import { listBusinessHours } from '#agents/http/business-hours/list';
import { getBusinessHoursState } from '#agents/http/business-hours/state';
import { updateBusinessHours } from '#agents/http/business-hours/update';
import { createTeamRoute } from '#agents/http/teams/create';
import { deleteTeamRoute } from '#agents/http/teams/delete';
import { getTeam } from '#agents/http/teams/get';
import { listTeamsRoute } from '#agents/http/teams/list';
import { updateTeamRoute } from '#agents/http/teams/update';
import { getAnalyticsAgents } from '#analytics/http/analytics/agents';
import { getAnalyticsErrors } from '#analytics/http/analytics/errors';
import { getAnalyticsFunnel } from '#analytics/http/analytics/funnel';
import { getAnalyticsHeatmap } from '#analytics/http/analytics/heatmap';
import { getAnalyticsResponseTimes } from '#analytics/http/analytics/response-times';
import { getAnalyticsSummary } from '#analytics/http/analytics/summary';
import { getAnalyticsTimeseries } from '#analytics/http/analytics/timeseries';
import { getSubscription } from '#billing/http/billing/subscription';
import { getUsage } from '#billing/http/billing/usage';
import { getWallet } from '#billing/http/wallet/get';
import { getTopUp } from '#billing/http/wallet/get-top-up';
import { getWalletPricing } from '#billing/http/wallet/pricing';
import { topUpWalletRoute } from '#billing/http/wallet/top-up';
import { listWalletTransactions } from '#billing/http/wallet/transactions';
import { addCampaignRecipientsRoute } from '#campaigns/http/campaigns/add-recipients';
import { cancelCampaign, pauseCampaign, resumeCampaign, startCampaign } from '#campaigns/http/campaigns/command';
import { createCampaignRoute } from '#campaigns/http/campaigns/create';
import { deleteCampaignRoute } from '#campaigns/http/campaigns/delete';
import { getCampaign } from '#campaigns/http/campaigns/get';
import { listCampaignsRoute } from '#campaigns/http/campaigns/list';
import { listCampaignRecipients } from '#campaigns/http/campaigns/list-recipients';
import { preflightCampaignRoute } from '#campaigns/http/campaigns/preflight';
import { retryCampaignRoute } from '#campaigns/http/campaigns/retry';
import { updateCampaignRoute } from '#campaigns/http/campaigns/update';
import { createContactAttributeRoute } from '#contacts/http/contact-attributes/create';
import { deleteContactAttributeRoute } from '#contacts/http/contact-attributes/delete';
import { getContactAttribute } from '#contacts/http/contact-attributes/get';
import { listContactAttributesRoute } from '#contacts/http/contact-attributes/list';
import { updateContactAttributeRoute } from '#contacts/http/contact-attributes/update';
import { blockContactRoute } from '#contacts/http/contacts/block';
import { setContactConsentRoute } from '#contacts/http/contacts/consent';
import { listContactConsentsRoute } from '#contacts/http/contacts/consent-history';
import { createContactRoute } from '#contacts/http/contacts/create';
import { exportContactsRoute } from '#contacts/http/contacts/export';
import { getContact } from '#contacts/http/contacts/get';
import { listContactsRoute } from '#contacts/http/contacts/list';
import { searchContactsRoute } from '#contacts/http/contacts/search';
import { updateContactTagsRoute } from '#contacts/http/contacts/tags';
import { unblockContactRoute } from '#contacts/http/contacts/unblock';
import { updateContactRoute } from '#contacts/http/contacts/update';
import { createSegmentRoute } from '#contacts/http/segments/create';
import { deleteSegmentRoute } from '#contacts/http/segments/delete';
import { getSegment } from '#contacts/http/segments/get';
import { listSegmentsRoute } from '#contacts/http/segments/list';
import { updateSegmentRoute } from '#contacts/http/segments/update';
import { createCannedReplyRoute } from '#conversations/http/canned-replies/create';
import { deleteCannedReplyRoute } from '#conversations/http/canned-replies/delete';
import { getCannedReply } from '#conversations/http/canned-replies/get';
import { listCannedRepliesRoute } from '#conversations/http/canned-replies/list';
import { updateCannedReplyRoute } from '#conversations/http/canned-replies/update';
import { assignConversation } from '#conversations/http/conversations/assign';
import { getAssignmentLog } from '#conversations/http/conversations/assignment-log';
import { changeManyRoute } from '#conversations/http/conversations/bulk';
import { countConversations } from '#conversations/http/conversations/counts';
import { getConversation } from '#conversations/http/conversations/get';
import { listConversationEvents } from '#conversations/http/conversations/history';
import { leaseConversation } from '#conversations/http/conversations/lease';
import { listConversationsRoute } from '#conversations/http/conversations/list';
import { readConversation } from '#conversations/http/conversations/read';
import { releaseConversation } from '#conversations/http/conversations/release';
import { reopenConversation } from '#conversations/http/conversations/reopen';
import { replyRoute } from '#conversations/http/conversations/reply';
import { resolveConversation } from '#conversations/http/conversations/resolve';
import { snoozeConversation } from '#conversations/http/conversations/snooze';
import { tagConversation } from '#conversations/http/conversations/tags';
import { listConversationMessages } from '#conversations/http/conversations/thread';
import { updateConversationRoute } from '#conversations/http/conversations/update';
import { deleteContactRoute } from '#erasure/http/delete-contact';
import { getEventRoute } from '#events/http/get';
import { listEvents } from '#events/http/list';
import { streamEvents } from '#events/http/stream';
import type { Operation } from '#http/operation';
import { createImportRoute } from '#imports/http/contact-imports/create';
import { getImportErrors } from '#imports/http/contact-imports/errors';
import { getImport } from '#imports/http/contact-imports/get';
import { createCampaignImportRoute } from '#imports/http/recipient-imports/create';
import { getCampaignImportErrors } from '#imports/http/recipient-imports/errors';
import { getCampaignImport } from '#imports/http/recipient-imports/get';
import { getDocs } from '#maintenance/http/system/docs';
import { getDocsScript } from '#maintenance/http/system/docs-script';
import { getHealth } from '#maintenance/http/system/healthz';
import { getMetrics } from '#maintenance/http/system/metrics';
import { getOpenApi } from '#maintenance/http/system/openapi';
import { getReadiness } from '#maintenance/http/system/readyz';
import { getMediaContent } from '#media/http/media/content';
import { deleteMediaRoute } from '#media/http/media/delete';
import { getMedia } from '#media/http/media/get';
import { listMediaRoute } from '#media/http/media/list';
import { createResumableUpload } from '#media/http/media/resumable-create';
import { deleteResumableUpload } from '#media/http/media/resumable-delete';
import { getResumableUpload } from '#media/http/media/resumable-get';
import { patchResumableUpload } from '#media/http/media/resumable-patch';
import { uploadMedia } from '#media/http/media/upload';
import { listContactMergesRoute } from '#merges/http/list';
import { mergeContactRoute } from '#merges/http/merge';
import { unmergeContactRoute } from '#merges/http/unmerge';
import { cancelMessageRoute } from '#messages/http/messages/cancel';
import { getMessage } from '#messages/http/messages/get';
import { listInboundMessages } from '#messages/http/messages/list-inbound';
import { listOutboundMessages } from '#messages/http/messages/list-outbound';
import { markMessageRead } from '#messages/http/messages/mark-read';
import { resendMessageRoute } from '#messages/http/messages/resend';
import { sendMessage } from '#messages/http/messages/send';
import { sendBatch } from '#messages/http/messages/send-batch';
import { getMessageTrace } from '#messages/http/messages/trace';
import { backtestRuleRoute } from '#rules/http/chatbot-rules/backtest';
import { createRuleRoute } from '#rules/http/chatbot-rules/create';
import { listDecisionsRoute } from '#rules/http/chatbot-rules/decisions';
import { removeRuleRoute } from '#rules/http/chatbot-rules/delete';
import { getRuleRoute } from '#rules/http/chatbot-rules/get';
import { listRulesRoute } from '#rules/http/chatbot-rules/list';
import { orderRulesRoute } from '#rules/http/chatbot-rules/order';
import { testRulesRoute } from '#rules/http/chatbot-rules/test';
import { changeRuleRoute } from '#rules/http/chatbot-rules/update';
import { createTemplateRoute } from '#templates/http/templates/create';
import { deleteTemplateRoute } from '#templates/http/templates/delete';
import { getTemplate } from '#templates/http/templates/get';
import { listTemplateHistoryRoute } from '#templates/http/templates/history';
import { lintTemplateRoute } from '#templates/http/templates/lint';
import { listTemplatesRoute } from '#templates/http/templates/list';
import { previewTemplateRoute } from '#templates/http/templates/preview';
import { submitTemplateRoute } from '#templates/http/templates/submit';
import { syncTemplatesRoute } from '#templates/http/templates/sync';
import { updateTemplateRoute } from '#templates/http/templates/update';
import { createEndpointRoute } from '#webhooks/http/webhook-endpoints/create';
import { removeEndpointRoute } from '#webhooks/http/webhook-endpoints/delete';
import { listDeliveries } from '#webhooks/http/webhook-endpoints/deliveries';
import { getEndpoint } from '#webhooks/http/webhook-endpoints/get';
import { listEndpoints } from '#webhooks/http/webhook-endpoints/list';
import { recoverEndpoint } from '#webhooks/http/webhook-endpoints/recover';
import { resendDeliveryRoute } from '#webhooks/http/webhook-endpoints/resend';
import { rotateSecretRoute } from '#webhooks/http/webhook-endpoints/rotate-secret';
import { testEndpoint } from '#webhooks/http/webhook-endpoints/send-test';
import { changeEndpointRoute } from '#webhooks/http/webhook-endpoints/update';

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

import { createApiKey } from '#access/http/api-keys/create';
import { getApiKey } from '#access/http/api-keys/get';
import { listApiKeys } from '#access/http/api-keys/list';
import { revokeApiKey } from '#access/http/api-keys/revoke';
import { rotateApiKey } from '#access/http/api-keys/rotate';
import { exportAuditLog } from '#access/http/audit-log/export';
import { listAuditLog } from '#access/http/audit-log/list';
import { unlinkAccountRoute } from '#accounts/http/accounts/delete';
import { getAccount } from '#accounts/http/accounts/get';
import { listAccounts } from '#accounts/http/accounts/list';
import { retryAccount } from '#accounts/http/accounts/retry';
import { completeLinkRoute } from '#accounts/http/linking/callback';
import { getLinkUrl } from '#accounts/http/linking/url';
import { addPhoneNumber } from '#accounts/http/phone-numbers/add';
import { deletePhoneNumber } from '#accounts/http/phone-numbers/delete';
import { getPhoneNumber } from '#accounts/http/phone-numbers/get';
import { listPhoneNumbers } from '#accounts/http/phone-numbers/list';
import { updatePhoneNumber } from '#accounts/http/phone-numbers/update';
import { createAgentRoute } from '#agents/http/agents/create';
import { deleteAgent } from '#agents/http/agents/delete';
import { getAgent } from '#agents/http/agents/get';
import { listAgents } from '#agents/http/agents/list';
import { setAgentPresenceRoute } from '#agents/http/agents/presence';
import { updateAgentRoute } from '#agents/http/agents/update';
import { createBusinessHours } from '#agents/http/business-hours/create';
import { deleteBusinessHours } from '#agents/http/business-hours/delete';
import { getBusinessHours } from '#agents/http/business-hours/get';
import { listBusinessHours } from '#agents/http/business-hours/list';
import { getBusinessHoursState } from '#agents/http/business-hours/state';
import { updateBusinessHours } from '#agents/http/business-hours/update';
import { createTeamRoute } from '#agents/http/teams/create';
import { deleteTeam } from '#agents/http/teams/delete';
import { getTeam } from '#agents/http/teams/get';
import { listTeams } from '#agents/http/teams/list';
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
import { topUpWallet } from '#billing/http/wallet/top-up';
import { listWalletTransactions } from '#billing/http/wallet/transactions';
import { addCampaignRecipientsRoute } from '#campaigns/http/campaigns/add-recipients';
import { cancelCampaign, pauseCampaign, resumeCampaign, startCampaign } from '#campaigns/http/campaigns/command';
import { createCampaignRoute } from '#campaigns/http/campaigns/create';
import { deleteCampaign } from '#campaigns/http/campaigns/delete';
import { getCampaign } from '#campaigns/http/campaigns/get';
import { listCampaignsRoute } from '#campaigns/http/campaigns/list';
import { listCampaignRecipients } from '#campaigns/http/campaigns/list-recipients';
import { preflightCampaignRoute } from '#campaigns/http/campaigns/preflight';
import { retryCampaignRoute } from '#campaigns/http/campaigns/retry';
import { updateCampaign } from '#campaigns/http/campaigns/update';
import { createContactAttribute } from '#contacts/http/contact-attributes/create';
import { deleteContactAttribute } from '#contacts/http/contact-attributes/delete';
import { getContactAttribute } from '#contacts/http/contact-attributes/get';
import { listContactAttributes } from '#contacts/http/contact-attributes/list';
import { updateContactAttribute } from '#contacts/http/contact-attributes/update';
import { blockContact } from '#contacts/http/contacts/block';
import { setContactConsent } from '#contacts/http/contacts/consent';
import { listContactConsents } from '#contacts/http/contacts/consent-history';
import { createContactRoute } from '#contacts/http/contacts/create';
import { exportContacts } from '#contacts/http/contacts/export';
import { getContact } from '#contacts/http/contacts/get';
import { listContactsRoute } from '#contacts/http/contacts/list';
import { searchContacts } from '#contacts/http/contacts/search';
import { updateContactTags } from '#contacts/http/contacts/tags';
import { unblockContact } from '#contacts/http/contacts/unblock';
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
import { updateConversations } from '#conversations/http/conversations/bulk';
import { countConversations } from '#conversations/http/conversations/counts';
import { getConversation } from '#conversations/http/conversations/get';
import { listConversationEvents } from '#conversations/http/conversations/history';
import { leaseConversation } from '#conversations/http/conversations/lease';
import { listConversationsRoute } from '#conversations/http/conversations/list';
import { readConversation } from '#conversations/http/conversations/read';
import { releaseConversation } from '#conversations/http/conversations/release';
import { reopenConversation } from '#conversations/http/conversations/reopen';
import { replyInConversationRoute } from '#conversations/http/conversations/reply';
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
import { createImport } from '#imports/http/contact-imports/create';
import { getImportErrors } from '#imports/http/contact-imports/errors';
import { getImport } from '#imports/http/contact-imports/get';
import { createCampaignImport } from '#imports/http/recipient-imports/create';
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
import { listContactMerges } from '#merges/http/list';
import { mergeContact } from '#merges/http/merge';
import { unmergeContact } from '#merges/http/unmerge';
import { cancelMessageRoute } from '#messages/http/messages/cancel';
import { dryRunMessage } from '#messages/http/messages/dry-run';
import { getMessage } from '#messages/http/messages/get';
import { listInboundMessages } from '#messages/http/messages/list-inbound';
import { listOutboundMessages } from '#messages/http/messages/list-outbound';
import { markMessageRead } from '#messages/http/messages/mark-read';
import { resendMessageRoute } from '#messages/http/messages/resend';
import { sendMessage } from '#messages/http/messages/send';
import { sendMessageBatch } from '#messages/http/messages/send-batch';
import { getMessageTrace } from '#messages/http/messages/trace';
import { backtestRuleRoute } from '#rules/http/chatbot-rules/backtest';
import { createChatbotRule } from '#rules/http/chatbot-rules/create';
import { listRuleDecisions } from '#rules/http/chatbot-rules/decisions';
import { deleteChatbotRule } from '#rules/http/chatbot-rules/delete';
import { getChatbotRule } from '#rules/http/chatbot-rules/get';
import { listChatbotRules } from '#rules/http/chatbot-rules/list';
import { orderChatbotRules } from '#rules/http/chatbot-rules/order';
import { testRulesRoute } from '#rules/http/chatbot-rules/test';
import { updateChatbotRule } from '#rules/http/chatbot-rules/update';
import { createTemplateRoute } from '#templates/http/templates/create';
import { deleteTemplateRoute } from '#templates/http/templates/delete';
import { getTemplate } from '#templates/http/templates/get';
import { listTemplateHistoryRoute } from '#templates/http/templates/history';
import { lintTemplateRoute } from '#templates/http/templates/lint';
import { listTemplates } from '#templates/http/templates/list';
import { previewTemplate } from '#templates/http/templates/preview';
import { submitTemplateRoute } from '#templates/http/templates/submit';
import { syncTemplatesRoute } from '#templates/http/templates/sync';
import { updateTemplate } from '#templates/http/templates/update';
import { createWebhookEndpoint } from '#webhooks/http/webhook-endpoints/create';
import { deleteWebhookEndpoint } from '#webhooks/http/webhook-endpoints/delete';
import { listWebhookDeliveries } from '#webhooks/http/webhook-endpoints/deliveries';
import { getWebhookEndpoint } from '#webhooks/http/webhook-endpoints/get';
import { listWebhookEndpoints } from '#webhooks/http/webhook-endpoints/list';
import { recoverWebhookEndpoint } from '#webhooks/http/webhook-endpoints/recover';
import { resendWebhookDelivery } from '#webhooks/http/webhook-endpoints/resend';
import { rotateWebhookSecret } from '#webhooks/http/webhook-endpoints/rotate-secret';
import { testEndpoint } from '#webhooks/http/webhook-endpoints/send-test';
import { updateWebhookEndpoint } from '#webhooks/http/webhook-endpoints/update';

/** Every endpoint of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  sendMessage,
  dryRunMessage,
  sendMessageBatch,
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
  listTemplates,
  createTemplateRoute,
  lintTemplateRoute,
  syncTemplatesRoute,
  getTemplate,
  updateTemplate,
  deleteTemplateRoute,
  submitTemplateRoute,
  previewTemplate,
  listTemplateHistoryRoute,
  listConversationsRoute,
  countConversations,
  updateConversations,
  getConversation,
  updateConversationRoute,
  listConversationMessages,
  replyInConversationRoute,
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
  completeLinkRoute,
  listAccounts,
  getAccount,
  retryAccount,
  unlinkAccountRoute,
  listPhoneNumbers,
  addPhoneNumber,
  getPhoneNumber,
  updatePhoneNumber,
  deletePhoneNumber,
  listEvents,
  streamEvents,
  getEventRoute,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  testEndpoint,
  listWebhookDeliveries,
  resendWebhookDelivery,
  recoverWebhookEndpoint,
  listContactsRoute,
  createContactRoute,
  searchContacts,
  exportContacts,
  getContact,
  updateContactRoute,
  deleteContactRoute,
  updateContactTags,
  blockContact,
  unblockContact,
  setContactConsent,
  listContactConsents,
  mergeContact,
  unmergeContact,
  listContactMerges,
  listContactAttributes,
  createContactAttribute,
  getContactAttribute,
  updateContactAttribute,
  deleteContactAttribute,
  createImport,
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
  listAgents,
  createAgentRoute,
  getAgent,
  updateAgentRoute,
  deleteAgent,
  setAgentPresenceRoute,
  listTeams,
  createTeamRoute,
  getTeam,
  updateTeamRoute,
  deleteTeam,
  listBusinessHours,
  createBusinessHours,
  getBusinessHours,
  updateBusinessHours,
  deleteBusinessHours,
  getBusinessHoursState,
  getAssignmentLog,
  listChatbotRules,
  createChatbotRule,
  getChatbotRule,
  updateChatbotRule,
  deleteChatbotRule,
  orderChatbotRules,
  testRulesRoute,
  backtestRuleRoute,
  listRuleDecisions,
  listApiKeys,
  createApiKey,
  getApiKey,
  rotateApiKey,
  revokeApiKey,
  listAuditLog,
  exportAuditLog,
  createCampaignRoute,
  listCampaignsRoute,
  getCampaign,
  updateCampaign,
  deleteCampaign,
  addCampaignRecipientsRoute,
  createCampaignImport,
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
  topUpWallet,
  getTopUp,
  getOpenApi,
  getDocs,
  getDocsScript,
  getHealth,
  getReadiness,
  getMetrics,
];

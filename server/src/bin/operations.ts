import { createApiKeyRoute } from '#access/http/api-keys/create';
import { getApiKeyRoute } from '#access/http/api-keys/get';
import { listApiKeysRoute } from '#access/http/api-keys/list';
import { revokeApiKeyRoute } from '#access/http/api-keys/revoke';
import { rotateApiKeyRoute } from '#access/http/api-keys/rotate';
import { exportAuditLogRoute } from '#access/http/audit-log/export';
import { listAuditLogRoute } from '#access/http/audit-log/list';
import { unlinkAccountRoute } from '#accounts/http/accounts/delete';
import { getAccountRoute } from '#accounts/http/accounts/get';
import { listAccountsRoute } from '#accounts/http/accounts/list';
import { retryAccountRoute } from '#accounts/http/accounts/retry';
import { completeLinkRoute } from '#accounts/http/linking/callback';
import { getLinkUrlRoute } from '#accounts/http/linking/url';
import { addPhoneNumberRoute } from '#accounts/http/phone-numbers/add';
import { deletePhoneNumberRoute } from '#accounts/http/phone-numbers/delete';
import { getPhoneNumberRoute } from '#accounts/http/phone-numbers/get';
import { listPhoneNumbersRoute } from '#accounts/http/phone-numbers/list';
import { updatePhoneNumberRoute } from '#accounts/http/phone-numbers/update';
import { createAgentRoute } from '#agents/http/agents/create';
import { deleteAgentRoute } from '#agents/http/agents/delete';
import { getAgentRoute } from '#agents/http/agents/get';
import { listAgentsRoute } from '#agents/http/agents/list';
import { setAgentPresenceRoute } from '#agents/http/agents/presence';
import { updateAgentRoute } from '#agents/http/agents/update';
import { createBusinessHoursRoute } from '#agents/http/business-hours/create';
import { deleteBusinessHoursRoute } from '#agents/http/business-hours/delete';
import { getBusinessHoursRoute } from '#agents/http/business-hours/get';
import { listBusinessHoursRoute } from '#agents/http/business-hours/list';
import { getBusinessHoursStateRoute } from '#agents/http/business-hours/state';
import { updateBusinessHoursRoute } from '#agents/http/business-hours/update';
import { createTeamRoute } from '#agents/http/teams/create';
import { deleteTeamRoute } from '#agents/http/teams/delete';
import { getTeamRoute } from '#agents/http/teams/get';
import { listTeamsRoute } from '#agents/http/teams/list';
import { updateTeamRoute } from '#agents/http/teams/update';
import { getAnalyticsAgentsRoute } from '#analytics/http/analytics/agents';
import { getAnalyticsErrorsRoute } from '#analytics/http/analytics/errors';
import { getAnalyticsFunnelRoute } from '#analytics/http/analytics/funnel';
import { getAnalyticsHeatmapRoute } from '#analytics/http/analytics/heatmap';
import { getAnalyticsResponseTimesRoute } from '#analytics/http/analytics/response-times';
import { getAnalyticsSummaryRoute } from '#analytics/http/analytics/summary';
import { getAnalyticsTimeseriesRoute } from '#analytics/http/analytics/timeseries';
import { getSubscriptionRoute } from '#billing/http/billing/subscription';
import { getUsageRoute } from '#billing/http/billing/usage';
import { getWalletRoute } from '#billing/http/wallet/get';
import { getTopUpRoute } from '#billing/http/wallet/get-top-up';
import { getWalletPricingRoute } from '#billing/http/wallet/pricing';
import { topUpWalletRoute } from '#billing/http/wallet/top-up';
import { listWalletTransactionsRoute } from '#billing/http/wallet/transactions';
import { addCampaignRecipientsRoute } from '#campaigns/http/campaigns/add-recipients';
import { cancelCampaign, pauseCampaign, resumeCampaign, startCampaign } from '#campaigns/http/campaigns/command';
import { createCampaignRoute } from '#campaigns/http/campaigns/create';
import { deleteCampaignRoute } from '#campaigns/http/campaigns/delete';
import { getCampaignRoute } from '#campaigns/http/campaigns/get';
import { listCampaignsRoute } from '#campaigns/http/campaigns/list';
import { listCampaignRecipientsRoute } from '#campaigns/http/campaigns/list-recipients';
import { preflightCampaignRoute } from '#campaigns/http/campaigns/preflight';
import { retryCampaignRoute } from '#campaigns/http/campaigns/retry';
import { updateCampaignRoute } from '#campaigns/http/campaigns/update';
import { createContactAttributeRoute } from '#contacts/http/contact-attributes/create';
import { deleteContactAttributeRoute } from '#contacts/http/contact-attributes/delete';
import { getContactAttributeRoute } from '#contacts/http/contact-attributes/get';
import { listContactAttributesRoute } from '#contacts/http/contact-attributes/list';
import { updateContactAttributeRoute } from '#contacts/http/contact-attributes/update';
import { blockContactRoute } from '#contacts/http/contacts/block';
import { setContactConsentRoute } from '#contacts/http/contacts/consent';
import { listContactConsentsRoute } from '#contacts/http/contacts/consent-history';
import { createContactRoute } from '#contacts/http/contacts/create';
import { exportContactsRoute } from '#contacts/http/contacts/export';
import { getContactRoute } from '#contacts/http/contacts/get';
import { listContactsRoute } from '#contacts/http/contacts/list';
import { searchContactsRoute } from '#contacts/http/contacts/search';
import { updateContactTagsRoute } from '#contacts/http/contacts/tags';
import { unblockContactRoute } from '#contacts/http/contacts/unblock';
import { updateContactRoute } from '#contacts/http/contacts/update';
import { createSegmentRoute } from '#contacts/http/segments/create';
import { deleteSegmentRoute } from '#contacts/http/segments/delete';
import { getSegmentRoute } from '#contacts/http/segments/get';
import { listSegmentsRoute } from '#contacts/http/segments/list';
import { updateSegmentRoute } from '#contacts/http/segments/update';
import { createCannedReplyRoute } from '#conversations/http/canned-replies/create';
import { deleteCannedReplyRoute } from '#conversations/http/canned-replies/delete';
import { getCannedReplyRoute } from '#conversations/http/canned-replies/get';
import { listCannedRepliesRoute } from '#conversations/http/canned-replies/list';
import { updateCannedReplyRoute } from '#conversations/http/canned-replies/update';
import { assignConversationRoute } from '#conversations/http/conversations/assign';
import { getAssignmentLogRoute } from '#conversations/http/conversations/assignment-log';
import { updateConversationsRoute } from '#conversations/http/conversations/bulk';
import { countConversationsRoute } from '#conversations/http/conversations/counts';
import { getConversationRoute } from '#conversations/http/conversations/get';
import { listConversationEventsRoute } from '#conversations/http/conversations/history';
import { leaseConversationRoute } from '#conversations/http/conversations/lease';
import { listConversationsRoute } from '#conversations/http/conversations/list';
import { readConversationRoute } from '#conversations/http/conversations/read';
import { releaseConversationRoute } from '#conversations/http/conversations/release';
import { reopenConversationRoute } from '#conversations/http/conversations/reopen';
import { replyInConversationRoute } from '#conversations/http/conversations/reply';
import { resolveConversationRoute } from '#conversations/http/conversations/resolve';
import { snoozeConversationRoute } from '#conversations/http/conversations/snooze';
import { tagConversationRoute } from '#conversations/http/conversations/tags';
import { listConversationMessagesRoute } from '#conversations/http/conversations/thread';
import { updateConversationRoute } from '#conversations/http/conversations/update';
import { deleteContactRoute } from '#erasure/http/delete-contact';
import { getEventRoute } from '#events/http/get';
import { listEventsRoute } from '#events/http/list';
import { streamEventsRoute } from '#events/http/stream';
import type { Operation } from '#http/operation';
import { createImportRoute } from '#imports/http/contact-imports/create';
import { getImportErrorsRoute } from '#imports/http/contact-imports/errors';
import { getImportRoute } from '#imports/http/contact-imports/get';
import { createCampaignImportRoute } from '#imports/http/recipient-imports/create';
import { getCampaignImportErrorsRoute } from '#imports/http/recipient-imports/errors';
import { getCampaignImportRoute } from '#imports/http/recipient-imports/get';
import { getDocsRoute } from '#maintenance/http/system/docs';
import { getDocsScriptRoute } from '#maintenance/http/system/docs-script';
import { getHealthRoute } from '#maintenance/http/system/healthz';
import { getMetricsRoute } from '#maintenance/http/system/metrics';
import { getOpenApiRoute } from '#maintenance/http/system/openapi';
import { getReadinessRoute } from '#maintenance/http/system/readyz';
import { getMediaContentRoute } from '#media/http/media/content';
import { deleteMediaRoute } from '#media/http/media/delete';
import { getMediaRoute } from '#media/http/media/get';
import { listMediaRoute } from '#media/http/media/list';
import { createResumableUploadRoute } from '#media/http/media/resumable-create';
import { deleteResumableUploadRoute } from '#media/http/media/resumable-delete';
import { getResumableUploadRoute } from '#media/http/media/resumable-get';
import { patchResumableUploadRoute } from '#media/http/media/resumable-patch';
import { uploadMediaRoute } from '#media/http/media/upload';
import { listContactMergesRoute } from '#merges/http/list';
import { mergeContactRoute } from '#merges/http/merge';
import { unmergeContactRoute } from '#merges/http/unmerge';
import { cancelMessageRoute } from '#messages/http/messages/cancel';
import { dryRunMessageRoute } from '#messages/http/messages/dry-run';
import { getMessageRoute } from '#messages/http/messages/get';
import { listInboundMessagesRoute } from '#messages/http/messages/list-inbound';
import { listOutboundMessagesRoute } from '#messages/http/messages/list-outbound';
import { markMessageReadRoute } from '#messages/http/messages/mark-read';
import { resendMessageRoute } from '#messages/http/messages/resend';
import { sendMessageRoute } from '#messages/http/messages/send';
import { sendMessageBatchRoute } from '#messages/http/messages/send-batch';
import { getMessageTraceRoute } from '#messages/http/messages/trace';
import { backtestRuleRoute } from '#rules/http/chatbot-rules/backtest';
import { createChatbotRuleRoute } from '#rules/http/chatbot-rules/create';
import { listRuleDecisionsRoute } from '#rules/http/chatbot-rules/decisions';
import { deleteChatbotRuleRoute } from '#rules/http/chatbot-rules/delete';
import { getChatbotRuleRoute } from '#rules/http/chatbot-rules/get';
import { listChatbotRulesRoute } from '#rules/http/chatbot-rules/list';
import { orderChatbotRulesRoute } from '#rules/http/chatbot-rules/order';
import { testRulesRoute } from '#rules/http/chatbot-rules/test';
import { updateChatbotRuleRoute } from '#rules/http/chatbot-rules/update';
import { createTemplateRoute } from '#templates/http/templates/create';
import { deleteTemplateRoute } from '#templates/http/templates/delete';
import { getTemplateRoute } from '#templates/http/templates/get';
import { listTemplateHistoryRoute } from '#templates/http/templates/history';
import { lintTemplateRoute } from '#templates/http/templates/lint';
import { listTemplatesRoute } from '#templates/http/templates/list';
import { previewTemplateRoute } from '#templates/http/templates/preview';
import { submitTemplateRoute } from '#templates/http/templates/submit';
import { syncTemplatesRoute } from '#templates/http/templates/sync';
import { updateTemplateRoute } from '#templates/http/templates/update';
import { createWebhookEndpointRoute } from '#webhooks/http/webhook-endpoints/create';
import { deleteWebhookEndpointRoute } from '#webhooks/http/webhook-endpoints/delete';
import { listWebhookDeliveriesRoute } from '#webhooks/http/webhook-endpoints/deliveries';
import { getWebhookEndpointRoute } from '#webhooks/http/webhook-endpoints/get';
import { listWebhookEndpointsRoute } from '#webhooks/http/webhook-endpoints/list';
import { recoverWebhookEndpointRoute } from '#webhooks/http/webhook-endpoints/recover';
import { resendWebhookDeliveryRoute } from '#webhooks/http/webhook-endpoints/resend';
import { rotateWebhookSecretRoute } from '#webhooks/http/webhook-endpoints/rotate-secret';
import { testEndpointRoute } from '#webhooks/http/webhook-endpoints/send-test';
import { updateWebhookEndpointRoute } from '#webhooks/http/webhook-endpoints/update';

/** Every endpoint of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  sendMessageRoute,
  dryRunMessageRoute,
  sendMessageBatchRoute,
  getMessageRoute,
  listInboundMessagesRoute,
  listOutboundMessagesRoute,
  getMessageTraceRoute,
  cancelMessageRoute,
  uploadMediaRoute,
  listMediaRoute,
  getMediaRoute,
  getMediaContentRoute,
  deleteMediaRoute,
  createResumableUploadRoute,
  getResumableUploadRoute,
  patchResumableUploadRoute,
  deleteResumableUploadRoute,
  resendMessageRoute,
  markMessageReadRoute,
  listTemplatesRoute,
  createTemplateRoute,
  lintTemplateRoute,
  syncTemplatesRoute,
  getTemplateRoute,
  updateTemplateRoute,
  deleteTemplateRoute,
  submitTemplateRoute,
  previewTemplateRoute,
  listTemplateHistoryRoute,
  listConversationsRoute,
  countConversationsRoute,
  updateConversationsRoute,
  getConversationRoute,
  updateConversationRoute,
  listConversationMessagesRoute,
  replyInConversationRoute,
  listConversationEventsRoute,
  assignConversationRoute,
  snoozeConversationRoute,
  resolveConversationRoute,
  reopenConversationRoute,
  readConversationRoute,
  tagConversationRoute,
  leaseConversationRoute,
  releaseConversationRoute,
  getLinkUrlRoute,
  completeLinkRoute,
  listAccountsRoute,
  getAccountRoute,
  retryAccountRoute,
  unlinkAccountRoute,
  listPhoneNumbersRoute,
  addPhoneNumberRoute,
  getPhoneNumberRoute,
  updatePhoneNumberRoute,
  deletePhoneNumberRoute,
  listEventsRoute,
  streamEventsRoute,
  getEventRoute,
  listWebhookEndpointsRoute,
  createWebhookEndpointRoute,
  getWebhookEndpointRoute,
  updateWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  rotateWebhookSecretRoute,
  testEndpointRoute,
  listWebhookDeliveriesRoute,
  resendWebhookDeliveryRoute,
  recoverWebhookEndpointRoute,
  listContactsRoute,
  createContactRoute,
  searchContactsRoute,
  exportContactsRoute,
  getContactRoute,
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
  getContactAttributeRoute,
  updateContactAttributeRoute,
  deleteContactAttributeRoute,
  createImportRoute,
  getImportRoute,
  getImportErrorsRoute,
  listSegmentsRoute,
  createSegmentRoute,
  getSegmentRoute,
  updateSegmentRoute,
  deleteSegmentRoute,
  listCannedRepliesRoute,
  createCannedReplyRoute,
  getCannedReplyRoute,
  updateCannedReplyRoute,
  deleteCannedReplyRoute,
  listAgentsRoute,
  createAgentRoute,
  getAgentRoute,
  updateAgentRoute,
  deleteAgentRoute,
  setAgentPresenceRoute,
  listTeamsRoute,
  createTeamRoute,
  getTeamRoute,
  updateTeamRoute,
  deleteTeamRoute,
  listBusinessHoursRoute,
  createBusinessHoursRoute,
  getBusinessHoursRoute,
  updateBusinessHoursRoute,
  deleteBusinessHoursRoute,
  getBusinessHoursStateRoute,
  getAssignmentLogRoute,
  listChatbotRulesRoute,
  createChatbotRuleRoute,
  getChatbotRuleRoute,
  updateChatbotRuleRoute,
  deleteChatbotRuleRoute,
  orderChatbotRulesRoute,
  testRulesRoute,
  backtestRuleRoute,
  listRuleDecisionsRoute,
  listApiKeysRoute,
  createApiKeyRoute,
  getApiKeyRoute,
  rotateApiKeyRoute,
  revokeApiKeyRoute,
  listAuditLogRoute,
  exportAuditLogRoute,
  createCampaignRoute,
  listCampaignsRoute,
  getCampaignRoute,
  updateCampaignRoute,
  deleteCampaignRoute,
  addCampaignRecipientsRoute,
  createCampaignImportRoute,
  getCampaignImportRoute,
  getCampaignImportErrorsRoute,
  listCampaignRecipientsRoute,
  preflightCampaignRoute,
  startCampaign,
  pauseCampaign,
  resumeCampaign,
  cancelCampaign,
  retryCampaignRoute,
  getAnalyticsSummaryRoute,
  getAnalyticsTimeseriesRoute,
  getAnalyticsFunnelRoute,
  getAnalyticsErrorsRoute,
  getAnalyticsHeatmapRoute,
  getAnalyticsResponseTimesRoute,
  getAnalyticsAgentsRoute,
  getSubscriptionRoute,
  getUsageRoute,
  getWalletRoute,
  getWalletPricingRoute,
  listWalletTransactionsRoute,
  topUpWalletRoute,
  getTopUpRoute,
  getOpenApiRoute,
  getDocsRoute,
  getDocsScriptRoute,
  getHealthRoute,
  getReadinessRoute,
  getMetricsRoute,
];

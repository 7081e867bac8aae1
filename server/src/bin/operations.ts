import { apiKeyOperations } from '#access/http/api-keys';
import { auditLogOperations } from '#access/http/audit-log';
import { retentionOperations } from '#access/http/retention';
import { accountOperations } from '#accounts/http/accounts';
import { linkingOperations } from '#accounts/http/linking';
import { phoneNumberOperations } from '#accounts/http/phone-numbers';
import { agentOperations } from '#agents/http/agents';
import { businessHoursOperations } from '#agents/http/business-hours';
import { teamOperations } from '#agents/http/teams';
import { authorReportOperations } from '#analytics/http/author-reports';
import { conversationReportOperations } from '#analytics/http/conversation-reports';
import { figureReportOperations } from '#analytics/http/figure-reports';
import { messageReportOperations } from '#analytics/http/message-reports';
import { networkReportOperations } from '#analytics/http/network-reports';
import { networkTemplateReportOperations } from '#analytics/http/network-template-report';
import { subscriptionOperations } from '#billing/http/subscription';
import { walletOperations } from '#billing/http/wallet';
import { numberBlockOperations } from '#business/http/number-blocks';
import { numberCommandOperations } from '#business/http/number-commands';
import { numberNameOperations } from '#business/http/number-names';
import { numberProfileOperations } from '#business/http/number-profile';
import { numberQrCodeOperations } from '#business/http/number-qr-codes';
import { campaignRunOperations } from '#campaigns/http/campaign-runs';
import { campaignOperations } from '#campaigns/http/campaigns';
import { networkDeleteMediaRoutes, networkUploadRoutes } from '#compat/http/network-media';
import { networkMarketingRoutes, networkMessageRoutes } from '#compat/http/network-messages';
import { networkNumberRoutes, networkObjectRoutes } from '#compat/http/network-objects';
import { networkGetTemplateRoutes, networkListTemplatesRoutes } from '#compat/http/network-template-reads';
import { networkCreateTemplateRoutes, networkDeleteTemplateRoutes } from '#compat/http/network-templates';
import { contactAttributeOperations } from '#contacts/http/contact-attributes';
import { contactCommandOperations } from '#contacts/http/contact-commands';
import { contactOperations } from '#contacts/http/contacts';
import { segmentOperations } from '#contacts/http/segments';
import { getAssignmentLogRoute } from '#conversations/http/assignment-log';
import { createConversationRoute } from '#conversations/http/begin-conversation';
import { bulkChangeOperations } from '#conversations/http/bulk-changes';
import { cannedReplyOperations } from '#conversations/http/canned-replies';
import { conversationCommandOperations } from '#conversations/http/conversation-commands';
import { conversationListOperations } from '#conversations/http/conversation-lists';
import { conversationSearchOperations } from '#conversations/http/conversation-search';
import { conversationThreadOperations } from '#conversations/http/conversation-thread';
import { conversationOperations } from '#conversations/http/conversations';
import { draftOperations } from '#conversations/http/drafts';
import { cannedReplyFillOperations } from '#conversations/http/fill-canned-reply';
import { savedViewOperations } from '#conversations/http/saved-views';
import { signalOperations } from '#conversations/http/signals';
import { suggestionOperations } from '#conversations/http/suggestions';
import { deleteContactRoute } from '#erasure/http/delete-contact';
import { eventOperations } from '#events/http/events';
import { flowAnswerOperations } from '#flows/http/flow-answers';
import { flowOperations } from '#flows/http/flows';
import type { Operation } from '#http/operation';
import { contactImportOperations } from '#imports/http/contact-imports';
import { recipientImportOperations } from '#imports/http/recipient-imports';
import { referenceOperations } from '#maintenance/http/reference';
import { systemOperations } from '#maintenance/http/system';
import { mediaOperations } from '#media/http/media';
import { resumableUploadOperations } from '#media/http/resumable-uploads';
import { contactMergeOperations } from '#merges/http/contact-merges';
import { listContactMessagesRoute } from '#messages/http/message-lists';
import { markMessageReadRoute, messageOperations } from '#messages/http/messages';
import { resendMessageRoute, sendOperations } from '#messages/http/send';
import { notificationOperations } from '#notifications/http/notifications';
import { pushOperations } from '#notifications/http/push-subscriptions';
import { chatbotRuleOperations } from '#rules/http/chatbot-rules';
import { ruleDecisionOperations } from '#rules/http/rule-decisions';
import { searchOperations } from '#search/http/search';
import { templateCommandOperations } from '#templates/http/template-commands';
import { templateLibraryOperations } from '#templates/http/template-library';
import { templateOperations } from '#templates/http/templates';
import { timelineOperations } from '#timeline/http/contact-timeline';
import { invitationOperations } from '#users/http/invitations';
import { peopleOperations } from '#users/http/me';
import { passkeyOperations } from '#users/http/passkeys';
import { colleagueOperations } from '#users/http/people';
import { ssoConnectionOperations } from '#users/http/sso-connection';
import { webhookDeliveryOperations } from '#webhooks/http/webhook-deliveries';
import { webhookEndpointOperations } from '#webhooks/http/webhook-endpoints';

/** Every endpoint of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  ...sendOperations,
  ...messageOperations,
  ...mediaOperations,
  ...resumableUploadOperations,
  resendMessageRoute,
  markMessageReadRoute,
  ...templateOperations,
  ...templateCommandOperations,
  ...templateLibraryOperations,
  ...flowOperations,
  ...flowAnswerOperations,
  ...conversationListOperations,
  ...conversationSearchOperations,
  createConversationRoute,
  ...conversationOperations,
  ...conversationThreadOperations,
  ...conversationCommandOperations,
  ...draftOperations,
  ...suggestionOperations,
  ...searchOperations,
  ...signalOperations,
  ...savedViewOperations,
  ...bulkChangeOperations,
  ...linkingOperations,
  ...accountOperations,
  ...phoneNumberOperations,
  ...numberProfileOperations,
  ...numberCommandOperations,
  ...numberQrCodeOperations,
  ...numberNameOperations,
  ...numberBlockOperations,
  ...eventOperations,
  ...webhookEndpointOperations,
  ...webhookDeliveryOperations,
  ...contactOperations,
  deleteContactRoute,
  listContactMessagesRoute,
  ...timelineOperations,
  ...contactCommandOperations,
  ...contactMergeOperations,
  ...contactAttributeOperations,
  ...contactImportOperations,
  ...segmentOperations,
  ...cannedReplyOperations,
  ...cannedReplyFillOperations,
  ...agentOperations,
  ...invitationOperations,
  ...colleagueOperations,
  ...ssoConnectionOperations,
  ...teamOperations,
  ...businessHoursOperations,
  getAssignmentLogRoute,
  ...notificationOperations,
  ...chatbotRuleOperations,
  ...ruleDecisionOperations,
  ...peopleOperations,
  ...passkeyOperations,
  ...pushOperations,
  ...apiKeyOperations,
  ...auditLogOperations,
  ...retentionOperations,
  ...campaignOperations,
  ...recipientImportOperations,
  ...campaignRunOperations,
  ...figureReportOperations,
  ...messageReportOperations,
  ...conversationReportOperations,
  ...authorReportOperations,
  ...networkReportOperations,
  ...networkTemplateReportOperations,
  ...subscriptionOperations,
  ...walletOperations,
  ...referenceOperations,
  ...systemOperations,
];

/** The network's own API, for clients that are written for it: beside the document of the API, which describes what is ours. */
export const networkOperations: readonly Operation[] = [
  ...networkMessageRoutes,
  ...networkMarketingRoutes,
  ...networkUploadRoutes,
  ...networkObjectRoutes,
  ...networkDeleteMediaRoutes,
  ...networkNumberRoutes,
  ...networkListTemplatesRoutes,
  ...networkGetTemplateRoutes,
  ...networkCreateTemplateRoutes,
  ...networkDeleteTemplateRoutes,
];

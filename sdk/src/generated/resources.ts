// Written by npm run gen from contract/openapi.json. Do not edit.
import type { Call, CallOptions, List } from '../call.ts';
import type * as T from './types.ts';

/** Text or a file, for operations that take a table or bytes. */
type Bytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

export interface MessagesResource {
  /** Send a message: `POST /v1/messages`. */
  send(body: T.SendMessageRequest, options?: CallOptions): Call<T.OutboundMessage | T.AcceptedMessage>;
  /** List messages: `GET /v1/messages`. */
  list(query?: T.ListMessagesQuery, options?: CallOptions): List<T.MessageList>;
  /** Check a message without sending it: `POST /v1/messages/dry-run`. */
  dryRun(body: T.SendMessageRequest, options?: CallOptions): Call<T.DryRun>;
  /** Send up to 1000 messages: `POST /v1/messages/batch`. */
  sendBatch(body: T.SendMessageBatchRequest, options?: CallOptions): Call<T.SendMessageBatchResponse>;
  /** Get a message and its delivery: `GET /v1/messages/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Message>;
  /** List inbound messages: `GET /v1/messages/inbound`. */
  listInbound(query?: T.ListInboundMessagesQuery, options?: CallOptions): List<T.InboundMessageList>;
  /** List outbound messages: `GET /v1/messages/outbound`. */
  listOutbound(query?: T.ListOutboundMessagesQuery, options?: CallOptions): List<T.OutboundMessageList>;
  /** Get the trace of a message: `GET /v1/messages/{id}/trace`. */
  getTrace(id: string, options?: CallOptions): Call<T.Trace>;
  /** Cancel a queued message: `POST /v1/messages/{id}/cancel`. */
  cancel(id: string, options?: CallOptions): Call<T.OutboundMessage>;
  /** Resend a failed message: `POST /v1/messages/{id}/resend`. */
  resend(id: string, options?: CallOptions): Call<T.AcceptedMessage>;
  /** Mark an inbound message as read: `POST /v1/messages/{id}/read`. */
  markRead(id: string, body?: T.MarkMessageReadRequest, options?: CallOptions): Call<T.MarkMessageReadResponse>;
}

export interface MediaResource {
  /** Upload media: `POST /v1/media`. */
  upload(body: T.UploadMediaRequest, options?: CallOptions): Call<T.UploadedMedia>;
  /** List media: `GET /v1/media`. */
  list(query?: T.ListMediaQuery, options?: CallOptions): List<T.MediaList>;
  /** Get a media file's metadata: `GET /v1/media/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Media>;
  /** Delete media: `DELETE /v1/media/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.DeleteMediaResponse>;
  /** Download media: `GET /v1/media/{id}/content`. */
  getContent(id: string, options?: CallOptions): Call<Response>;
  /** Upload a file to get a network handle: `POST /v1/media/resumable`. */
  createResumableUpload(body: T.UploadMediaRequest | Bytes, options?: CallOptions): Call<T.CreateResumableUploadResponse>;
  /** Get a resumable upload: `GET /v1/media/resumable/{id}`. */
  getResumableUpload(id: string, options?: CallOptions): Call<T.HandleUpload>;
  /** Upload a chunk (tus): `PATCH /v1/media/resumable/{id}`. */
  patchResumableUpload(id: string, body: Bytes, options?: CallOptions): Call<Response>;
  /** Abort an upload (tus): `DELETE /v1/media/resumable/{id}`. */
  deleteResumableUpload(id: string, options?: CallOptions): Call<Response>;
}

export interface TemplatesResource {
  /** List templates: `GET /v1/templates`. */
  list(query?: T.ListTemplatesQuery, options?: CallOptions): List<T.TemplateList>;
  /** Create a draft template: `POST /v1/templates`. */
  create(body: T.CreateTemplateRequest, options?: CallOptions): Call<T.Template>;
  /** Check a template without saving it: `POST /v1/templates/lint`. */
  lint(body: T.LintTemplateRequest, options?: CallOptions): Call<T.LintTemplateResponse>;
  /** Sync templates from the network: `POST /v1/templates/sync`. */
  sync(body?: T.SyncTemplatesRequest, options?: CallOptions): Call<T.SyncTemplatesResponse>;
  /** Get a template: `GET /v1/templates/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Template>;
  /** Update a template: `PATCH /v1/templates/{id}`. */
  update(id: string, body: T.UpdateTemplateRequest, options?: CallOptions): Call<T.Template>;
  /** Delete a template: `DELETE /v1/templates/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Submit a template for review: `POST /v1/templates/{id}/submit`. */
  submit(id: string, options?: CallOptions): Call<T.Template>;
  /** Preview a template with values: `POST /v1/templates/{id}/preview`. */
  preview(id: string, body: T.PreviewTemplateRequest, options?: CallOptions): Call<T.PreviewTemplateResponse>;
  /** List the history of a template: `GET /v1/templates/{id}/history`. */
  listHistory(id: string, options?: CallOptions): List<T.ListTemplateHistoryResponse>;
  /** Create a draft from the template library: `POST /v1/templates/from-library`. */
  createFromLibrary(body: T.CreateTemplateFromLibraryRequest, options?: CallOptions): Call<T.Template>;
}

export interface TemplateLibraryResource {
  /** List the template library: `GET /v1/template-library`. */
  list(query?: T.ListTemplateLibraryQuery, options?: CallOptions): List<T.LibraryTemplateList>;
}

export interface FlowsResource {
  /** List flows: `GET /v1/flows`. */
  list(query?: T.ListFlowsQuery, options?: CallOptions): List<T.FlowList>;
  /** Create a flow: `POST /v1/flows`. */
  create(body: T.CreateFlowRequest, options?: CallOptions): Call<T.Flow>;
  /** Get a flow: `GET /v1/flows/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Flow>;
  /** Update a flow: `PATCH /v1/flows/{id}`. */
  update(id: string, body: T.UpdateFlowRequest, options?: CallOptions): Call<T.Flow>;
  /** Delete a flow: `DELETE /v1/flows/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.DeleteFlowResponse>;
  /** Upload the JSON of a flow: `PUT /v1/flows/{id}/json`. */
  setJson(id: string, body: T.SetFlowJsonRequest, options?: CallOptions): Call<T.SetFlowJsonResponse>;
  /** Publish a flow: `POST /v1/flows/{id}/publish`. */
  publish(id: string, options?: CallOptions): Call<T.Flow>;
  /** Deprecate a flow: `POST /v1/flows/{id}/deprecate`. */
  deprecate(id: string, options?: CallOptions): Call<T.Flow>;
  /** List the answers of a flow: `GET /v1/flows/{id}/answers`. */
  listAnswers(id: string, query?: T.ListFlowAnswersQuery, options?: CallOptions): List<T.FlowAnswerList>;
}

export interface ConversationsResource {
  /** List conversations: `GET /v1/conversations`. */
  list(query?: T.ListConversationsQuery, options?: CallOptions): List<T.ConversationList>;
  /** Begin a conversation: `POST /v1/conversations`. */
  create(body: T.CreateConversationRequest, options?: CallOptions): Call<T.BegunConversation>;
  /** Count conversations: `GET /v1/conversations/counts`. */
  count(options?: CallOptions): Call<T.CountConversationsResponse>;
  /** Search conversations by a condition: `POST /v1/conversations/search`. */
  search(body: T.SearchConversationsRequest, options?: CallOptions & { readonly query?: T.SearchConversationsQuery | undefined }): List<T.ConversationList>;
  /** Update many conversations: `POST /v1/conversations/bulk`. */
  updateMany(body: T.UpdateConversationsRequest, options?: CallOptions): Call<T.UpdateConversationsResponse>;
  /** Get a conversation: `GET /v1/conversations/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Conversation>;
  /** Update a conversation: `PATCH /v1/conversations/{id}`. */
  update(id: string, body: T.UpdateConversationRequest, options?: CallOptions): Call<T.Conversation>;
  /** List the messages of a conversation: `GET /v1/conversations/{id}/messages`. */
  listMessages(id: string, query?: T.ListConversationMessagesQuery, options?: CallOptions): List<T.ThreadItemList>;
  /** Reply in a conversation, or add a note: `POST /v1/conversations/{id}/messages`. */
  reply(id: string, body: T.ReplyInConversationRequest, options?: CallOptions): Call<T.Note | T.AcceptedMessage>;
  /** List the history of a conversation: `GET /v1/conversations/{id}/events`. */
  listEvents(id: string, query?: T.ListConversationEventsQuery, options?: CallOptions): List<T.ConversationChangeList>;
  /** Assign a conversation to an agent or a team: `POST /v1/conversations/{id}/assign`. */
  assign(id: string, body: T.AssignConversationRequest, options?: CallOptions): Call<T.Conversation>;
  /** Snooze a conversation: `POST /v1/conversations/{id}/snooze`. */
  snooze(id: string, body?: T.SnoozeConversationRequest, options?: CallOptions): Call<T.Conversation>;
  /** Resolve a conversation: `POST /v1/conversations/{id}/resolve`. */
  resolve(id: string, options?: CallOptions): Call<T.Conversation>;
  /** Reopen a conversation: `POST /v1/conversations/{id}/reopen`. */
  reopen(id: string, options?: CallOptions): Call<T.Conversation>;
  /** Mark a conversation as read: `POST /v1/conversations/{id}/read`. */
  read(id: string, options?: CallOptions): Call<T.Conversation>;
  /** Tag a conversation: `POST /v1/conversations/{id}/tags`. */
  tag(id: string, body: T.TagConversationRequest, options?: CallOptions): Call<T.Conversation>;
  /** Lock a conversation while composing a reply: `POST /v1/conversations/{id}/lease`. */
  lease(id: string, options?: CallOptions): Call<T.Conversation>;
  /** Release the lock on a conversation: `DELETE /v1/conversations/{id}/lease`. */
  release(id: string, options?: CallOptions): Call<T.Conversation>;
  /** Get the draft of an agent: `GET /v1/conversations/{id}/draft`. */
  getDraft(id: string, options?: CallOptions): Call<T.ConversationDraft>;
  /** Save the draft of an agent: `PUT /v1/conversations/{id}/draft`. */
  setDraft(id: string, body: T.SetConversationDraftRequest, options?: CallOptions): Call<T.ConversationDraft>;
  /** Delete the draft of an agent: `DELETE /v1/conversations/{id}/draft`. */
  deleteDraft(id: string, options?: CallOptions): Call<T.Deleted>;
  /** List the suggestions of a conversation: `GET /v1/conversations/{id}/suggestions`. */
  listSuggestions(id: string, query?: T.ListSuggestionsQuery, options?: CallOptions): List<T.SuggestionList>;
  /** Suggest an answer: `POST /v1/conversations/{id}/suggestions`. */
  createSuggestion(id: string, body: T.CreateSuggestionRequest, options?: CallOptions): Call<T.Suggestion>;
  /** Signal that an agent is looking or writing: `PUT /v1/conversations/{id}/signal`. */
  setSignal(id: string, body: T.SetConversationSignalRequest, options?: CallOptions): Call<Response>;
  /** Get the assignment log of a conversation: `GET /v1/conversations/{id}/assignment-log`. */
  getAssignmentLog(id: string, options?: CallOptions): Call<T.GetAssignmentLogResponse>;
}

export interface DraftsResource {
  /** List the drafts of an agent: `GET /v1/drafts`. */
  list(query?: T.ListDraftsQuery, options?: CallOptions): List<T.ConversationDraftList>;
}

export interface SuggestionsResource {
  /** Take over a suggestion: `POST /v1/suggestions/{id}/take`. */
  take(id: string, options?: CallOptions): Call<T.Suggestion>;
  /** Discard a suggestion: `POST /v1/suggestions/{id}/discard`. */
  discard(id: string, options?: CallOptions): Call<T.Suggestion>;
}

export interface SearchResource {
  /** Search messages, notes, contacts and conversations: `GET /v1/search`. */
  search(query?: T.SearchQuery, options?: CallOptions): Call<T.SearchResults>;
}

export interface ViewsResource {
  /** List views: `GET /v1/views`. */
  list(options?: CallOptions): List<T.ListViewsResponse>;
  /** Create a view: `POST /v1/views`. */
  create(body: T.CreateViewRequest, options?: CallOptions): Call<T.View>;
  /** Count the conversations of all views: `GET /v1/views/counts`. */
  count(options?: CallOptions): Call<T.CountViewsResponse>;
  /** Get a view: `GET /v1/views/{id}`. */
  get(id: string, options?: CallOptions): Call<T.View>;
  /** Update a view: `PATCH /v1/views/{id}`. */
  update(id: string, body: T.UpdateViewRequest, options?: CallOptions): Call<T.View>;
  /** Delete a view: `DELETE /v1/views/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
}

export interface BulkChangesResource {
  /** Change many conversations in the background: `POST /v1/bulk-changes`. */
  create(body: T.CreateBulkChangeRequest, options?: CallOptions): Call<T.BulkChange>;
  /** List bulk changes: `GET /v1/bulk-changes`. */
  list(query?: T.ListBulkChangesQuery, options?: CallOptions): List<T.BulkChangeList>;
  /** Count the conversations of a bulk change: `POST /v1/bulk-changes/preview`. */
  preview(body: T.PreviewBulkChangeRequest, options?: CallOptions): Call<T.BulkChangePreview>;
  /** Get a bulk change: `GET /v1/bulk-changes/{id}`. */
  get(id: string, options?: CallOptions): Call<T.BulkChange>;
  /** List the conversations of a bulk change: `GET /v1/bulk-changes/{id}/items`. */
  listItems(id: string, query?: T.ListBulkChangeItemsQuery, options?: CallOptions): List<T.BulkChangeItemList>;
  /** Cancel a bulk change: `POST /v1/bulk-changes/{id}/cancel`. */
  cancel(id: string, options?: CallOptions): Call<T.BulkChange>;
  /** Undo a bulk change: `POST /v1/bulk-changes/{id}/undo`. */
  undo(id: string, options?: CallOptions): Call<T.BulkChange>;
}

export interface OauthResource {
  /** Get the URL of the dialog for linking an account: `GET /v1/{platform}/oauth/url`. */
  getLinkUrl(platform: string, options?: CallOptions): Call<T.LinkUrl>;
  /** Complete linking (OAuth callback): `GET /v1/{platform}/oauth/callback`. */
  completeLink(platform: string, query?: T.CompleteLinkQuery, options?: CallOptions): Call<T.Account>;
}

export interface AccountsResource {
  /** List linked accounts: `GET /v1/accounts`. */
  list(query?: T.ListAccountsQuery, options?: CallOptions): List<T.AccountList>;
  /** Get a linked account: `GET /v1/accounts/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Account>;
  /** Unlink an account: `DELETE /v1/accounts/{id}`. */
  unlink(id: string, options?: CallOptions): Call<T.UnlinkAccountResponse>;
  /** Retry the setup of a linked account: `POST /v1/accounts/{id}/retry`. */
  retry(id: string, options?: CallOptions): Call<T.Account>;
}

export interface PhoneNumbersResource {
  /** List sending numbers: `GET /v1/phone-numbers`. */
  list(query?: T.ListPhoneNumbersQuery, options?: CallOptions): List<T.PhoneNumberList>;
  /** Add a sending number: `POST /v1/phone-numbers`. */
  add(body: T.AddPhoneNumberRequest, options?: CallOptions): Call<T.PhoneNumber>;
  /** Get a sending number: `GET /v1/phone-numbers/{id}`. */
  get(id: string, options?: CallOptions): Call<T.PhoneNumber>;
  /** Update, pause or resume a sending number: `PATCH /v1/phone-numbers/{id}`. */
  update(id: string, body: T.UpdatePhoneNumberRequest, options?: CallOptions): Call<T.PhoneNumber>;
  /** Delete a sending number: `DELETE /v1/phone-numbers/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.DeletePhoneNumberResponse>;
  /** Ask for what was before the API: `POST /v1/phone-numbers/{id}/sync`. */
  sync(id: string, body: T.SyncPhoneNumberRequest, options?: CallOptions): Call<T.SyncPhoneNumberResponse>;
  /** Get the business profile of a number: `GET /v1/phone-numbers/{id}/profile`. */
  getProfile(id: string, options?: CallOptions): Call<T.NumberProfile>;
  /** Update the business profile of a number: `PATCH /v1/phone-numbers/{id}/profile`. */
  updateProfile(id: string, body: T.UpdateNumberProfileRequest, options?: CallOptions): Call<T.NumberProfile>;
  /** Set the profile picture of a number: `PUT /v1/phone-numbers/{id}/profile/picture`. */
  setPicture(id: string, body: T.SetNumberPictureRequest, options?: CallOptions): Call<T.NumberProfile>;
  /** Get the ice breakers and commands of a number: `GET /v1/phone-numbers/{id}/commands`. */
  getCommands(id: string, options?: CallOptions): Call<T.NumberCommands>;
  /** Set the ice breakers and commands of a number: `PATCH /v1/phone-numbers/{id}/commands`. */
  updateCommands(id: string, body: T.UpdateNumberCommandsRequest, options?: CallOptions): Call<T.NumberCommands>;
  /** List the QR codes of a number: `GET /v1/phone-numbers/{id}/qr-codes`. */
  listQrCodes(id: string, query?: T.ListNumberQrCodesQuery, options?: CallOptions): List<T.ListNumberQrCodesResponse>;
  /** Create a QR code for a number: `POST /v1/phone-numbers/{id}/qr-codes`. */
  createQrCode(id: string, body: T.CreateNumberQrCodeRequest, options?: CallOptions): Call<T.QrCode>;
  /** Get a QR code of a number: `GET /v1/phone-numbers/{id}/qr-codes/{code}`. */
  getQrCode(id: string, code: string, query?: T.GetNumberQrCodeQuery, options?: CallOptions): Call<T.QrCode>;
  /** Change the text of a QR code: `PATCH /v1/phone-numbers/{id}/qr-codes/{code}`. */
  updateQrCode(id: string, code: string, body: T.UpdateNumberQrCodeRequest, options?: CallOptions): Call<T.QrCode>;
  /** Delete a QR code of a number: `DELETE /v1/phone-numbers/{id}/qr-codes/{code}`. */
  deleteQrCode(id: string, code: string, options?: CallOptions): Call<T.DeleteNumberQrCodeResponse>;
  /** Get the display name of a number: `GET /v1/phone-numbers/{id}/display-name`. */
  getDisplayName(id: string, options?: CallOptions): Call<T.NumberDisplayName>;
  /** Request another display name for a number: `PUT /v1/phone-numbers/{id}/display-name`. */
  requestDisplayName(id: string, body: T.RequestNumberDisplayNameRequest, options?: CallOptions): Call<T.NumberDisplayName>;
  /** Get the username of a number: `GET /v1/phone-numbers/{id}/username`. */
  getUsername(id: string, options?: CallOptions): Call<T.NumberUsername>;
  /** Take a username for a number: `PUT /v1/phone-numbers/{id}/username`. */
  setUsername(id: string, body: T.SetNumberUsernameRequest, options?: CallOptions): Call<T.NumberUsername>;
  /** Give up the username of a number: `DELETE /v1/phone-numbers/{id}/username`. */
  deleteUsername(id: string, options?: CallOptions): Call<T.DeleteNumberUsernameResponse>;
  /** Set the two-step PIN of a number: `PUT /v1/phone-numbers/{id}/pin`. */
  setPin(id: string, body: T.SetNumberPinRequest, options?: CallOptions): Call<T.SetNumberPinResponse>;
  /** List the blocked users of a number: `GET /v1/phone-numbers/{id}/blocked-users`. */
  listBlockedUsers(id: string, query?: T.ListNumberBlockedUsersQuery, options?: CallOptions): List<T.BlockedUserList>;
}

export interface EventsResource {
  /** List events: `GET /v1/events`. */
  list(query?: T.ListEventsQuery, options?: CallOptions): List<T.ListEventsResponse>;
  /** Get an event: `GET /v1/events/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Event>;
}

export interface WebhookEndpointsResource {
  /** List webhook endpoints: `GET /v1/webhook-endpoints`. */
  list(query?: T.ListWebhookEndpointsQuery, options?: CallOptions): List<T.WebhookEndpointList>;
  /** Create a webhook endpoint: `POST /v1/webhook-endpoints`. */
  create(body: T.CreateWebhookEndpointRequest, options?: CallOptions): Call<T.NewWebhookEndpoint>;
  /** Get a webhook endpoint: `GET /v1/webhook-endpoints/{id}`. */
  get(id: string, options?: CallOptions): Call<T.WebhookEndpoint>;
  /** Update, disable or enable a webhook endpoint: `PATCH /v1/webhook-endpoints/{id}`. */
  update(id: string, body: T.UpdateWebhookEndpointRequest, options?: CallOptions): Call<T.WebhookEndpoint>;
  /** Delete a webhook endpoint: `DELETE /v1/webhook-endpoints/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Rotate the secret of a webhook endpoint: `POST /v1/webhook-endpoints/{id}/rotate-secret`. */
  rotateSecret(id: string, body?: T.RotateWebhookSecretRequest, options?: CallOptions): Call<T.NewWebhookEndpoint>;
  /** Send a test event: `POST /v1/webhook-endpoints/{id}/test`. */
  test(id: string, body: T.TestWebhookEndpointRequest, options?: CallOptions): Call<T.WebhookDelivery>;
  /** List the deliveries of a webhook endpoint: `GET /v1/webhook-endpoints/{id}/deliveries`. */
  listDeliveries(id: string, query?: T.ListWebhookDeliveriesQuery, options?: CallOptions): List<T.WebhookDeliveryList>;
  /** Redeliver an event: `POST /v1/webhook-endpoints/{id}/deliveries/{delivery_id}/resend`. */
  resendDelivery(id: string, deliveryId: string, options?: CallOptions): Call<T.WebhookDelivery>;
  /** Redeliver missed events: `POST /v1/webhook-endpoints/{id}/recover`. */
  recover(id: string, body: T.RecoverWebhookEndpointRequest, options?: CallOptions): Call<T.RecoveredWebhooks>;
}

export interface ContactsResource {
  /** List and search contacts: `GET /v1/contacts`. */
  list(query?: T.ListContactsQuery, options?: CallOptions): List<T.ContactList>;
  /** Create a contact: `POST /v1/contacts`. */
  create(body: T.CreateContactRequest, options?: CallOptions & { readonly query?: T.CreateContactQuery | undefined }): Call<T.Contact>;
  /** Search contacts by a condition: `POST /v1/contacts/search`. */
  search(body: T.SearchContactsRequest, options?: CallOptions & { readonly query?: T.SearchContactsQuery | undefined }): List<T.ContactList>;
  /** Export contacts: `GET /v1/contacts/export`. */
  export(query?: T.ExportContactsQuery, options?: CallOptions): Call<Response>;
  /** Get a contact: `GET /v1/contacts/{id}`. */
  get(id: string, options?: CallOptions): Call<T.ContactDetail>;
  /** Update a contact: `PATCH /v1/contacts/{id}`. */
  update(id: string, body: T.UpdateContactRequest, options?: CallOptions): Call<T.Contact>;
  /** Erase a contact: `DELETE /v1/contacts/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.DeleteContactResponse>;
  /** List the messages of a contact: `GET /v1/contacts/{id}/messages`. */
  listMessages(id: string, query?: T.ListContactMessagesQuery, options?: CallOptions): List<T.MessageList>;
  /** List the timeline of a contact: `GET /v1/contacts/{id}/timeline`. */
  listTimeline(id: string, query?: T.ListContactTimelineQuery, options?: CallOptions): List<T.TimelineItemList>;
  /** Add and remove tags of a contact: `POST /v1/contacts/{id}/tags`. */
  updateTags(id: string, body: T.UpdateContactTagsRequest, options?: CallOptions): Call<T.Contact>;
  /** Block a contact: `POST /v1/contacts/{id}/block`. */
  block(id: string, options?: CallOptions): Call<T.Contact>;
  /** Unblock a contact: `POST /v1/contacts/{id}/unblock`. */
  unblock(id: string, options?: CallOptions): Call<T.Contact>;
  /** Record a contact's consent: `POST /v1/contacts/{id}/consent`. */
  setConsent(id: string, body: T.SetContactConsentRequest, options?: CallOptions): Call<T.Contact>;
  /** List the consent history of a contact: `GET /v1/contacts/{id}/consent/history`. */
  listConsents(id: string, options?: CallOptions): List<T.ListContactConsentsResponse>;
  /** Merge a contact into another: `POST /v1/contacts/{id}/merge`. */
  merge(id: string, body: T.MergeContactRequest, options?: CallOptions): Call<T.Contact>;
  /** Undo a merge: `POST /v1/contacts/{id}/unmerge`. */
  unmerge(id: string, options?: CallOptions): Call<T.Contact>;
  /** List the merges of a contact: `GET /v1/contacts/{id}/merges`. */
  listMerges(id: string, query?: T.ListContactMergesQuery, options?: CallOptions): List<T.ContactMergeList>;
}

export interface ContactAttributesResource {
  /** List contact attributes: `GET /v1/contact-attributes`. */
  list(query?: T.ListContactAttributesQuery, options?: CallOptions): List<T.ContactAttributeList>;
  /** Create a contact attribute: `POST /v1/contact-attributes`. */
  create(body: T.CreateContactAttributeRequest, options?: CallOptions): Call<T.ContactAttribute>;
  /** Get a contact attribute: `GET /v1/contact-attributes/{id}`. */
  get(id: string, options?: CallOptions): Call<T.ContactAttribute>;
  /** Rename a contact attribute: `PATCH /v1/contact-attributes/{id}`. */
  update(id: string, body: T.UpdateContactAttributeRequest, options?: CallOptions): Call<T.ContactAttribute>;
  /** Delete a contact attribute: `DELETE /v1/contact-attributes/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
}

export interface ImportsResource {
  /** Import contacts from a file: `POST /v1/imports`. */
  create(body: T.CreateImportRequest | Bytes, options?: CallOptions & { readonly query?: T.CreateImportQuery | undefined }): Call<T.ContactImport>;
  /** Get the progress of an import: `GET /v1/imports/{id}`. */
  get(id: string, options?: CallOptions): Call<T.ContactImport>;
  /** Get the rows that an import skipped: `GET /v1/imports/{id}/errors`. */
  getErrors(id: string, options?: CallOptions): Call<Response>;
}

export interface SegmentsResource {
  /** List segments: `GET /v1/segments`. */
  list(query?: T.ListSegmentsQuery, options?: CallOptions): List<T.SegmentList>;
  /** Create a segment: `POST /v1/segments`. */
  create(body: T.CreateSegmentRequest, options?: CallOptions): Call<T.Segment>;
  /** Get a segment: `GET /v1/segments/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Segment>;
  /** Update a segment: `PATCH /v1/segments/{id}`. */
  update(id: string, body: T.UpdateSegmentRequest, options?: CallOptions): Call<T.Segment>;
  /** Delete a segment: `DELETE /v1/segments/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
}

export interface CannedRepliesResource {
  /** List canned replies: `GET /v1/canned-replies`. */
  list(query?: T.ListCannedRepliesQuery, options?: CallOptions): List<T.CannedReplyList>;
  /** Create a canned reply: `POST /v1/canned-replies`. */
  create(body: T.CreateCannedReplyRequest, options?: CallOptions): Call<T.CannedReply>;
  /** Get a canned reply: `GET /v1/canned-replies/{id}`. */
  get(id: string, options?: CallOptions): Call<T.CannedReply>;
  /** Update a canned reply: `PATCH /v1/canned-replies/{id}`. */
  update(id: string, body: T.UpdateCannedReplyRequest, options?: CallOptions): Call<T.CannedReply>;
  /** Delete a canned reply: `DELETE /v1/canned-replies/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Fill a canned reply for a contact: `POST /v1/canned-replies/{id}/fill`. */
  fill(id: string, body: T.FillCannedReplyRequest, options?: CallOptions): Call<T.FilledReply>;
}

export interface AgentsResource {
  /** List agents: `GET /v1/agents`. */
  list(query?: T.ListAgentsQuery, options?: CallOptions): List<T.AgentList>;
  /** Create an agent: `POST /v1/agents`. */
  create(body: T.CreateAgentRequest, options?: CallOptions): Call<T.Agent>;
  /** Get an agent: `GET /v1/agents/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Agent>;
  /** Update an agent: `PATCH /v1/agents/{id}`. */
  update(id: string, body: T.UpdateAgentRequest, options?: CallOptions): Call<T.Agent>;
  /** Delete an agent: `DELETE /v1/agents/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Update an agent's presence: `POST /v1/agents/{id}/presence`. */
  setPresence(id: string, body?: T.SetAgentPresenceRequest, options?: CallOptions): Call<T.Agent>;
  /** Invite a person to sign in as an agent: `POST /v1/agents/{id}/invitation`. */
  invite(id: string, body?: T.InviteAgentRequest, options?: CallOptions): Call<T.Invitation>;
  /** Withdraw an invitation: `DELETE /v1/agents/{id}/invitation`. */
  withdrawInvitation(id: string, options?: CallOptions): Call<T.Deleted>;
  /** List an agent's sessions: `GET /v1/agents/{id}/sessions`. */
  listSessions(id: string, options?: CallOptions): List<T.AgentSessionList>;
  /** End an agent's sessions: `POST /v1/agents/{id}/end-sessions`. */
  endSessions(id: string, body?: T.EndAgentSessionsRequest, options?: CallOptions): Call<T.EndedSessions>;
}

export interface PeopleResource {
  /** List people: `GET /v1/people`. */
  list(query?: T.ListPeopleQuery, options?: CallOptions): List<T.PersonList>;
}

export interface SsoConnectionResource {
  /** Get the single sign-on connection: `GET /v1/sso-connection`. */
  get(options?: CallOptions): Call<T.SsoConnection>;
  /** Set the single sign-on connection: `PUT /v1/sso-connection`. */
  set(body: T.SetSsoConnectionRequest, options?: CallOptions): Call<T.SsoConnection>;
  /** Delete the single sign-on connection: `DELETE /v1/sso-connection`. */
  delete(options?: CallOptions): Call<T.Deleted>;
  /** Test an issuer for single sign-on: `POST /v1/sso-connection/test`. */
  test(body: T.TestSsoConnectionRequest, options?: CallOptions): Call<T.SsoTest>;
}

export interface TeamsResource {
  /** List teams: `GET /v1/teams`. */
  list(query?: T.ListTeamsQuery, options?: CallOptions): List<T.TeamList>;
  /** Create a team: `POST /v1/teams`. */
  create(body: T.CreateTeamRequest, options?: CallOptions): Call<T.Team>;
  /** Get a team: `GET /v1/teams/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Team>;
  /** Update a team: `PATCH /v1/teams/{id}`. */
  update(id: string, body: T.UpdateTeamRequest, options?: CallOptions): Call<T.Team>;
  /** Delete a team: `DELETE /v1/teams/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
}

export interface BusinessHoursResource {
  /** List business hours: `GET /v1/business-hours`. */
  list(query?: T.ListBusinessHoursQuery, options?: CallOptions): List<T.BusinessHoursList>;
  /** Create business hours: `POST /v1/business-hours`. */
  create(body: T.CreateBusinessHoursRequest, options?: CallOptions): Call<T.BusinessHours>;
  /** Get business hours: `GET /v1/business-hours/{id}`. */
  get(id: string, options?: CallOptions): Call<T.BusinessHours>;
  /** Update business hours: `PATCH /v1/business-hours/{id}`. */
  update(id: string, body: T.UpdateBusinessHoursRequest, options?: CallOptions): Call<T.BusinessHours>;
  /** Delete business hours: `DELETE /v1/business-hours/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Check whether it is open now: `GET /v1/business-hours/{id}/state`. */
  getState(id: string, query?: T.GetBusinessHoursStateQuery, options?: CallOptions): Call<T.BusinessHoursState>;
}

export interface NotificationsResource {
  /** List notifications: `GET /v1/notifications`. */
  list(query?: T.ListNotificationsQuery, options?: CallOptions): List<T.NotificationList>;
  /** Mark notifications as read: `POST /v1/notifications/read`. */
  read(body: T.ReadNotificationsRequest, options?: CallOptions): Call<T.UnreadNotifications>;
}

export interface ChatbotRulesResource {
  /** List chatbot rules: `GET /v1/chatbot-rules`. */
  list(query?: T.ListChatbotRulesQuery, options?: CallOptions): List<T.ListChatbotRulesResponse>;
  /** Create a chatbot rule: `POST /v1/chatbot-rules`. */
  create(body: T.CreateChatbotRuleRequest, options?: CallOptions): Call<T.ChatbotRule>;
  /** Get a chatbot rule: `GET /v1/chatbot-rules/{id}`. */
  get(id: string, options?: CallOptions): Call<T.ChatbotRule>;
  /** Update a chatbot rule, or turn it on or off: `PATCH /v1/chatbot-rules/{id}`. */
  update(id: string, body: T.UpdateChatbotRuleRequest, options?: CallOptions): Call<T.ChatbotRule>;
  /** Delete a chatbot rule: `DELETE /v1/chatbot-rules/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Reorder chatbot rules: `POST /v1/chatbot-rules/order`. */
  order(body: T.OrderChatbotRulesRequest, options?: CallOptions): Call<T.ListChatbotRulesResponse>;
  /** Test chatbot rules: `POST /v1/chatbot-rules/test`. */
  test(body: T.TestChatbotRulesRequest, options?: CallOptions): Call<T.TestChatbotRulesResponse>;
  /** Test a chatbot rule on past messages: `POST /v1/chatbot-rules/backtest`. */
  backtest(body: T.BacktestChatbotRuleRequest, options?: CallOptions): Call<T.BacktestChatbotRuleResponse>;
  /** List the decisions of chatbot rules: `GET /v1/chatbot-rules/decisions`. */
  listDecisions(query?: T.ListRuleDecisionsQuery, options?: CallOptions): List<T.RuleDecisionList>;
}

export interface SessionsResource {
  /** Sign in as a person: `POST /v1/sessions`. */
  create(body: T.CreateSessionRequest, options?: CallOptions): Call<T.Me>;
  /** List own sessions: `GET /v1/sessions`. */
  list(options?: CallOptions): List<T.SessionList>;
  /** End a session: `DELETE /v1/sessions/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
}

export interface RecoveriesResource {
  /** Recover an account whose password was forgotten: `POST /v1/recoveries`. */
  create(body: T.CreateRecoveryRequest, options?: CallOptions): Call<T.Recovery>;
}

export interface MeResource {
  /** Get the person who is signed in: `GET /v1/me`. */
  get(options?: CallOptions): Call<T.Me>;
  /** Update the person who is signed in: `PATCH /v1/me`. */
  update(body: T.UpdateMeRequest, options?: CallOptions): Call<T.Me>;
  /** Mail a link that confirms the own address: `POST /v1/me/email/confirmation`. */
  sendEmailConfirmation(options?: CallOptions): Call<T.ConfirmationMail>;
  /** Confirm the own address: `PUT /v1/me/email/confirmation`. */
  confirmEmail(body: T.ConfirmEmailRequest, options?: CallOptions): Call<T.Me>;
  /** Set the own password: `PUT /v1/me/password`. */
  setPassword(body: T.SetPasswordRequest, options?: CallOptions): Call<T.Me>;
  /** Delete the own password: `DELETE /v1/me/password`. */
  deletePassword(options?: CallOptions): Call<T.Deleted>;
  /** Begin to set up an authenticator app: `POST /v1/me/totp`. */
  beginTotp(options?: CallOptions): Call<T.NewTotp>;
  /** Remove the authenticator app: `DELETE /v1/me/totp`. */
  deleteTotp(options?: CallOptions): Call<T.Deleted>;
  /** Take an authenticator app into use: `POST /v1/me/totp/confirm`. */
  confirmTotp(body: T.ConfirmTotpRequest, options?: CallOptions): Call<T.RecoveryCodes>;
  /** Create new recovery codes: `POST /v1/me/recovery-codes`. */
  createRecoveryCodes(options?: CallOptions): Call<T.RecoveryCodes>;
  /** List own passkeys: `GET /v1/me/passkeys`. */
  listPasskeys(options?: CallOptions): List<T.PasskeyList>;
  /** Add a passkey: `POST /v1/me/passkeys`. */
  addPasskey(body: T.AddPasskeyRequest, options?: CallOptions): Call<T.Passkey>;
  /** Begin to add a passkey: `POST /v1/me/passkeys/challenge`. */
  createOwnPasskeyChallenge(options?: CallOptions): Call<T.PasskeyChallenge>;
  /** Rename a passkey: `PATCH /v1/me/passkeys/{id}`. */
  updatePasskey(id: string, body: T.UpdatePasskeyRequest, options?: CallOptions): Call<T.Passkey>;
  /** Remove a passkey: `DELETE /v1/me/passkeys/{id}`. */
  deletePasskey(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Get the key for push notifications: `GET /v1/me/push-key`. */
  getPushKey(options?: CallOptions): Call<T.PushKey>;
  /** List browsers with push notifications: `GET /v1/me/push-subscriptions`. */
  listPushSubscriptions(options?: CallOptions): List<T.PushSubscriptionList>;
  /** Turn on push notifications in a browser: `PUT /v1/me/push-subscriptions`. */
  putPushSubscription(body: T.PutPushSubscriptionRequest, options?: CallOptions): Call<T.PushSubscription>;
  /** Turn off push notifications in a browser: `DELETE /v1/me/push-subscriptions/{id}`. */
  deletePushSubscription(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Report notifications as shown: `POST /v1/me/notifications/shown`. */
  reportShownNotifications(body: T.ReportShownNotificationsRequest, options?: CallOptions): Call<T.UnreadNotifications>;
}

export interface PasskeysResource {
  /** Begin to sign in with a passkey: `POST /v1/passkeys/challenge`. */
  createChallenge(options?: CallOptions): Call<T.PasskeyChallenge>;
  /** Sign in with a passkey: `POST /v1/passkeys/sessions`. */
  createSession(body: T.CreatePasskeySessionRequest, options?: CallOptions): Call<T.Me>;
}

export interface ApiKeysResource {
  /** List API keys: `GET /v1/api-keys`. */
  list(query?: T.ListApiKeysQuery, options?: CallOptions): List<T.ApiKeyList>;
  /** Create an API key: `POST /v1/api-keys`. */
  create(body: T.CreateApiKeyRequest, options?: CallOptions): Call<T.NewApiKey>;
  /** Get an API key: `GET /v1/api-keys/{id}`. */
  get(id: string, options?: CallOptions): Call<T.ApiKey>;
  /** Revoke an API key: `DELETE /v1/api-keys/{id}`. */
  revoke(id: string, options?: CallOptions): Call<T.ApiKey>;
  /** Rotate an API key: `POST /v1/api-keys/{id}/rotate`. */
  rotate(id: string, body?: T.RotateApiKeyRequest, options?: CallOptions): Call<T.NewApiKey>;
}

export interface AuditLogResource {
  /** List audit log entries: `GET /v1/audit-log`. */
  list(query?: T.ListAuditLogQuery, options?: CallOptions): List<T.AuditEntryList>;
  /** Export the audit log: `GET /v1/audit-log/export`. */
  export(query?: T.ExportAuditLogQuery, options?: CallOptions): Call<Response>;
}

export interface SystemResource {
  /** Get how long data is kept: `GET /v1/retention`. */
  getRetention(options?: CallOptions): Call<T.Retention>;
  /** Change how long data is kept: `PATCH /v1/retention`. */
  updateRetention(body: T.UpdateRetentionRequest, options?: CallOptions): Call<T.Retention>;
  /** Get the API description: `GET /v1/openapi.json`. */
  getOpenApi(options?: CallOptions): Call<T.SetFlowJsonRequest>;
  /** Open the API reference: `GET /docs`. */
  getDocs(options?: CallOptions): Call<Response>;
  /** Get the script of the API reference: `GET /docs/reference.js`. */
  getDocsScript(options?: CallOptions): Call<Response>;
  /** Check that the process is alive: `GET /healthz`. */
  getHealth(options?: CallOptions): Call<T.GetHealthResponse>;
  /** Check that the process can do its work: `GET /readyz`. */
  getReadiness(options?: CallOptions): Call<T.GetReadinessResponse>;
  /** Get metrics: `GET /metrics`. */
  getMetrics(options?: CallOptions): Call<Response>;
}

export interface CampaignsResource {
  /** Create a campaign: `POST /v1/campaigns`. */
  create(body: T.CreateCampaignRequest, options?: CallOptions): Call<T.Campaign>;
  /** List campaigns: `GET /v1/campaigns`. */
  list(query?: T.ListCampaignsQuery, options?: CallOptions): List<T.CampaignList>;
  /** Get a campaign: `GET /v1/campaigns/{id}`. */
  get(id: string, options?: CallOptions): Call<T.Campaign>;
  /** Update a draft campaign: `PATCH /v1/campaigns/{id}`. */
  update(id: string, body: T.UpdateCampaignRequest, options?: CallOptions): Call<T.Campaign>;
  /** Delete a draft campaign: `DELETE /v1/campaigns/{id}`. */
  delete(id: string, options?: CallOptions): Call<T.Deleted>;
  /** Add recipients to a draft campaign: `POST /v1/campaigns/{id}/recipients`. */
  addRecipients(id: string, body: T.AddCampaignRecipientsRequest, options?: CallOptions): Call<T.AddCampaignRecipientsResponse>;
  /** List the recipients of a campaign: `GET /v1/campaigns/{id}/recipients`. */
  listRecipients(id: string, query?: T.ListCampaignRecipientsQuery, options?: CallOptions): List<T.CampaignRecipientList>;
  /** Import recipients into a draft campaign: `POST /v1/campaigns/{id}/imports`. */
  createImport(id: string, body: T.CreateCampaignImportRequest | Bytes, options?: CallOptions & { readonly query?: T.CreateCampaignImportQuery | undefined }): Call<T.CampaignImport>;
  /** Preflight a campaign: `POST /v1/campaigns/{id}/preflight`. */
  preflight(id: string, options?: CallOptions): Call<T.CampaignPreflight>;
  /** Start a campaign: `POST /v1/campaigns/{id}/start`. */
  start(id: string, options?: CallOptions): Call<T.Campaign>;
  /** Pause a campaign: `POST /v1/campaigns/{id}/pause`. */
  pause(id: string, options?: CallOptions): Call<T.Campaign>;
  /** Resume a campaign: `POST /v1/campaigns/{id}/resume`. */
  resume(id: string, options?: CallOptions): Call<T.Campaign>;
  /** Cancel a campaign: `POST /v1/campaigns/{id}/cancel`. */
  cancel(id: string, options?: CallOptions): Call<T.Campaign>;
  /** Retry some recipients of a campaign: `POST /v1/campaigns/{id}/retry`. */
  retry(id: string, body: T.RetryCampaignRequest, options?: CallOptions): Call<T.RetryCampaignResponse>;
}

export interface CampaignImportsResource {
  /** Get the progress of a recipient import: `GET /v1/campaign-imports/{id}`. */
  get(id: string, options?: CallOptions): Call<T.CampaignImport>;
  /** Get the rows that a recipient import skipped: `GET /v1/campaign-imports/{id}/errors`. */
  getErrors(id: string, options?: CallOptions): Call<Response>;
}

export interface AnalyticsResource {
  /** Get summary metrics: `GET /v1/analytics/summary`. */
  getSummary(query?: T.GetAnalyticsSummaryQuery, options?: CallOptions): Call<T.GetAnalyticsSummaryResponse>;
  /** Get metrics over time: `GET /v1/analytics/timeseries`. */
  getTimeseries(query?: T.GetAnalyticsTimeseriesQuery, options?: CallOptions): Call<T.GetAnalyticsTimeseriesResponse>;
  /** Get the message funnel: `GET /v1/analytics/funnel`. */
  getFunnel(query?: T.GetAnalyticsFunnelQuery, options?: CallOptions): Call<T.GetAnalyticsFunnelResponse>;
  /** Get failures by reason: `GET /v1/analytics/errors`. */
  getErrors(query?: T.GetAnalyticsErrorsQuery, options?: CallOptions): Call<T.GetAnalyticsErrorsResponse>;
  /** Get the heatmap of messages by hour: `GET /v1/analytics/heatmap`. */
  getHeatmap(query?: T.GetAnalyticsHeatmapQuery, options?: CallOptions): Call<T.GetAnalyticsHeatmapResponse>;
  /** Get response times: `GET /v1/analytics/response-times`. */
  getResponseTimes(query?: T.GetAnalyticsResponseTimesQuery, options?: CallOptions): Call<T.GetAnalyticsResponseTimesResponse>;
  /** Get agent metrics: `GET /v1/analytics/agents`. */
  getAgents(query?: T.GetAnalyticsAgentsQuery, options?: CallOptions): Call<T.GetAnalyticsAgentsResponse>;
  /** Get who wrote messages: `GET /v1/analytics/authors`. */
  getAuthors(query?: T.GetAnalyticsAuthorsQuery, options?: CallOptions): Call<T.GetAnalyticsAuthorsResponse>;
  /** Get the network's message metrics: `GET /v1/analytics/network/messages`. */
  getNetworkMessage(query?: T.GetNetworkMessageAnalyticsQuery, options?: CallOptions): Call<T.GetNetworkMessageAnalyticsResponse>;
  /** Get the network's message prices: `GET /v1/analytics/network/pricing`. */
  getNetworkPricing(query?: T.GetNetworkPricingAnalyticsQuery, options?: CallOptions): Call<T.GetNetworkPricingAnalyticsResponse>;
  /** Get the network's conversation prices: `GET /v1/analytics/network/conversations`. */
  getNetworkConversation(query?: T.GetNetworkConversationAnalyticsQuery, options?: CallOptions): Call<T.GetNetworkConversationAnalyticsResponse>;
  /** Get the network's template metrics: `GET /v1/analytics/network/templates`. */
  getNetworkTemplate(query?: T.GetNetworkTemplateAnalyticsQuery, options?: CallOptions): Call<T.GetNetworkTemplateAnalyticsResponse>;
}

export interface SubscriptionResource {
  /** Get the subscription: `GET /v1/subscription`. */
  get(options?: CallOptions): Call<T.Subscription>;
}

export interface UsageResource {
  /** Get the usage of a month: `GET /v1/usage`. */
  get(query?: T.GetUsageQuery, options?: CallOptions): Call<T.Usage>;
}

export interface WalletResource {
  /** Get the wallet: `GET /v1/wallet`. */
  get(options?: CallOptions): Call<T.Wallet>;
  /** Get message prices: `GET /v1/wallet/pricing`. */
  getPricing(options?: CallOptions): Call<T.Pricing>;
  /** List wallet transactions: `GET /v1/wallet/transactions`. */
  listTransactions(query?: T.ListWalletTransactionsQuery, options?: CallOptions): List<T.WalletTransactionList>;
  /** Top up the wallet: `POST /v1/wallet/topups`. */
  topUp(body: T.TopUpWalletRequest, options?: CallOptions): Call<T.BegunTopUp>;
  /** Get a top-up: `GET /v1/wallet/topups/{id}`. */
  getTopUp(id: string, options?: CallOptions): Call<T.TopUp>;
}

/** Every resource of the service. */
export interface Resources {
  readonly messages: MessagesResource;
  readonly media: MediaResource;
  readonly templates: TemplatesResource;
  readonly templateLibrary: TemplateLibraryResource;
  readonly flows: FlowsResource;
  readonly conversations: ConversationsResource;
  readonly drafts: DraftsResource;
  readonly suggestions: SuggestionsResource;
  readonly search: SearchResource;
  readonly views: ViewsResource;
  readonly bulkChanges: BulkChangesResource;
  readonly oauth: OauthResource;
  readonly accounts: AccountsResource;
  readonly phoneNumbers: PhoneNumbersResource;
  readonly events: EventsResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly contacts: ContactsResource;
  readonly contactAttributes: ContactAttributesResource;
  readonly imports: ImportsResource;
  readonly segments: SegmentsResource;
  readonly cannedReplies: CannedRepliesResource;
  readonly agents: AgentsResource;
  readonly people: PeopleResource;
  readonly ssoConnection: SsoConnectionResource;
  readonly teams: TeamsResource;
  readonly businessHours: BusinessHoursResource;
  readonly notifications: NotificationsResource;
  readonly chatbotRules: ChatbotRulesResource;
  readonly sessions: SessionsResource;
  readonly recoveries: RecoveriesResource;
  readonly me: MeResource;
  readonly passkeys: PasskeysResource;
  readonly apiKeys: ApiKeysResource;
  readonly auditLog: AuditLogResource;
  readonly system: SystemResource;
  readonly campaigns: CampaignsResource;
  readonly campaignImports: CampaignImportsResource;
  readonly analytics: AnalyticsResource;
  readonly subscription: SubscriptionResource;
  readonly usage: UsageResource;
  readonly wallet: WalletResource;
}

import { Client as GreatDetail, MessageType } from '@great-detail/whatsapp';
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { WhatsAppBusinessSDK } from '@microfox/whatsapp-business';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Image,
  Interactive,
  Reaction,
  Template,
  Text,
} from 'whatsapp-api-js/messages';

/*
 * Client libraries of the network as their authors published them, told where the service is and which key to use and nothing more. Each
 * offers the same calls here, so that one test can ask for the same of all of them.
 */

/** What a client is pointed at. */
export interface ClientTarget {
  readonly url: string;
  readonly key: string;
  readonly phoneNumberId: string;
  readonly accountId: string;
}

/** Calls that send return the message id of the answer. What a library cannot do is absent. */
export interface PublishedClient {
  text(to: string, body: string, quoted?: string): Promise<string>;
  buttons(to: string): Promise<string>;
  template(to: string, name: string): Promise<string>;
  image(to: string, mediaId: string): Promise<string>;
  react(to: string, messageId: string): Promise<string>;
  /** By the user id that the network has for somebody who shows no number. */
  textToUser?(userId: string): Promise<string>;
  markRead(messageId: string): Promise<boolean>;
  upload(file: Blob): Promise<string>;
  download(mediaId: string): Promise<ArrayBuffer>;
  deleteMedia?(mediaId: string): Promise<boolean>;
  createTemplate?(name: string): Promise<string>;
  /** The status of one template. */
  templateStatus?(id: string): Promise<string | undefined>;
  templateNames?(): Promise<readonly string[]>;
  deleteTemplate?(name: string): Promise<boolean>;
}

const VERSION = 'v23.0';
const BUTTONS = { type: 'button', body: 'Well?', id: 'yes', title: 'Yes' } as const;
const PARAMETER = 'A-17';
const CAPTION = 'Here';
const EMOJI = '👍';

/** The template that clients create: its body has one variable. */
const newTemplate = (name: string) => ({
  name,
  language: 'en_US' as const,
  category: 'UTILITY' as const,
  components: [{ type: 'BODY' as const, text: 'Order {{1}} is ready.', example: { body_text: [[PARAMETER]] } }],
});
const bodyComponent = { type: 'body' as const, parameters: [{ type: 'text' as const, text: PARAMETER }] };

/** The id in the network's answer to a send; its error becomes a failure of the test. */
function idIn(answer: unknown): string {
  const { messages } = answer as { readonly messages?: readonly { readonly id: string }[] };
  const id = messages?.[0]?.id;
  if (id === undefined) throw new Error(`The client got ${JSON.stringify(answer)}`);
  return id;
}

/** Takes its base address and, for downloads, has to be told to show its key there. */
function kapso({ url, key, phoneNumberId, accountId: businessAccountId }: ClientTarget): PublishedClient {
  const client = new WhatsAppClient({ baseUrl: url, accessToken: key, graphVersion: VERSION });
  const { messages, media, templates } = client;
  return {
    text: async (to, body, quoted) =>
      idIn(await messages.sendText({ phoneNumberId, to, body, ...(quoted && { contextMessageId: quoted }) })),
    buttons: async (to) => {
      const buttons = [{ id: BUTTONS.id, title: BUTTONS.title }];
      return idIn(await messages.sendInteractiveButtons({ phoneNumberId, to, bodyText: BUTTONS.body, buttons }));
    },
    template: async (to, name) => {
      const template = { name, language: { code: 'en_US' }, components: [bodyComponent] };
      return idIn(await messages.sendTemplate({ phoneNumberId, to, template }));
    },
    image: async (to, id) => idIn(await messages.sendImage({ phoneNumberId, to, image: { id, caption: CAPTION } })),
    react: async (to, messageId) =>
      idIn(await messages.sendReaction({ phoneNumberId, to, reaction: { messageId, emoji: EMOJI } })),
    textToUser: async (recipient) => idIn(await messages.sendText({ phoneNumberId, recipient, body: 'Hello' })),
    markRead: async (messageId) => (await messages.markRead({ phoneNumberId, messageId })).success,
    upload: async (file) => (await media.upload({ phoneNumberId, type: 'image', file, fileName: 'parcel.jpg' })).id,
    download: (mediaId) => media.download({ mediaId, phoneNumberId, auth: 'always' }) as Promise<ArrayBuffer>,
    deleteMedia: async (mediaId) => (await media.delete({ mediaId, phoneNumberId })).success,
    createTemplate: async (name) => (await templates.create({ businessAccountId, ...newTemplate(name) })).id,
    templateStatus: async (templateId) => (await templates.get({ businessAccountId, templateId })).status,
    templateNames: async () => (await templates.list({ businessAccountId })).data.map(({ name }) => name),
    deleteTemplate: async (name) => (await templates.delete({ businessAccountId, name })).success,
  };
}

/** Has no base address: the `fetch` that it accepts sends its requests to another origin. */
function whatsappApiJs({ url, key: token, phoneNumberId: number }: ClientTarget): PublishedClient {
  const rerouted: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(String(input));
    return fetch(url + pathname + search, init);
  };
  const client = new WhatsAppAPI({ token, secure: false, v: VERSION, ponyfill: { fetch: rerouted } });
  const send = async (...message: [to: string, Parameters<typeof client.sendMessage>[2], quoted?: string]) =>
    idIn(await client.sendMessage(number, ...message));
  return {
    text: (to, body, quoted) => send(to, new Text(body), quoted),
    buttons: (to) =>
      send(to, new Interactive(new ActionButtons(new Button(BUTTONS.id, BUTTONS.title)), new Body(BUTTONS.body))),
    template: (to, name) => send(to, new Template(name, 'en_US', new BodyComponent(new BodyParameter(PARAMETER)))),
    image: (to, id) => send(to, new Image(id, true, CAPTION)),
    react: (to, messageId) => send(to, new Reaction(messageId, EMOJI)),
    markRead: async (messageId) => 'success' in (await client.markAsRead(number, messageId)),
    upload: async (file) => {
      const form = new FormData();
      form.set('file', file, 'parcel.jpg');
      const answer = await client.uploadMedia(number, form);
      return 'id' in answer ? answer.id : idIn(answer);
    },
    download: async (id) => {
      const node = await client.retrieveMedia(id, number);
      return (await client.fetchMedia('url' in node ? node.url : '')).arrayBuffer();
    },
    deleteMedia: async (id) => 'success' in (await client.deleteMedia(id, number)),
  };
}

/** Takes its base address. Its download sends the name of the network's own file host with it. */
function greatDetail({ url, key, phoneNumberId: phoneNumberID, accountId }: ClientTarget): PublishedClient {
  const headers = { Authorization: `Bearer ${key}` };
  const { message, media, template } = new GreatDetail({
    prefixUrl: url,
    graphVersion: VERSION,
    request: { headers },
  });
  const toNumber = { phoneNumberID: phoneNumberID as `${number}` };
  const send = async (fields: object) =>
    idIn(await message.createMessage({ ...toNumber, ...fields } as Parameters<typeof message.createMessage>[0]).json());
  const account = accountId as `${number}`;
  return {
    text: (to, body, quoted) =>
      send({ to, type: MessageType.Text, text: { body }, ...(quoted && { context: { message_id: quoted } }) }),
    buttons: (to) => {
      const { type, body, ...reply } = BUTTONS;
      const action = { buttons: [{ type: 'reply', reply }] };
      return send({ to, type: MessageType.Interactive, interactive: { type, body: { text: body }, action } });
    },
    template: (to, name) => {
      const content = { name, language: { code: 'en_US', policy: 'deterministic' }, components: [bodyComponent] };
      return send({ to, type: MessageType.Template, template: content });
    },
    image: (to, id) => send({ to, type: MessageType.Image, image: { id, caption: CAPTION } }),
    react: (to, message_id) => send({ to, type: 'reaction', reaction: { message_id, emoji: EMOJI } }),
    textToUser: (recipient) => send({ recipient, type: MessageType.Text, text: { body: 'Hello' } }),
    markRead: async (message_id) =>
      (await message.createStatus({ ...toNumber, message_id, status: 'read' }).json()).success === true,
    upload: async (file) =>
      (await media.upload({ ...toNumber, file, filename: 'parcel.jpg', mimeType: 'image/jpeg' }).json()).id,
    download: async (mediaID) => {
      const { url: mediaURL } = await media.getURL({ ...toNumber, mediaID }).json();
      return media.download({ mediaURL, request: { headers } }).arrayBuffer();
    },
    deleteMedia: async (mediaID) => (await media.delete({ ...toNumber, mediaID }).json()).success,
    createTemplate: async (name) => {
      const wanted = newTemplate(name) as Parameters<typeof template.create>[1];
      return (await template.create(account, wanted).json()).id;
    },
    templateStatus: async (id) => {
      const { status } = (await template.get(id as `${number}`, {}).json()) as { readonly status?: string };
      return status;
    },
    templateNames: async () => {
      const { data } = await template.list(account, { limit: 100 }).json();
      return data.map(({ name }) => String(name));
    },
    deleteTemplate: async (name) => (await template.delete(account, { name }).json()).success,
  };
}

/** Takes its base address. What it creates as a template has no text, so it creates none here. */
function microfox({
  url,
  key: accessToken,
  phoneNumberId,
  accountId: businessAccountId,
}: ClientTarget): PublishedClient {
  const at = { version: VERSION, baseUrl: `${url}/${VERSION}` };
  const client = new WhatsAppBusinessSDK({ phoneNumberId, businessAccountId, accessToken, ...at });
  const sent = async (answer: Promise<{ readonly data?: unknown }>) => idIn((await answer).data);
  return {
    text: (to, body, quoted) =>
      sent(quoted === undefined ? client.sendTextMessage(to, body) : client.sendReply(to, 'text', body, quoted)),
    buttons: (to) => {
      const { type, body, ...reply } = BUTTONS;
      const action = { buttons: [{ type: 'reply' as const, reply }] };
      return sent(client.sendInteractiveMessage(to, { type, body: { text: body }, action }));
    },
    template: (to, name) => sent(client.sendTemplateMessage(to, name, 'en_US', [bodyComponent])),
    image: (to, id) => sent(client.sendImageMessage(to, { id, caption: CAPTION })),
    react: (to, messageId) => sent(client.sendReaction(to, messageId, EMOJI)),
    markRead: async (messageId) => (await client.markMessageAsRead(messageId)).data.success,
    upload: async (file) => (await client.uploadMedia(file, 'image')).data.id,
    download: async (mediaId) => (await client.downloadMedia(mediaId)).data,
    templateNames: async () =>
      (await client.getTemplates({ limit: 100, offset: 0 })).data.data.map(({ name }: { name: string }) => name),
    deleteTemplate: async (name) => (await client.deleteTemplate(name)).data.success,
  };
}

type MakeClient = (target: ClientTarget) => PublishedClient;

/** By the names of their packages. */
export const publishedClients: readonly (readonly [name: string, make: MakeClient])[] = [
  ['@kapso/whatsapp-cloud-api', kapso],
  ['whatsapp-api-js', whatsappApiJs],
  ['@great-detail/whatsapp', greatDetail],
  ['@microfox/whatsapp-business', microfox],
];

const NOWHERE: ClientTarget = { url: 'http://127.0.0.1:9', key: 'none', phoneNumberId: '1', accountId: '2' };

/** Those that have all of these calls, each as what its calls are then certain to be. */
export function clientsWith<Call extends keyof PublishedClient>(
  ...calls: readonly Call[]
): readonly (readonly [
  name: string,
  make: (target: ClientTarget) => PublishedClient & Required<Pick<PublishedClient, Call>>,
])[] {
  const able = publishedClients.filter(([, make]) => calls.every((call) => make(NOWHERE)[call] !== undefined));
  return able as unknown as ReturnType<typeof clientsWith<Call>>;
}

/** What a newcomer reads first in the API reference. Markdown. */
export const INTRODUCTION = `Postrider accepts messages from your program and sends them to your customers through a messaging network.

**Your first message.** Send \`POST /v1/messages\` with your API key, a number and a text. The response is 202 with an \`id\`: the message is
durably stored and will be sent. It does not mean that the message was delivered; \`GET /v1/messages/{id}\` shows its progress.

**Keys.** Every request needs \`Authorization: Bearer <API_KEY>\`, except for this page, its document, and the operations
under System; people who are signed in have a session instead, which works for every operation. A key
that begins with \`pr_test_\` sends only to the simulator.

**Errors** all have the same body: \`error\` is a sentence for people, \`code\` is stable and meant for programs, and \`details\` lists every
problem with the request. Each operation lists its own errors by status; errors that any operation can return are listed under \`default\`.
After a 429 or a 503, wait for the number of seconds in \`Retry-After\`, then repeat the request.

**Request IDs.** Every response has an \`X-Request-Id\`, which identifies the request in the logs. To use an ID of your own, send it in this
header, with up to 128 characters.

**Retrying safely.** Add an \`Idempotency-Key\` of your own to a POST. Requests with the same key and the same body take effect once, however
often they are sent within 24 hours; every response after the first has the header \`Idempotent-Replayed: true\`.

**Lists** are sorted newest first. \`limit\` is 50 by default. While \`page.has_more\` is true, request the next page with \`cursor\` set to
\`page.next_cursor\`.

**Formats.** Times are RFC 3339 in UTC, IDs are UUIDs, phone numbers are digits with the country code, and money is in whole minor units with
its currency. An unknown field or query parameter returns a 400, so typos do not go unnoticed.`;

/** Beside the field for the key. */
export const KEY_HELP = 'The API key of a tenant: pr_live_… or pr_test_…. The operator issues the first one.';

/** What the cookie of a session is. */
export const SESSION_HELP =
  'The session of a person, set by POST /v1/sessions. Over HTTPS its name begins with __Host-.';

/** Groups of operations, in the order in which they are read. */
export const tags = [
  { name: 'Messages', description: 'Send messages, track what happens to them, and read what customers write.' },
  {
    name: 'Contacts',
    description: 'Manage the people you write to: what is known about them, what they have consented to, and segments.',
  },
  {
    name: 'Conversations',
    description:
      'Everything for an inbox: each conversation between a customer and one of your numbers, who answers, how long the customer has waited, and what may be sent now. Send X-Agent-Id to act for an agent.',
  },
  {
    name: 'Media',
    description:
      'Upload a file once and send it by its media_id as often as you like; download what customers sent. Uploads for a network handle can be interrupted and resumed.',
  },
  {
    name: 'Numbers',
    description: "Link network accounts in the network's dialog, and manage the sending numbers that belong to them.",
  },
  {
    name: 'Events',
    description:
      'Everything that happens, in order and without gaps: poll for events, stream them, or have them posted to webhook endpoints.',
  },
  {
    name: 'Templates',
    description: 'Create and check templates, submit them for review, and follow what the network decides about them.',
  },
  {
    name: 'Flows',
    description: 'Create forms that customers fill in within the chat, publish them, and read what was entered.',
  },
  {
    name: 'Agents',
    description:
      'The agents who answer customers and their teams, how conversations are assigned to them, and business hours.',
  },
  {
    name: 'Rules',
    description: 'Chatbot rules: which replies and actions happen automatically when customers write, and why.',
  },
  { name: 'People', description: 'Sign in as a person, and manage where you are signed in.' },
  { name: 'Keys', description: 'Create, rotate and revoke API keys, and read who changed what.' },
  {
    name: 'Billing',
    description: 'What your plan allows, how much of it you have used, and the wallet that messages may be paid from.',
  },
  {
    name: 'Campaigns',
    description:
      'Send one template to many recipients, at most once to each, with a reason for every skipped recipient.',
  },
  {
    name: 'Analytics',
    description:
      'How many messages were sent, delivered, read and answered, by number, template, campaign and type, in any time zone; as JSON or CSV.',
  },
  {
    name: 'System',
    description: 'This description, and the endpoints that monitoring systems use. No key is needed.',
  },
] as const;

export type TagName = (typeof tags)[number]['name'];

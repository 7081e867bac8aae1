/** What a newcomer reads first in the API reference. Markdown. */
export const INTRODUCTION = `Postrider takes messages from your program and sends them to your customers through a messaging network.

**Your first message.** Send \`POST /v1/messages\` with your API key, a number and a text. The answer is 202 with an \`id\`: the message is
stored durably and will be sent. It does not mean that it was delivered; \`GET /v1/messages/{id}\` says how far it came.

**Keys.** Every request needs \`Authorization: Bearer <API_KEY>\`, but for this page, its document, and the operations under System. A key
whose name begins with \`pr_test_\` sends to the simulator alone.

**Failures** all have the same body: \`error\` is a sentence for people, \`code\` is stable and for programs, and \`details\` names every
fault of the request. After a 429 or a 503 wait for the seconds of \`Retry-After\`, then repeat the request.

**Repeating safely.** Put an \`Idempotency-Key\` of your own on a POST. The same key with the same body does the thing once, however
often it is sent within 24 hours; the answers after the first carry \`Idempotent-Replayed: true\`.

**Lists** are newest first. \`limit\` is 50 unless you say otherwise. While \`page.has_more\` is true, ask again with \`cursor\` set to
\`page.next_cursor\`.

**Times** are RFC 3339 in UTC, ids are UUIDs, phone numbers are digits with the country code, and money is whole minor units with its
currency. An unknown field or query parameter is a 400, so that a typing mistake does not pass in silence.`;

/** Beside the field for the key. */
export const KEY_HELP = 'The API key of a tenant, as pr_live_… or pr_test_…. The operator gives you the first one.';

/** Groups of operations, in the order in which they are read. */
export const tags = [
  { name: 'Messages', description: 'Send messages, see what became of them, and read what customers write.' },
  {
    name: 'Contacts',
    description: 'Keep the people who are written to: what is known of them, what they agreed to, and segments.',
  },
  {
    name: 'Conversations',
    description:
      'What an inbox shows: each customer with a number of yours, who answers, how long they wait, and what may be written to them now. Send X-Agent-Id to act for an agent.',
  },
  {
    name: 'Media',
    description:
      'Upload a file once and send it by its media_id, as often as you like; download what customers sent. Uploads for a handle of the network can be cut off and go on.',
  },
  {
    name: 'Numbers',
    description: 'Your sending numbers, and the accounts of the network that they come from: link them in its dialog.',
  },
  {
    name: 'Events',
    description:
      'What happened, in one order without gaps: ask for it, follow it as a stream, or have it posted to webhook endpoints.',
  },
  {
    name: 'Templates',
    description: 'Make and check templates, hand them in for review, and follow what the network decides about them.',
  },
  {
    name: 'Agents',
    description:
      'Who answers customers: agents and their teams, how conversations are given to them, and business hours.',
  },
  {
    name: 'Rules',
    description: 'Chatbot rules: what is answered and done by itself when customers write, and why it was.',
  },
  { name: 'Keys', description: 'Make, replace and end API keys, and read who changed what.' },
  {
    name: 'Billing',
    description: 'What your plan allows, what you used of it, and the wallet that messages may be paid from.',
  },
  {
    name: 'Campaigns',
    description: 'One template to many recipients, each at most once, with a reason for each that gets none.',
  },
  {
    name: 'Analytics',
    description:
      'How many messages went, arrived, were read and answered, by number, template, campaign and type, on the clocks of any time zone; as JSON or CSV.',
  },
  {
    name: 'System',
    description: 'This description, and what machines ask that look after the service. No key is needed.',
  },
] as const;

export type TagName = (typeof tags)[number]['name'];

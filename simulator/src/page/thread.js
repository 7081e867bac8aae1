/* The thread on a customer's phone. */
import { formatted, kindOf, linkTo, wordsOf } from './words.js';

const EMOJIS = ['👍', '❤️', '😂', '🙏'];
const QUOTED = 80;

export function element(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export const clockTime = (iso) =>
  new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
const dayOf = (iso) => new Date(iso).toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long' });

/**
 * What stands in the thread: reactions, edits and deletions change the message that they are about.
 * @returns items with `reactions`, `text` (as edited), `isGone`
 */
export function storyOf(items) {
  const story = new Map();
  for (const item of items) {
    const { message } = item;
    const kind = kindOf(message);
    const target = story.get(targetOf(message, kind));
    if (kind === 'reaction' && target) target.reactions.set(item.direction, message.reaction.emoji ?? '');
    else if (kind === 'edit' && target) target.text = message.edit.message?.text?.body ?? target.text;
    else if (kind === 'revoke' && target) target.isGone = true;
    else story.set(item.id, { ...item, kind, reactions: new Map(), text: null, isGone: false });
  }
  return [...story.values()];
}

function targetOf(message, kind) {
  const part = message[kind] ?? {};
  return kind === 'reaction' ? part.message_id : part.original_message_id;
}

/**
 * Draws the thread.
 * @param actions what taps do: `write(item, message)`, `react(item, emoji)`, `quote(item)`, `choose(item)` for a list
 */
export function drawThread(place, { data, typing }, actions) {
  const story = storyOf(data);
  const known = new Map(story.map((item) => [item.id, item]));
  const nodes = [];
  let day = '';
  for (const item of story) {
    if (dayOf(item.at) !== day) nodes.push(element('div', 'day', dayOf(item.at)));
    day = dayOf(item.at);
    nodes.push(bubble(item, known, actions));
  }
  if (typing.length > 0) nodes.push(element('div', 'typing', 'The business is typing …'));
  place.replaceChildren(...nodes);
}

function bubble(item, known, actions) {
  const node = element('div', `bubble ${item.direction}`);
  node.dataset.id = item.id;
  if (item.kind === 'call') node.classList.add('call');
  if (item.isGone) node.classList.add('gone');
  node.append(...labels(item), ...quote(item, known));
  if (item.isGone) node.append(element('div', 'words', 'This message was deleted.'));
  else node.append(...content(item), ...buttons(item, actions));
  node.append(meta(item));
  if (item.direction === 'received' && !item.isGone && item.kind !== 'call') node.append(tools(item, actions));
  const reactions = [...item.reactions.values()].filter(Boolean);
  if (reactions.length > 0) {
    node.classList.add('reacted');
    node.append(element('span', 'reactions', reactions.join(' ')));
  }
  return node;
}

function labels({ message, past_api: isPastApi, kind, direction }) {
  const context = message.context ?? {};
  const said = [
    message.group_id ? `in the group ${message.group_id}` : '',
    isPastApi && kind !== 'call' && direction === 'received' ? "from the business's phone" : '',
    context.frequently_forwarded ? 'Forwarded many times' : context.forwarded ? 'Forwarded' : '',
  ];
  return said.filter(Boolean).map((words) => element('div', 'label', words));
}

/** What it replies to; a tap on a button names its message too, and needs no quote. */
function quote({ message, kind }, known) {
  const answered = known.get(message.context?.message_id ?? message.context?.id);
  if (!answered || kind === 'button' || message.interactive?.button_reply || message.interactive?.list_reply) return [];
  const node = element('button', 'quote', answered.isGone ? 'Deleted message' : wordsOf(answered).slice(0, QUOTED));
  node.type = 'button';
  node.onclick = () =>
    document.querySelector(`[data-id="${CSS.escape(answered.id)}"]`)?.scrollIntoView({ block: 'center' });
  return [node];
}

function content(item) {
  const { message, kind, file } = item;
  const nodes = [];
  const interactive = kind === 'interactive' ? message.interactive : null;
  if (interactive?.header?.type === 'text') nodes.push(element('div', 'title', interactive.header.text));
  if (file) nodes.push(fileNode(file));
  if (kind === 'location') nodes.push(placeLink(message.location));
  const words = item.text ?? wordsOf(item);
  if (words && !(file && words === named(kind))) {
    const node = element('div', 'words');
    node.append(formatted(words));
    nodes.push(node);
  }
  if (interactive?.footer) nodes.push(element('div', 'foot', interactive.footer.text));
  return nodes;
}

const named = (kind) => kind.charAt(0).toUpperCase() + kind.slice(1);

function placeLink({ latitude, longitude }) {
  return linkTo(`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`, `Map: ${latitude}, ${longitude}`);
}

/** Pictures, sounds and videos as such, every other file as a link with its name, type and size. */
function fileNode(file) {
  const href = `/_sim/media/file?id=${encodeURIComponent(file.id)}`;
  const label = `${file.filename ?? 'File'} (${file.mime_type}, ${Math.max(1, Math.round(file.bytes / 1024))} KB)`;
  const [family] = file.mime_type.split('/');
  if (!['image', 'audio', 'video'].includes(family)) return linkTo(href, label);
  const node = element(family === 'image' ? 'img' : family, family === 'image' ? 'picture' : '');
  node.src = href;
  if (family === 'image') node.alt = label;
  else {
    node.controls = true;
    node.setAttribute('aria-label', label);
  }
  return node;
}

/** Ticks of what the customer wrote: the network has it, and the business has read it. */
function meta(item) {
  const node = element('div', 'meta');
  if (item.text !== null && !item.isGone) node.append(element('span', '', 'edited'));
  node.append(element('span', '', clockTime(item.at)));
  if (item.direction === 'written' && item.kind !== 'call') {
    const ticks = element('span', item.read ? 'ticks read' : 'ticks', '✓✓');
    ticks.setAttribute('role', 'img');
    ticks.setAttribute('aria-label', item.read ? 'Read by the business' : 'Delivered');
    node.append(ticks);
  } else if (item.direction === 'received' && !item.read) node.append(element('span', '', 'unread'));
  return node;
}

function tools(item, actions) {
  const node = element('div', 'tools');
  for (const emoji of EMOJIS) {
    const isMine = item.reactions.get('written') === emoji;
    const button = tool(emoji, isMine ? `Take ${emoji} back` : `React with ${emoji}`);
    button.onclick = () => actions.react(item, isMine ? '' : emoji);
    node.append(button);
  }
  const reply = tool('↩', 'Reply');
  reply.onclick = () => actions.quote(item);
  node.append(reply);
  return node;
}

function tool(words, label) {
  const button = element('button', '', words);
  button.type = 'button';
  button.setAttribute('aria-label', label);
  button.title = label;
  return button;
}

/** What can be tapped: reply buttons, the list behind its button, links, and the buttons of a template. */
function buttons(item, actions) {
  if (item.direction !== 'received') return [];
  const { message, kind } = item;
  if (kind === 'template') return templateButtons(item, actions);
  const { type, action } = message.interactive ?? {};
  switch (kind === 'interactive' ? type : null) {
    case 'button':
      return (action?.buttons ?? []).map(({ reply }) =>
        tap(reply.title, () => actions.write(item, interactive({ type: 'button_reply', button_reply: reply }))),
      );
    case 'list':
      return [tap(`☰ ${action?.button ?? 'Choose'}`, () => actions.choose(item))];
    case 'cta_url':
      return [linkButton(action?.parameters?.url, action?.parameters?.display_text)];
    case 'flow':
      return [
        tap(action?.parameters?.flow_cta ?? 'Open', () =>
          actions.write(item, interactive(filledIn(action?.parameters))),
        ),
      ];
    case 'location_request_message':
      return [tap('Send location', () => actions.write(item, aPlace()))];
    default:
      return [];
  }
}

export const interactive = (part) => ({ type: 'interactive', interactive: part });
export const aPlace = () => ({
  type: 'location',
  location: { latitude: 52.52, longitude: 13.405, name: 'Alexanderplatz', address: 'Berlin' },
});
const filledIn = ({ flow_token: token = 'unused' } = {}) => ({
  type: 'nfm_reply',
  nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify({ flow_token: token, answer: 'Yes' }) },
});

/** As they were approved, with the payloads and ends of links that were sent. */
function templateButtons(item, actions) {
  const sent = (item.message.template?.components ?? []).filter(({ type }) => String(type).toLowerCase() === 'button');
  return item.buttons.map((button, index) => {
    const parameter = sent.find((one) => Number(one.index) === index)?.parameters?.[0] ?? {};
    switch (button.type) {
      case 'URL':
        return linkButton(String(button.url).replace(/\{\{\s*\w+\s*\}\}/, parameter.text ?? ''), button.text);
      case 'PHONE_NUMBER':
        return linkButton(`tel:${button.phone_number}`, button.text);
      case 'QUICK_REPLY': {
        const reply = { payload: parameter.payload ?? button.text, text: button.text };
        return tap(button.text, () => actions.write(item, { type: 'button', button: reply }));
      }
      case 'FLOW':
        return tap(button.text, () => actions.write(item, interactive(filledIn(parameter.action))));
      default:
        return tap(button.text ?? 'Copy code', () =>
          navigator.clipboard?.writeText(parameter.coupon_code ?? parameter.text ?? ''),
        );
    }
  });
}

function tap(title, onclick) {
  const button = element('button', 'tap', title);
  button.type = 'button';
  button.onclick = onclick;
  return button;
}

function linkButton(href, words) {
  const isSafe = /^(https?|tel):/.test(String(href));
  const link = isSafe ? linkTo(href, words ?? href) : element('span', '', words);
  link.className = 'tap';
  return link;
}

/* The words of messages, in the form in which the network has them. */

/** Of a message object: its type, which old clients leave out for texts. */
export function kindOf(message) {
  return message.type ?? (message.text ? 'text' : 'message');
}

/** The words of any message, as far as it has words. */
export function wordsOf({ message, rendered }) {
  if (rendered) return rendered;
  const kind = kindOf(message);
  const part = message[kind] ?? {};
  switch (kind) {
    case 'text':
      return part.body ?? '';
    case 'template':
      return templateWords(part);
    case 'interactive':
      return interactiveWords(part);
    case 'button':
      return part.text ?? '';
    case 'reaction':
      return part.emoji ? `Reacted with ${part.emoji}` : 'Took a reaction back';
    case 'pin':
      return part.type === 'unpin' ? 'Message unpinned' : 'Message pinned';
    case 'location':
      return [part.name, part.address].filter(Boolean).join('\n') || 'Location';
    case 'contacts':
      return message.contacts.map((contact) => contact.name?.formatted_name ?? '?').join('\n');
    case 'order':
      return [part.text, `Order of ${(part.product_items ?? []).length} products`].filter(Boolean).join('\n');
    case 'call':
      return callWords(part);
    case 'edit':
      return 'Message edited';
    case 'revoke':
      return 'Message deleted';
    default:
      return (
        [part.caption, part.voice ? 'Voice message' : '', part.filename, part.link].filter(Boolean)[0] ?? named(kind)
      );
  }
}

function named(kind) {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

function callWords({ outcome, duration_seconds: seconds }) {
  switch (outcome) {
    case 'answered':
      return `Call, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    case 'missed':
      return 'Call, nobody answered';
    case 'failed':
      return 'Call, the connection failed';
    default:
      return 'Calling …';
  }
}

/** Body, and whatever stands in the action without being a button to tap. */
function interactiveWords(part) {
  if (part.button_reply || part.list_reply) return (part.button_reply ?? part.list_reply).title;
  if (part.nfm_reply) return part.nfm_reply.body ?? 'Form sent';
  const action = part.action ?? {};
  const products = (action.sections ?? []).flatMap((section) => section.product_items ?? []);
  const extras = {
    product: `Product ${action.product_retailer_id}`,
    product_list: products.map((item) => `Product ${item.product_retailer_id}`).join('\n'),
    carousel: (action.cards ?? []).map((card) => card.body?.text ?? 'Card').join('\n'),
  };
  return [part.body?.text, extras[part.type]].filter(Boolean).join('\n');
}

/** Of a template that this network does not know: its name and what was filled in. */
function templateWords(template) {
  const values = (template.components ?? []).flatMap((component) => component.parameters ?? []);
  const words = values.map((value) => value.text ?? value.payload ?? value.type).join(' · ');
  return `${template.name} (${template.language?.code ?? '?'})${words ? `\n${words}` : ''}`;
}

const MARKS = [
  ['*', 'b'],
  ['_', 'i'],
  ['~', 's'],
];
const PARTS =
  /```([\s\S]+?)```|`([^`\n]+)`|(?<!\w)([*_~])(?=\S)([^\n]+?)(?<=\S)\3(?!\w)|(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/g;

/** A text as the app shows it: *bold*, _italic_, ~struck~, code, quoted lines and links. */
export function formatted(text) {
  const all = document.createDocumentFragment();
  // Every other one is code, which has no quotes in it.
  for (const [index, piece] of text.split(/(```[\s\S]+?```)/).entries())
    all.append(index % 2 === 1 ? inline(piece) : withQuotes(piece));
  return all;
}

function withQuotes(text) {
  const all = document.createDocumentFragment();
  for (const [index, line] of text.split('\n').entries()) {
    const isAfterQuote = all.lastChild?.nodeName === 'BLOCKQUOTE';
    if (index > 0 && !isAfterQuote && !line.startsWith('> ')) all.append('\n');
    if (line.startsWith('> ')) {
      const quote = document.createElement('blockquote');
      quote.append(inline(line.slice(2)));
      all.append(quote);
    } else all.append(inline(line));
  }
  return all;
}

function inline(text) {
  const all = document.createDocumentFragment();
  let end = 0;
  for (const found of text.matchAll(PARTS)) {
    all.append(text.slice(end, found.index), part(found));
    end = found.index + found[0].length;
  }
  all.append(text.slice(end));
  return all;
}

function part([whole, block, code, mark, marked, link]) {
  if (link) return linkTo(link, link);
  const node = document.createElement(mark ? MARKS.find(([sign]) => sign === mark)[1] : 'code');
  if (mark) node.append(inline(marked));
  else node.textContent = block ?? code ?? whole;
  return node;
}

/** A link that opens beside this page. */
export function linkTo(href, words) {
  const link = document.createElement('a');
  link.href = href;
  link.target = '_blank';
  link.rel = 'noreferrer';
  link.textContent = words;
  return link;
}

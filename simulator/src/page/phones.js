/* The page with the phones of all customers. */
import { aPlace, clockTime, drawThread, element, interactive } from './thread.js';
import { wordsOf } from './words.js';

const POLL_MS = 1500;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const at = (id) => document.getElementById(id);
let peer = new URLSearchParams(location.search).get('peer');
let shown = '';
let listed = '';
/** What the next message replies to. */
let quoted = null;
let lastNumber;

async function ask(path, method = 'GET', body = undefined) {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...json });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `The simulator answered ${response.status}.`);
  return answer;
}

/** Does something, shows what came of it, and says so when it failed. */
async function perform(work, fault = at('fault')) {
  try {
    await work();
    fault.textContent = '';
    await refresh();
    return true;
  } catch (error) {
    fault.textContent = error.message;
    return false;
  }
}

const who = () => (/^[0-9]+$/.test(peer) ? { from: peer } : { user_id: peer });
const to = (phoneNumberId) => (phoneNumberId ? { phone_number_id: phoneNumberId } : {});

/** The chosen customer writes to the business. */
function write(content, phoneNumberId = lastNumber) {
  const answers = quoted ? { reply_to: quoted.id } : {};
  return perform(async () => {
    await ask('/_sim/inbound', 'POST', { ...who(), ...to(phoneNumberId), ...answers, ...content });
    quote(null);
  });
}

function quote(item) {
  quoted = item;
  at('quoting').hidden = item === null;
  if (item === null) return;
  at('quoting').querySelector('span').textContent = wordsOf(item);
  at('answer').elements.text.focus();
}

const actions = {
  write: (item, message) => write({ message: { context: { id: item.id }, ...message } }, item.phone_number_id),
  react: (item, emoji) => write({ reaction: { message_id: item.id, emoji } }, item.phone_number_id),
  quote,
  choose: (item) => {
    const { action, header } = item.message.interactive;
    at('list-title').textContent = header?.text ?? action.button;
    at('list')
      .querySelector('div')
      .replaceChildren(...(action.sections ?? []).flatMap((section) => choices(item, section)));
    at('list').showModal();
  },
};

function choices(item, { title, rows = [] }) {
  const buttons = rows.map((row) => {
    const button = element('button', 'choice');
    button.type = 'button';
    button.append(element('div', 'title', row.title));
    if (row.description) button.append(element('div', 'label', row.description));
    button.onclick = () => {
      at('list').close();
      actions.write(item, interactive({ type: 'list_reply', list_reply: row }));
    };
    return button;
  });
  return [...(title ? [element('h3', '', title)] : []), ...buttons];
}

function drawPhones(phones) {
  const key = JSON.stringify([phones, peer]);
  if (key === listed) return;
  listed = key;
  at('nobody').hidden = phones.length > 0;
  at('phones').replaceChildren(...phones.map(phoneRow));
}

function phoneRow(phone) {
  const item = element('li');
  const button = element('button', 'phone-row');
  button.type = 'button';
  button.setAttribute('aria-current', String(phone.peer === peer));
  const row = element('div', 'row');
  row.append(element('b', '', phone.name), element('span', 'small', clockTime(phone.last.at)));
  const words = `${phone.last.direction === 'written' ? '✓ ' : ''}${wordsOf(phone.last).split('\n')[0]}`;
  button.append(row, element('div', 'small', phone.peer), element('div', 'small', words));
  button.onclick = () => choose(phone.peer);
  item.append(button);
  return item;
}

function choose(chosen) {
  peer = chosen;
  quote(null);
  history.replaceState(null, '', chosen === null ? '/' : `/?peer=${encodeURIComponent(chosen)}`);
  void refresh();
}

function drawPhone(phone) {
  const key = JSON.stringify(phone);
  if (key === shown) return;
  shown = key;
  at('name').textContent = phone.name;
  at('peer').textContent = phone.peer;
  for (const box of at('behavior').querySelectorAll('input')) box.checked = phone.behavior[box.name];
  at('read').hidden = !phone.behavior.read_by_hand;
  lastNumber = phone.data.at(-1)?.phone_number_id;
  const thread = at('thread');
  const isAtEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80;
  const isOther = thread.dataset.peer !== phone.peer;
  thread.dataset.peer = phone.peer;
  drawThread(thread, phone, actions);
  // Whoever reads further up is left there.
  if (isAtEnd || isOther) thread.scrollTop = thread.scrollHeight;
}

async function refresh() {
  const [phones, stats] = await Promise.all([ask('/_sim/phones'), ask('/_sim/stats')]);
  drawPhones(phones.data);
  at('counters').textContent =
    `${stats.accepted} accepted · ${stats.statuses_sent} statuses sent · ${stats.callbacks_pending} callbacks pending`;
  document.body.classList.toggle('chosen', peer !== null);
  at('unchosen').hidden = peer !== null;
  at('phone').hidden = peer === null;
  if (peer !== null) drawPhone(await ask(`/_sim/phone?peer=${encodeURIComponent(peer)}`));
}

async function poll() {
  await refresh().catch(() => {
    at('counters').textContent = 'The simulator does not answer.';
  });
  setTimeout(poll, POLL_MS);
}

at('back').onclick = () => choose(null);
at('quoting').querySelector('button').onclick = () => quote(null);
at('list').lastElementChild.onclick = () => at('list').close();

at('answer').onsubmit = async (event) => {
  event.preventDefault();
  const { text } = event.target.elements;
  if (text.value.trim() !== '' && (await write({ text: text.value }))) text.value = '';
};

at('place').onclick = () => {
  at('attach').open = false;
  const { location: place } = aPlace();
  void write({ location: place });
};
at('file').onclick = () => {
  at('attach').open = false;
  at('chosen').click();
};
at('chosen').onchange = async ({ target }) => {
  const [file] = target.files;
  target.value = '';
  if (!file) return;
  if (file.size > MAX_FILE_BYTES) {
    at('fault').textContent = 'A file may have 16 MB.';
    return;
  }
  const data = await base64Of(file);
  await write({ media: { mime_type: file.type || 'application/octet-stream', data, filename: file.name } });
};

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1]);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

for (const button of at('calls').querySelectorAll('button')) {
  button.onclick = () => {
    at('calls').open = false;
    void perform(() => ask('/_sim/calls', 'POST', { ...who(), ...to(lastNumber), outcome: button.dataset.outcome }));
  };
}
for (const box of at('behavior').querySelectorAll('input')) {
  box.onchange = () => perform(() => ask('/_sim/phone/behavior', 'PUT', { peer, [box.name]: box.checked }));
}
at('read').onclick = () => perform(() => ask('/_sim/phone/read', 'POST', { peer }));
// A menu closes when something else is used.
document.addEventListener('pointerdown', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]')) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') for (const menu of document.querySelectorAll('.menu[open]')) menu.open = false;
});

const KINDS = {
  phone: { label: 'Phone number', example: '15550002222' },
  user: { label: 'User ID', example: 'US.13491208655302741918' },
  group: { label: 'Phone number', example: '15550002222' },
};
const kindChosen = () => KINDS[at('new').elements.kind.value];
at('new').elements.kind.onchange = () => {
  at('identity').textContent = kindChosen().label;
  at('new').elements.from.placeholder = kindChosen().example;
};
at('new').elements.kind.onchange();
at('new').onsubmit = async (event) => {
  event.preventDefault();
  const { kind, from, name, text } = event.target.elements;
  const identity = kind.value === 'user' ? { user_id: from.value.trim() } : { from: from.value };
  const content = kind.value === 'group' ? inGroup(text.value) : { text: text.value };
  const isDone = await perform(
    () => ask('/_sim/inbound', 'POST', { ...identity, ...(name.value ? { name: name.value } : {}), ...content }),
    at('new-fault'),
  );
  if (!isDone) return;
  text.value = '';
  choose(kind.value === 'user' ? from.value.trim() : from.value.replace(/[^0-9]/g, ''));
};

const inGroup = (body) => ({ message: { type: 'text', text: { body }, group_id: 'Neighbours' } });

const THEME = 'phones.theme';
function showTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  at('theme').textContent = isDark ? 'Light' : 'Dark';
  at('theme').onclick = () => {
    const other = isDark ? 'light' : 'dark';
    localStorage.setItem(THEME, other);
    showTheme(other);
  };
}
showTheme(localStorage.getItem(THEME));

// Keys scroll it.
at('thread').tabIndex = 0;
void poll();

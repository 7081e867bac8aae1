// Fills an inbox with what is hard to draw: long names and texts, other scripts, pictures, notes, failures, old talks.
import { setTimeout as delay } from 'node:timers/promises';

const NUMBER = '100000000000001';
const DAY_S = 86_400;
/** The service takes in what customers wrote within moments. */
const PATIENCE_MS = 20_000;

const CUSTOMERS = [
  [
    '15550100001',
    'Bartholomew Featherstonehaugh-Cholmondeley',
    [
      'Hi',
      'I would like to change the delivery address of my order, is that still possible? It should go to my office instead of my flat.',
    ],
  ],
  ['15550100002', 'Zoë 🌻', ['👍']],
  ['15550100003', 'João Silva', ['Bom dia! Vocês abrem aos domingos?']],
  ['15550100004', '山田 太郎', ['こんにちは。注文番号は 4471 です。']],
  ['15550100005', 'Priya N.', ['Thanks, got it!']],
  ['15550100006', null, ['Is this the flower shop?']],
  ['15550100007', 'Ines Kovač', ['The bouquet arrived without a card', 'Could you send it again?']],
  ['15550100008', 'Tom', ['ok']],
  ['962790123456', 'مريم حداد', ['مرحبا، أريد أن أعرف متى يصل طلبي رقم 4471 من فضلك؟', 'شكرا جزيلا']],
];

/**
 * @param {{ base: string, simulator: string, key: string }} service that was just started
 * @param {Buffer} picture PNG that a customer sends
 */
export async function fillInbox({ base, simulator, key }, picture) {
  const post = async (url, body, headers = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const authorization = { authorization: `Bearer ${key}` };
  const write = (body) => post(`${simulator}/_sim/inbound`, { phone_number_id: NUMBER, ...body });
  const { data: agents } = await (await fetch(`${base}/v1/agents`, { headers: authorization })).json();
  const asPerson = { ...authorization, 'x-agent-id': agents[0].id };
  const reply = (id, body) => post(`${base}/v1/conversations/${id}/messages`, body, asPerson);
  const list = async () =>
    (await (await fetch(`${base}/v1/conversations?limit=200`, { headers: authorization })).json()).data;

  const sent = String(Math.floor(Date.now() / 1000) - 2 * DAY_S);
  await write({
    from: '15550100009',
    name: 'Old Customer',
    message: { type: 'text', text: { body: 'Do you deliver to Leeds?' }, timestamp: sent },
  });
  for (const [from, name, texts] of CUSTOMERS) {
    for (const text of texts) await write({ from, text, ...(name === null ? {} : { name }) });
  }
  // One after the other, also for a network that counts in seconds.
  for (const [place, body] of ['Hello! I ordered tulips yesterday.', 'Where is my parcel?'].entries()) {
    const timestamp = String(Math.floor(Date.now() / 1_000) - 120 + 60 * place);
    await write({ from: '447700900123', name: 'Ada Obi', message: { type: 'text', text: { body }, timestamp } });
  }
  await write({
    from: '447700900123',
    name: 'Ada Obi',
    media: {
      mime_type: 'image/png',
      data: picture.toString('base64'),
      filename: 'box.png',
      caption: 'The box of last time',
    },
  });
  const wanted = CUSTOMERS.length + 2;
  const end = Date.now() + PATIENCE_MS;
  while ((await list()).length < wanted && Date.now() < end) await delay(100);
  const found = await list();
  const ada = found.find(({ contact }) => contact.name === 'Ada Obi');
  const mariam = found.find(({ contact }) => contact.name === 'مريم حداد');
  await reply(ada.id, { type: 'note', body: 'She moved last week; the address on file is the old one.' });
  await reply(ada.id, {
    body: 'It left this morning, and should be with you tomorrow before noon.\nYou can follow it here: https://track.example.com/4471',
  });
  await reply(mariam.id, { body: 'أهلا مريم، طلبك رقم 4471 يصل غدا قبل الظهر.' });
  await post(
    `${base}/v1/canned-replies`,
    { shortcut: 'hours', text: 'We are open from 9 to 18, Monday to Saturday.' },
    authorization,
  );
  await post(
    `${base}/v1/canned-replies`,
    { shortcut: 'hello', text: 'Hello {{contact.name|there}}, how can we help?' },
    authorization,
  );
  // An ordinary customer reads within a moment.
  while (!(await hasBeenRead(base, authorization, ada.id)) && Date.now() < end) await delay(100);
}

async function hasBeenRead(base, headers, id) {
  const { data } = await (await fetch(`${base}/v1/conversations/${id}/messages`, { headers })).json();
  return data.some(({ delivery }) => delivery?.state === 'read');
}

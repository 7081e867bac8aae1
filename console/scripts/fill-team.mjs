// Fills the team: people with long and short names, teams, invitations, and a way to sign in with two steps.
import { createHmac } from 'node:crypto';

export const EMAIL = 'owner@shop.example';
export const PASSWORD = 'seven quiet lanterns bloom';
const STEP_MS = 30_000;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const PEOPLE = [
  ['Amara Okafor', 'admin', 'amara@shop.example'],
  [
    'Bartholomew Featherstonehaugh-Cholmondeley',
    'agent',
    'bartholomew.featherstonehaugh-cholmondeley@deliveries-and-returns.shop.example',
  ],
  ['Chloé Dubois', 'agent'],
  ['李 小龍', 'agent'],
  ['ليلى منصور', 'agent'],
  ['Jonas 🌷', 'agent'],
];
/** As many as a large team has: the list is drawn step by step. */
const MANY = 244;
const GIVEN = ['Aiko', 'Björn', 'Dilnoza', 'Emeka', 'Fatou', 'Goran', 'Hélène', 'Ítalo', 'Jamila', 'Kwame'];
const FAMILY = ['Abdi', 'Brandão', 'Čapek', 'Dahl', 'Eriksson', 'Fujimoto', 'García Márquez', 'Hussain'];
/** Made at once: more would wait for each other. */
const BATCH = 8;

/** @param {{ base: string, key: string }} service that was just started */
export async function fillTeam(service) {
  const ask = asking(service);
  const people = [];
  for (let begun = 0; begun < MANY; begun += BATCH) {
    const places = Array.from({ length: Math.min(BATCH, MANY - begun) }, (_, place) => begun + place);
    await Promise.all(places.map((place) => ask('POST', '/v1/agents', colleagueAt(place))));
  }
  for (const [name, role, email] of PEOPLE)
    people.push(await ask('POST', '/v1/agents', { name, role, ...(email ? { email } : {}) }));
  for (const { id } of people.slice(0, 3)) await ask('POST', `/v1/agents/${id}/invitation`);
  const [amara, bartholomew, chloe] = people;
  await ask('POST', '/v1/teams', { name: 'Delivery', members: [amara.id, bartholomew.id, chloe.id] });
  await ask('POST', '/v1/teams', { name: 'Réclamations et retours', members: [chloe.id] });
  await fillOwner(ask, amara.id);
}

/** Somebody of a large team. */
function colleagueAt(place) {
  const name = `${GIVEN[place % GIVEN.length]} ${FAMILY[Math.floor(place / GIVEN.length) % FAMILY.length]}`;
  return { name, email: `colleague-${place}@shop.example` };
}

/** What waits for the owner: a draft, a suggestion, and what colleagues have handed over. */
async function fillOwner(ask, colleague) {
  const owner = (await ownerOf(ask)).id;
  const { data: conversations } = await ask('GET', '/v1/conversations?limit=200');
  const of = (name) => `/v1/conversations/${conversations.find(({ contact }) => contact.name === name).id}`;
  const as = (id) => ({ 'x-agent-id': id });
  await ask('PUT', `${of('Priya N.')}/draft`, { body: 'You are welcome! If anything is missing, ' }, as(owner));
  await ask('POST', `${of('Ines Kovač')}/suggestions`, {
    body: 'I am sorry about the card. We send another one today, at no cost: it arrives tomorrow before noon.',
  });
  await ask('POST', `${of('João Silva')}/assign`, { assignee_id: owner }, as(colleague));
  await ask(
    'POST',
    `${of('Ines Kovač')}/messages`,
    { type: 'note', body: '@Owner she writes for the second time, please look.', mentions: [owner] },
    as(colleague),
  );
  await ask('POST', `${of('Tom')}/assign`, { assignee_id: colleague }, as(colleague));
  await ask('PATCH', of('山田 太郎'), { priority: 'urgent' }, as(colleague));
}

/** The first person is the last one of the list, which begins with the newest. */
async function ownerOf(ask) {
  let cursor = '';
  for (;;) {
    const { data, page } = await ask('GET', `/v1/agents?limit=200${cursor}`);
    const owner = data.find(({ role }) => role === 'owner');
    if (owner !== undefined) return owner;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

function asking({ base, key }) {
  return async (method, path, body, more = {}) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...more,
    };
    const response = await fetch(`${base}${path}`, { method, headers, body: body ? JSON.stringify(body) : undefined });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

/** Gives the person who is signed in a password and an authenticator app. */
export async function addSecondStep(page) {
  const ask = (method, path, body) =>
    page.evaluate(
      async ([verb, address, sent]) => {
        const headers = { 'postrider-client': 'screens', 'content-type': 'application/json' };
        const answer = await fetch(address, { method: verb, headers, body: sent && JSON.stringify(sent) });
        if (!answer.ok) throw new Error(`${verb} ${address}: ${answer.status} ${await answer.text()}`);
        return answer.json();
      },
      [method, path, body],
    );
  await ask('PATCH', '/v1/me', { email: EMAIL });
  await ask('PUT', '/v1/me/password', { new_password: PASSWORD });
  const { secret } = await ask('POST', '/v1/me/totp', {});
  await ask('POST', '/v1/me/totp/confirm', { code: codeOf(secret) });
}

/** What an app shows now. */
function codeOf(secret) {
  const bits = [...secret].map((digit) => DIGITS.indexOf(digit).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS)));
  const digest = createHmac('sha1', bytes).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

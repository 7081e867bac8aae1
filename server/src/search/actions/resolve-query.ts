import { listPhoneNumbers } from '#accounts/store/phone-numbers';
import { type AgentId, isUuid, type TenantId } from '#core/ids';
import { foldedWords, foldWhole } from '#core/text/normalize-text';
import type { SqlRunner } from '#database/database';
import { facts } from '#search/domain/search-kind';
import { type SearchQuery, termOf } from '#search/domain/search-query';
import { isPlainFact, type Reading, type Way, waysOf } from '#search/domain/search-ways';
import { tsqueryOf } from '#search/domain/search-words';
import { findByNumber, listAgentNames, listConversationsOf } from '#search/store/search-names';
import { collect } from './collect-ids.ts';

/** Whose search it is. */
export interface Searcher {
  readonly tenantId: TenantId;
  /** Who is meant by `from:me`; null: nobody. */
  readonly agentId: AgentId | null;
}

/** Contacts that a name can mean. */
const MAX_NAMESAKES = 50;

/** Conversations with a tag that are looked through one by one. */
const MAX_TAGGED = 200;

const ANYWHERE: Reading = { facts: [], conversationIds: null, tags: [] };

/** The ways in which a query can be answered, with the people and places that it names. */
export async function resolveQuery(db: SqlRunner, searcher: Searcher, query: SearchQuery): Promise<readonly Way[]> {
  const readings: (readonly Reading[])[] = [];
  for (const name of query.from) readings.push(await readFrom(db, searcher, name));
  for (const place of query.in) readings.push([await readIn(db, searcher.tenantId, place)]);
  return waysOf(query, readings);
}

async function readFrom(db: SqlRunner, { tenantId, agentId }: Searcher, name: string): Promise<readonly Reading[]> {
  const folded = foldWhole(name);
  if (folded === 'me') return agentId === null ? [] : [{ ...ANYWHERE, facts: [facts.agent(agentId)] }];
  if (folded === 'customer') return [{ ...ANYWHERE, facts: [facts.inbound] }];
  const id = name.toLowerCase();
  if (isUuid(id)) return [{ ...ANYWHERE, facts: [facts.agent(id)] }, ...(await readContacts(db, tenantId, [id]))];
  const term = termOf(name, true);
  if (term === null) return [];
  const words = foldedWords(name);
  const agents = (await listAgentNames(db, tenantId)).filter((agent) => isCalled(agent.name, words));
  const way = { query: tsqueryOf([term], []), conversationIds: null, tags: [] };
  const namesakes = await collect(db, { tenantId, kind: 'contacts', ways: [way], limit: MAX_NAMESAKES });
  return [
    ...agents.map((agent) => ({ ...ANYWHERE, facts: [facts.agent(agent.id)] })),
    ...(await readContacts(db, tenantId, namesakes.ids)),
  ];
}

/** Whether each of these is how a word of the name begins. */
function isCalled(name: string, words: readonly string[]): boolean {
  const own = foldedWords(name);
  return words.length > 0 && words.every((word) => own.some((one) => one.startsWith(word)));
}

async function readContacts(
  db: SqlRunner,
  tenantId: TenantId,
  contactIds: readonly string[],
): Promise<readonly Reading[]> {
  const conversationIds = await listConversationsOf(db, tenantId, contactIds);
  return conversationIds.length === 0 ? [] : [{ facts: [facts.inbound], conversationIds, tags: [] }];
}

/** A conversation by its id or its number with #, a number of ours by its id, digits or name, or else a tag. */
async function readIn(db: SqlRunner, tenantId: TenantId, place: string): Promise<Reading> {
  const id = place.toLowerCase();
  if (isUuid(id)) return { ...ANYWHERE, conversationIds: [id] };
  if (/^#\d{1,15}$/.test(place)) {
    return { ...ANYWHERE, conversationIds: await findByNumber(db, tenantId, Number(place.slice(1))) };
  }
  const folded = foldWhole(place);
  const digits = place.replace(/\D/g, '');
  const number = (await listPhoneNumbers(db, tenantId)).find(
    ({ phoneNumberId, displayPhone, name }) =>
      phoneNumberId === place ||
      (name !== null && foldWhole(name) === folded) ||
      (digits.length >= 4 && /^\+?[\d\s()./-]+$/.test(place) && displayPhone.replace(/\D/g, '') === digits),
  );
  if (number !== undefined && isPlainFact(number.phoneNumberId)) {
    return { ...ANYWHERE, facts: [facts.number(number.phoneNumberId)] };
  }
  return readTag(db, tenantId, place);
}

/** Where few conversations have the tag, these are looked through; where many have, what is found is asked for its tags. */
async function readTag(db: SqlRunner, tenantId: TenantId, tag: string): Promise<Reading> {
  const tagged = { ...ANYWHERE, tags: [tag] };
  const term = termOf(tag, false);
  if (term === null) return tagged;
  const way = { query: tsqueryOf([term], []), conversationIds: null, tags: [tag] };
  const { ids, downTo } = await collect(db, { tenantId, kind: 'conversations', ways: [way], limit: MAX_TAGGED });
  return downTo === null ? { ...ANYWHERE, conversationIds: ids } : tagged;
}

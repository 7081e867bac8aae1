import type { Actor } from '#core/caller/actor';
import type { MessageId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type ConversationHistory, TIMETABLES } from './conversation-history.ts';

/** One thing that counts, as the tables tell it. */
export interface Fact {
  readonly measure: 'opened' | 'reopened' | 'resolved' | 'assigned' | 'replies';
  readonly atMs: number;
  readonly keys: Readonly<Record<'all' | 'number' | 'agent' | 'team' | 'handled_by', string | null>>;
  readonly tags: readonly string[];
  /** What took how long, by the clock and in business hours. */
  readonly times: readonly (readonly [what: string, elapsedMs: number, businessMs: number])[];
}

const ENTRIES = {
  name: 'test_conversation_entries',
  text: `
select conversation_id, at_ms, 1 as rank, event_id::text as id, actor_kind, actor_id, changes, null as number
from conversation_events where tenant_id = $1
union all
select conversation_id, created_ms, 2, message_id::text, 'customer', null, null, phone_number_id
from inbound_messages where tenant_id = $1
union all
select conversation_id, created_ms, 3, message_id::text, 'person', null, null, phone_number_id
from outbound_messages where tenant_id = $1
order by 1, 2, 3, 4`,
};

interface Entry {
  readonly conversation_id: string;
  readonly at_ms: number;
  readonly id: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>> | null;
}

const NUMBERS = {
  name: 'test_conversation_numbers',
  text: 'select conversation_id, phone_number_id from conversations where tenant_id = $1',
};

/**
 * What happened in the conversations of a history, told from its history, its messages and nothing that adds up: each
 * conversation is gone through in the order of time.
 */
export async function factsOf(db: Database, history: ConversationHistory): Promise<readonly Fact[]> {
  const { tenantId } = history;
  const numbers = await readNumbers(db, tenantId);
  const { rows } = await db.run<Entry>(ENTRIES, [tenantId]);
  const byConversation = new Map<string, Entry[]>();
  for (const row of rows)
    byConversation.set(row.conversation_id, [...(byConversation.get(row.conversation_id) ?? []), row]);
  return [...byConversation].flatMap(([id, entries]) => {
    const walk = new Walk(numbers.get(id) ?? '', history);
    for (const entry of entries) walk.take(entry);
    return walk.facts;
  });
}

async function readNumbers(db: Database, tenantId: TenantId): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.run<{ conversation_id: string; phone_number_id: string }>(NUMBERS, [tenantId]);
  return new Map(rows.map((row) => [row.conversation_id, row.phone_number_id]));
}

class Walk {
  readonly facts: Fact[] = [];
  readonly #number: string;
  readonly #history: ConversationHistory;
  #assignee: string | null = null;
  #team: string | null = null;
  #tags: readonly string[] = [];
  #handledBy = 'none';
  #openedMs = 0;
  #waitsSinceMs: number | null = null;
  #isAnswered = false;

  constructor(number: string, history: ConversationHistory) {
    this.#number = number;
    this.#history = history;
  }

  take(entry: Entry): void {
    if (entry.actor_kind === 'customer') this.#waitsSinceMs ??= entry.at_ms;
    else if (entry.actor_kind === 'person') this.#answer(entry);
    else this.#change(entry);
  }

  #answer({ id, at_ms: atMs }: Entry): void {
    const author: Actor | undefined = this.#history.authors.get(id as MessageId);
    const times: [string, number, number][] = [];
    if (this.#waitsSinceMs !== null) {
      const took = this.#took(this.#waitsSinceMs, atMs);
      times.push(['reply', ...took]);
      if (!this.#isAnswered) times.push(['first_response', ...took]);
    }
    this.#tell('replies', atMs, author?.kind === 'agent' ? author.id : this.#assignee, times);
    this.#isAnswered = true;
    this.#waitsSinceMs = null;
  }

  #change({ at_ms: atMs, actor_kind, actor_id, changes }: Entry): void {
    const { status, assignee_id, team_id, tags, handled_by } = changes ?? {};
    if (assignee_id) this.#assignee = assignee_id[1] as string | null;
    if (team_id) this.#team = team_id[1] as string | null;
    if (tags) this.#tags = tags[1] as readonly string[];
    if (handled_by) this.#handledBy = String(handled_by[1]);
    if (assignee_id && this.#assignee !== null) this.#tell('assigned', atMs, this.#assignee);
    if (!status) return;
    const [from, to] = status;
    if (to === 'resolved') {
      const agent = this.#assignee ?? (actor_kind === 'agent' ? actor_id : null);
      this.#tell('resolved', atMs, agent, [['resolution', ...this.#took(this.#openedMs, atMs)]]);
      this.#waitsSinceMs = null;
    } else if (from === null || from === 'resolved') {
      this.#openedMs = atMs;
      this.#tell(from === null ? 'opened' : 'reopened', atMs, this.#assignee);
    }
  }

  #tell(measure: Fact['measure'], atMs: number, agent: string | null, times: Fact['times'] = []): void {
    const keys = { all: '', number: this.#number, agent, team: this.#team, handled_by: this.#handledBy };
    this.facts.push({ measure, atMs, keys, tags: this.#tags, times });
  }

  #took(sinceMs: number, untilMs: number): readonly [number, number] {
    const held = this.#history.hours.filter(({ fromMs }) => fromMs <= untilMs).at(-1);
    return [untilMs - sinceMs, openMinutes(held?.timetable ?? 0, sinceMs, untilMs) * MINUTE_MS];
  }
}

const MINUTE_MS = 60_000;

/** Counted one by one. */
function openMinutes(timetable: number, sinceMs: number, untilMs: number): number {
  const { days, from, to } = TIMETABLES[timetable] ?? TIMETABLES[0];
  let open = 0;
  for (let ms = sinceMs; ms < untilMs; ms += MINUTE_MS) {
    const at = new Date(ms);
    const day = (at.getUTCDay() + 6) % 7;
    if ((days as readonly number[]).includes(day) && at.getUTCHours() >= from && at.getUTCHours() < to) open += 1;
  }
  return open;
}

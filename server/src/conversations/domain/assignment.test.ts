import { describe, expect, test } from 'vitest';
import type { AgentId, TeamId } from '#core/ids';
import { type AssignmentCandidate, chooseAgent, type Pool, type Question, withAssigned } from './assignment.ts';

function candidate(name: string, fields: Partial<AssignmentCandidate> = {}): AssignmentCandidate {
  const agentId = name.toLowerCase() as AgentId;
  return { agentId, name, availability: 'online', openCount: 0, maxOpen: 5, skills: [], turn: 0, ...fields };
}

function pool(candidates: readonly AssignmentCandidate[], fields: Partial<Pool> = {}): Pool {
  return { teamId: 'support' as TeamId, policy: 'least_loaded', isOpen: true, candidates, ...fields };
}

function ask(team: Pool, fields: Partial<Question> = {}) {
  return chooseAgent({ team, overflow: null, requiredSkills: [], stickyAgentId: null, ...fields });
}

const who = (choice: ReturnType<typeof ask>) => (choice.outcome === 'assigned' ? choice.agentId : choice.because);
const why = (choice: ReturnType<typeof ask>) =>
  choice.skipped.map(({ name, reason, detail }) => [name, reason, detail]);

describe('a decision', () => {
  test('names the agents that were passed over, and why', () => {
    const team = pool([
      candidate('Ana', { openCount: 5 }),
      candidate('Bo', { availability: 'offline' }),
      candidate('Cy', { availability: 'away' }),
      candidate('Di'),
      candidate('Ed', { skills: ['french'], openCount: 1 }),
      candidate('Fay', { skills: ['french'] }),
    ]);
    const choice = ask(team, { requiredSkills: ['french'] });
    expect(who(choice)).toBe('fay');
    expect(why(choice)).toEqual([
      ['Ana', 'lacks_skill', 'french'],
      ['Bo', 'offline', null],
      ['Cy', 'away', null],
      ['Di', 'lacks_skill', 'french'],
      ['Ed', 'not_next', '1/5'],
    ]);
    expect(why(ask(pool([candidate('Ana', { openCount: 5 })])))).toEqual([['Ana', 'at_capacity', '5/5']]);
  });

  test('goes by turns, or by the share of the capacity that is in use', () => {
    const two = [
      candidate('Ana', { openCount: 1, maxOpen: 2 }),
      candidate('Bo', { openCount: 2, maxOpen: 10, turn: 1 }),
    ];
    expect(who(ask(pool(two)))).toBe('bo');
    expect(who(ask(pool(two, { policy: 'round_robin' })))).toBe('ana');
    let team = pool(
      ['Ana', 'Bo', 'Cy'].map((name) => candidate(name)),
      { policy: 'round_robin' },
    );
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      order.push(who(ask(team)));
      team = withAssigned(team, order.at(-1) as AgentId);
    }
    expect(order).toEqual(['ana', 'bo', 'cy', 'ana', 'bo', 'cy']);
  });

  test('keeps to the last agent of the customer, unless that one is not eligible', () => {
    const team = pool([candidate('Ana', { openCount: 4 }), candidate('Bo')]);
    expect(ask(team, { stickyAgentId: 'ana' as AgentId })).toMatchObject({ agentId: 'ana', because: 'sticky' });
    const full = pool([candidate('Ana', { openCount: 5 }), candidate('Bo')]);
    expect(ask(full, { stickyAgentId: 'ana' as AgentId })).toMatchObject({ agentId: 'bo', because: 'least_loaded' });
  });

  test('asks the overflow when no agent here has room or the team is closed', () => {
    const overflow = pool([candidate('Zoe')], { teamId: 'night' as TeamId, policy: 'manual' });
    const helped = { outcome: 'assigned', agentId: 'zoe', teamId: 'night', because: 'least_loaded' };
    expect(ask(pool([candidate('Ana', { openCount: 5 })]), { overflow })).toMatchObject(helped);
    expect(ask(pool([candidate('Ana')], { isOpen: false }), { overflow })).toMatchObject(helped);
    expect(who(ask(pool([candidate('Ana')]), { overflow }))).toBe('ana');
  });

  test.each([
    ['outside the hours', pool([candidate('Ana')], { isOpen: false }), 'outside_hours'],
    ['when people assign', pool([candidate('Ana')], { policy: 'manual' }), 'by_hand'],
    ['without members', pool([]), 'nobody_has_room'],
    ['when nobody may have any', pool([candidate('Ana', { maxOpen: 0 })]), 'nobody_has_room'],
  ])('waits %s', (_label, team, because) => {
    expect(ask(team)).toMatchObject({ outcome: 'waits', because });
  });
});

/** mulberry32: the same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const AGENTS = 200;
const CONVERSATIONS = 5_000;
const MAX_OPEN = 12;
/** Agents beyond this come and go; the others stay, and their loads are compared. */
const STEADY = 150;

function isSteady(agentId: AgentId): boolean {
  return Number(agentId.slice(1)) < STEADY;
}

class Simulation {
  readonly #random: () => number;
  #team: Pool;
  /** Agents of the conversations that are open. */
  readonly #open: AgentId[] = [];
  #waiting = 0;
  #arrived = 0;
  /** What the steady ones had open, summed over all steps, and how many they were given. */
  readonly loads = new Map<AgentId, number>();
  readonly given = new Map<AgentId, number>();
  readonly faults: string[] = [];

  constructor(seed: number, policy: Pool['policy']) {
    this.#random = seeded(seed);
    const names = Array.from({ length: AGENTS }, (_, index) => `a${String(index).padStart(3, '0')}`);
    this.#team = pool(
      names.map((name) => candidate(name, { maxOpen: MAX_OPEN })),
      { policy },
    );
  }

  get isOver(): boolean {
    return this.#arrived === CONVERSATIONS && this.#waiting === 0 && this.#open.length === 0;
  }

  /** One event: a customer writes, a conversation ends, or an agent joins or leaves. Then the queue is worked. */
  step(): void {
    const dice = this.#random();
    const pressure = this.#arrived < CONVERSATIONS / 2 ? 0.62 : 0.5;
    if (dice < 0.02) this.#comeOrGo();
    else if (dice < pressure && this.#arrived < CONVERSATIONS) this.#arrive();
    else if (this.#open.length > 0) this.#end();
    this.#assign();
    this.#check();
    for (const { agentId, openCount } of this.#team.candidates.slice(0, STEADY)) {
      this.loads.set(agentId, (this.loads.get(agentId) ?? 0) + openCount);
    }
  }

  #arrive(): void {
    this.#arrived += 1;
    this.#waiting += 1;
  }

  #end(): void {
    const [agentId] = this.#open.splice(Math.floor(this.#random() * this.#open.length), 1);
    this.#change(agentId, (one) => ({ ...one, openCount: one.openCount - 1 }));
  }

  #comeOrGo(): void {
    const one = this.#team.candidates[STEADY + Math.floor(this.#random() * (AGENTS - STEADY))];
    this.#change(one?.agentId, (was) => ({
      ...was,
      availability: was.availability === 'online' ? 'offline' : 'online',
    }));
  }

  #change(agentId: AgentId | undefined, change: (one: AssignmentCandidate) => AssignmentCandidate): void {
    const candidates = this.#team.candidates.map((one) => (one.agentId === agentId ? change(one) : one));
    this.#team = { ...this.#team, candidates };
  }

  #assign(): void {
    while (this.#waiting > 0) {
      const choice = ask(this.#team);
      if (choice.outcome === 'waits') return;
      this.#team = withAssigned(this.#team, choice.agentId);
      this.#open.push(choice.agentId);
      if (isSteady(choice.agentId)) this.given.set(choice.agentId, (this.given.get(choice.agentId) ?? 0) + 1);
      this.#waiting -= 1;
    }
  }

  #check(): void {
    for (const { name, openCount, maxOpen, availability } of this.#team.candidates) {
      if (openCount > maxOpen) this.faults.push(`${name} has ${openCount} of ${maxOpen}`);
      if (this.#waiting > 0 && availability === 'online' && openCount < maxOpen) {
        this.faults.push(`${name} has room while ${this.#waiting} wait`);
      }
    }
  }
}

describe('P15: 200 agents and 5,000 conversations', () => {
  test.each([
    [1, 'least_loaded'],
    [2, 'round_robin'],
  ] as const)('seed %i, %s: no agent is over capacity, no conversation waits while an agent has room, and loads are even', (seed, policy) => {
    const simulation = new Simulation(seed, policy);
    while (!simulation.isOver) simulation.step();
    expect(simulation.faults).toEqual([]);
    // Turns even out what agents are given, the other policy what they have at a time.
    const measured = [...(policy === 'least_loaded' ? simulation.loads : simulation.given).values()];
    expect(measured).toHaveLength(STEADY);
    expect(Math.max(...measured) / Math.min(...measured)).toBeLessThanOrEqual(1.2);
  });
});

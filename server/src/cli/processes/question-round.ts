import type { Worker } from 'node:cluster';
import type { Clock } from '#runtime/clock';
import type { SiblingQuestion } from '#runtime/siblings';
import type { FromMember, FromSupervisor } from './messages.ts';

/** Who asks for metrics or readiness waits for no longer than this for a process that hangs. */
const WITHIN_MS = 2_000;

interface Round {
  readonly asked: Worker;
  /** Of the question, as the process that asks has numbered it. */
  readonly id: number;
  readonly answers: unknown[];
  /** How many processes were asked, and how many there should be. */
  readonly members: number;
  readonly wanted: number;
  readonly end: () => void;
}

/** Passes the question of one process on to all of them, and their answers back. */
export class QuestionRounds {
  readonly #clock: Clock;
  readonly #rounds = new Map<number, Round>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param members those that work @param wanted how many there should be: the others count as silent */
  begin(asked: Worker, id: number, question: SiblingQuestion, members: readonly Worker[], wanted: number): void {
    this.#last += 1;
    const number = this.#last;
    const cancel = this.#clock.after(WITHIN_MS, () => this.#end(number));
    this.#rounds.set(number, { asked, id, answers: [], members: members.length, wanted, end: cancel });
    for (const member of members) send(member, { kind: 'question', id: number, question });
    if (members.length === 0) this.#end(number);
  }

  /** Ends the round when it is complete. */
  take({ id, answer }: Extract<FromMember, { kind: 'reply' }>): void {
    const round = this.#rounds.get(id);
    if (round === undefined) return;
    round.answers.push(answer);
    if (round.answers.length === round.members) this.#end(id);
  }

  #end(number: number): void {
    const round = this.#rounds.get(number);
    if (round === undefined) return;
    this.#rounds.delete(number);
    round.end();
    const { asked, id, answers, wanted } = round;
    send(asked, { kind: 'replies', id, replies: { answers, silent: wanted - answers.length } });
  }
}

function send(worker: Worker, message: FromSupervisor): void {
  if (worker.isConnected()) worker.send(message);
}

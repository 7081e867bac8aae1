import cluster, { type Worker } from 'node:cluster';
import type { SiblingAnswers, SiblingQuestion, SiblingReplies, Siblings } from '#runtime/siblings';
import type { FromMember, FromSupervisor } from './messages.ts';

/** A process that a supervisor has started. */
export interface ProcessMember extends Siblings {
  /** Says that it works, and answers for itself from now on. */
  ready(answers: SiblingAnswers): void;
}

/** One of several processes of a service, connected to its supervisor; null: this process is the whole service. */
export function joinProcesses(): ProcessMember | null {
  const { worker } = cluster;
  return worker === undefined ? null : new ConnectedMember(worker);
}

type Waiting = (replies: SiblingReplies<unknown>) => void;

class ConnectedMember implements ProcessMember {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #answers: SiblingAnswers | null = null;
  #asked = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromSupervisor) => this.#hear(message));
    worker.once('disconnect', () => leaveInOrder(worker));
  }

  ready(answers: SiblingAnswers): void {
    this.#answers = answers;
    this.#send({ kind: 'ready' });
  }

  ask<Q extends SiblingQuestion>(question: Q): Promise<SiblingReplies<Awaited<ReturnType<SiblingAnswers[Q]>>>> {
    if (!this.#worker.isConnected()) return Promise.resolve({ answers: [], silent: 1 });
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve as Waiting);
      this.#send({ kind: 'ask', id, question });
    });
  }

  #hear(message: FromSupervisor): void {
    if (message.kind === 'question') void this.#answer(message.id, message.question);
    else {
      this.#waiting.get(message.id)?.(message.replies);
      this.#waiting.delete(message.id);
    }
  }

  /** Without an answer it counts as silent. */
  async #answer(id: number, question: SiblingQuestion): Promise<void> {
    const answer = await this.#answers?.[question]().catch(() => undefined);
    if (answer !== undefined) this.#send({ kind: 'reply', id, answer });
  }

  #send(message: FromMember): void {
    if (this.#worker.isConnected()) this.#worker.send(message);
  }
}

/** The supervisor is gone. Node would end the process in the middle of its work; it is told that the end is expected. */
function leaveInOrder(worker: Worker): void {
  worker.exitedAfterDisconnect = true;
  process.kill(process.pid, 'SIGTERM');
}

/** One at a time, in order of arrival: what a database with a single connection needs. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything taken before has ended; its error is its own. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

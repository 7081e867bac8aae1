/** What each process of one service is asked by the others. */
export interface SiblingAnswers {
  /** Of each of its cells, as `sumMetrics` takes them. */
  readonly metrics: () => Promise<readonly unknown[]>;
  /** Why it can do no work now, one sentence each; none when it is ready. */
  readonly readiness: () => Promise<readonly string[]>;
}

export type SiblingQuestion = keyof SiblingAnswers;

/** What all processes have answered; of those that were too slow, or were just being started, only how many there are. */
export interface SiblingReplies<T> {
  readonly answers: readonly T[];
  readonly silent: number;
}

/** The processes of one service on one port (`serve --processes`), this one among them. */
export interface Siblings {
  ask<Q extends SiblingQuestion>(question: Q): Promise<SiblingReplies<Awaited<ReturnType<SiblingAnswers[Q]>>>>;
}

/** What is true of an error wherever it is raised. */
export interface ErrorRule {
  readonly status: number;
  /** Whose fault: decides who is alerted, and whether repeating the same request can help. */
  readonly fault: 'caller' | 'ours';
  /** The public sentence, when the place that raises the error has nothing more exact to say. */
  readonly sentence: string;
}

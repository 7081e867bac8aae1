/** What the console's phone asks of the simulated network. */
export interface PhoneCall {
  readonly method: string;
  /** Path and query at the simulator. */
  readonly path: string;
  /** JSON; null without a body. */
  readonly body: Buffer | null;
}

/** An answer of the simulator, whose body is still coming. */
export interface PhoneAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly contentLength: string | null;
  readonly body: NodeJS.ReadableStream;
}

/** Reaches the control plane of the simulated network. */
export interface SimulatorPhone {
  /** Where it is, for people. */
  readonly url: string;
  /** Asks once. Rejects when nobody answers in time. */
  ask(call: PhoneCall): Promise<PhoneAnswer>;
  close(): Promise<void>;
}

/** Requests of this process that may wait for an answer of the network at once: clients have a connection for each. */
export const OUTSIDE_AT_ONCE = 256;

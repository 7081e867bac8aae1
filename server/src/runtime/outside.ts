/**
 * Requests of this process that may wait for a response of the network concurrently: clients have a connection for
 * each.
 */
export const OUTSIDE_AT_ONCE = 256;

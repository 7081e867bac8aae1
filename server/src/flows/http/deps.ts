import type { FlowDeps } from '#flows/actions/reach-flow';

declare module '#http/deps' {
  interface HttpDeps {
    /** What operations about flows work with. */
    readonly flows: FlowDeps;
  }
}

import type { UnassignStep } from '#agents/actions/manage-agents';

declare module '#http/deps' {
  interface HttpDeps {
    /** Takes an agent who goes away from its conversations. */
    readonly unassign: UnassignStep;
  }
}

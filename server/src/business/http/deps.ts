import type { BusinessDeps } from '#business/actions/reach-number';

declare module '#http/deps' {
  interface HttpDeps {
    /** What operations about the presence of a business work with. */
    readonly business: BusinessDeps;
  }
}

import type { FiguresDeps } from '#analytics/actions/network-figures';

declare module '#http/deps' {
  interface HttpDeps {
    /** What reports of the network's figures work with. */
    readonly figures: FiguresDeps;
  }
}

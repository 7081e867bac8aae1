import { businessProvocations } from './business-provocations.ts';
import { figureProvocations } from './figure-provocations.ts';
import { flowProvocations } from './flow-provocations.ts';
import { libraryProvocations } from './library-provocations.ts';
import type { Provocation } from './provocations.ts';

/** Failures of what is asked of the network with each request, by operation and name of the example. */
export const networkProvocations: Readonly<Record<string, Provocation>> = {
  ...businessProvocations,
  ...figureProvocations,
  ...flowProvocations,
  ...libraryProvocations,
};

import type { Scenario } from '../scenario.ts';
import { accept } from './accept.ts';
import { backlog } from './backlog.ts';
import { endToEnd } from './end-to-end.ts';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [accept, endToEnd, backlog];

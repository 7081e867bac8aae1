import { isLoopbackUrl } from '#core/loopback';
import type { Config } from './config.ts';

/** Whether sends reach no real recipient, because the network is the simulator. */
export function networkIsSimulated({ networkIsSimulator, networkUrl }: Config): boolean {
  return networkIsSimulator === 'auto' ? isLoopbackUrl(networkUrl) : networkIsSimulator === 'yes';
}

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the programs lie. Works from source and from dist alike. */
export interface Programs {
  readonly root: string;
  readonly server: string;
  readonly simulator: string;
  readonly results: string;
}

/** The programs of this checkout, as `npm run build` leaves them. */
export function builtPrograms(): Programs {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = join(here, here.includes(`${join('bench', 'dist')}`) ? '../../../..' : '../../..');
  return {
    root,
    server: join(root, 'server/dist/bin/postrider.js'),
    simulator: join(root, 'simulator/dist/bin/simulator.js'),
    results: join(root, 'bench/results'),
  };
}

import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the programs lie. Works from source and from dist alike. */
export interface Programs {
  readonly root: string;
  readonly serverFolder: string;
  readonly server: string;
  readonly simulator: string;
  readonly results: string;
}

const ENTRY = 'dist/bin/postrider.cjs';
const COPIED = ['dist', 'migrations', 'package.json'];

/** The programs of this checkout, as `npm run build` leaves them. */
export function builtPrograms(): Programs {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = join(here, here.includes(`${join('bench', 'dist')}`) ? '../../../..' : '../../..');
  return {
    root,
    serverFolder: join(root, 'server'),
    server: join(root, 'server', ENTRY),
    simulator: join(root, 'simulator/dist/bin/simulator.js'),
    results: join(root, 'bench/results'),
  };
}

/**
 * Copies the built server into `folder`: a build that runs beside a long run cannot change the server under it.
 * @returns the programs with the copy instead of the server of the checkout
 */
export function copyServer(programs: Programs, folder: string): Programs {
  const copy = join(folder, 'server');
  mkdirSync(copy, { recursive: true });
  for (const name of COPIED) cpSync(join(programs.serverFolder, name), join(copy, name), { recursive: true });
  // The server looks for the console beside itself.
  cpSync(join(programs.root, 'console', 'dist'), join(folder, 'console', 'dist'), { recursive: true });
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) symlinkSync(join(programs.root, 'node_modules'), modules);
  return { ...programs, serverFolder: copy, server: join(copy, ENTRY) };
}

// npm start: installs and compiles what is missing, then runs the simulator and the service with a demo tenant until Ctrl-C.
import { join } from 'node:path';
import { startBoth } from '../server/starter/start-both.mjs';
import { prepare, root } from './workspace.mjs';

await startBoth({
  prepare: () => prepare({ packages: ['server', 'simulator', 'sdk'], onlyRuntime: true }),
  moduleCache: join(root, 'node_modules', '.cache', 'compiled-modules'),
});

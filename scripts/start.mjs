// npm start: installs and compiles what is missing, then runs the simulator and the service with a demo tenant until Ctrl-C.
import { join } from 'node:path';
import { startBoth } from '../server/starter/start-both.mjs';
import { prepare, root } from './workspace.mjs';

const LOOK_MS = 500;

leaveWithNpm();
await startBoth({
  prepare: () => prepare({ packages: ['server', 'simulator', 'sdk'], onlyRuntime: true }),
  moduleCache: join(root, 'node_modules', '.cache', 'compiled-modules'),
});

/** Whoever ends npm means us: npm passes the signal on to its shell, which ends without passing it on. */
function leaveWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  watch.unref();
}

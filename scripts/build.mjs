// npm run build: installs what is missing and compiles what has changed in all packages, into their dist/.
import { prepare } from './workspace.mjs';

await prepare({ packages: ['server', 'simulator', 'sdk', 'e2e', 'bench'] });

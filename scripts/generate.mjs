// npm run gen: writes the generated files into the project.
import { join } from 'node:path';
import { prepare, root, run } from './workspace.mjs';

await prepare({ packages: ['server', 'simulator'] });
run(process.execPath, [join(root, 'server', 'dist', 'bin', 'generate.js'), root]);

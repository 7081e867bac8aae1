// npm run gen: writes the generated files into the project.
import { join } from 'node:path';
import { prepare, root, run } from './workspace.mjs';

await prepare({ packages: ['server', 'simulator', 'sdk'] });
run(process.execPath, [join(root, 'server', 'dist', 'bin', 'generate.js'), root]);
// From the API description that was just written.
run(process.execPath, [join(root, 'sdk', 'dist', 'bin', 'generate.js'), root]);

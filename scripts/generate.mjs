// npm run gen: writes the generated files into the project.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './workspace.mjs';

requireNode();
ensureInstalled();
ensureBuilt(['server', 'simulator']);
run(process.execPath, [join(root, 'server', 'dist', 'bin', 'generate.js'), root]);

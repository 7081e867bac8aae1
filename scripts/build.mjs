// npm run build: installs what is missing and compiles all packages.
import { build, ensureInstalled, requireNode } from './workspace.mjs';

requireNode();
ensureInstalled();
build(['server', 'simulator', 'e2e', 'bench']);

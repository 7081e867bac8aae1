#!/usr/bin/env node
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from './document.ts';
import { operationsFile, routesFile } from './operation-files.ts';
import { resourcesFile } from './resource-types.ts';
import { typesFile } from './schema-types.ts';

/*
 * Writes sdk/src/generated from contract/openapi.json. The argument is the folder that has the one and gets the other,
 * laid out like the project; `verify` writes elsewhere and compares.
 */
const [target = '.'] = process.argv.slice(2);
const document = JSON.parse(readFileSync(join(target, 'contract/openapi.json'), 'utf8')) as Document;
const folder = join(target, 'sdk/src/generated');
mkdirSync(folder, { recursive: true });
const files = {
  'types.ts': typesFile(document),
  'operations.ts': operationsFile(document),
  'routes.ts': routesFile(document),
  'resources.ts': resourcesFile(document),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

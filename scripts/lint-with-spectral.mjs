// Lints the API description with the rules `spectral:oas`; ends with code 1 when there is an error.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { root } from './workspace.mjs';

const ERROR = 0;
const file = 'contract/openapi.json';

const linter = new spectral.Spectral();
linter.setRuleset({ extends: [rulesets.oas] });
const findings = await linter.run(JSON.parse(readFileSync(join(root, file), 'utf8')));
const errors = findings.filter((finding) => finding.severity === ERROR && !isAboutData(finding));
for (const { code, path, message } of errors) console.error(`${file} at ${path.join('.')}: ${message} (${code})`);
if (errors.length > 0) process.exit(1);
console.error(`Spectral finds no error in ${file}.`);

/**
 * Whether Spectral took a value for a schema: it does so wherever something has a field `example`, and the components of message
 * templates have one, at the network as here.
 */
function isAboutData({ code, path }) {
  return code === 'oas3-valid-schema-example' && path.slice(0, -1).some((step) => /^examples?$/.test(step));
}

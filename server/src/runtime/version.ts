import { readFileSync } from 'node:fs';

let version: string | null = null;

/** The version of the service: that of its package. The sources lie as deep below it as what is compiled. */
export function serviceVersion(): string {
  version ??= (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
  return version;
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slice } from './depth.ts';
import { root } from './postrider-process.ts';

/* What programs are written against: types and clients that the usual generators make from the API description. */
const description = join(root, 'contract', 'openapi.json');
/** Below this package, so that what is generated finds the packages that it imports. */
const generated = join(root, 'e2e', 'dist', 'generated');
let folder: string;

beforeAll(() => {
  mkdirSync(generated, { recursive: true });
  folder = mkdtempSync(join(generated, 'clients-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const require = createRequire(import.meta.url);

/** Runs the program of a package with Node. @param found a file of the package that it lets others find */
function run(name: string, program: string, args: readonly string[], found = 'package.json'): string {
  const entry = join(dirname(require.resolve(join(name, found))), program);
  return execFileSync(process.execPath, [entry, ...args], { cwd: folder, encoding: 'utf8' });
}

/** The faults that the compiler finds in a program, with everything that it imports; none: an empty text. */
function faultsOf(program: string): string {
  writeFileSync(join(folder, 'program.ts'), program);
  const settings = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
  const compilerOptions = { ...settings, module: 'esnext', moduleResolution: 'bundler' };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  try {
    return run('typescript', 'bin/tsc', ['-p', '.']);
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout);
  }
}

/** What a program does first, with types of these names. */
const FIRST_STEPS = `
export const whole: SendMessageRequest = { to: '447700900123', body: 'Your parcel leaves today.' };
export const codeOf = (fault: Fault): ErrorCode => fault.code;
export const title = (conversation: Conversation): string => conversation.number + ' ' + conversation.status;
export function summary(event: Event): string | null {
  switch (event.type) {
    case 'message.received':
      return event.data.body;
    case 'conversation.assigned':
      return event.data.assignee_id;
    default:
      return null;
  }
}
`;

function typesOfOpenapiTypescript(): string {
  run('openapi-typescript', 'bin/cli.js', [description, '-o', 'schema.ts']);
  return faultsOf(`
import type { components, operations } from './schema';
type Schemas = components['schemas'];
type SendMessageRequest = Schemas['SendMessageRequest'];
type Conversation = Schemas['Conversation'];
type Event = Schemas['Event'];
type Fault = Schemas['Error'];
type ErrorCode = Schemas['ErrorCode'];
type Answers = operations['sendMessage']['responses'];
export const idOf = (answer: Answers[200 | 202]['content']['application/json']): string => answer.id;
${FIRST_STEPS}`);
}

function clientOfHeyApi(): string {
  run('@hey-api/openapi-ts', 'bin/run.js', ['-i', description, '-o', 'client', '--no-log-file', '--silent']);
  return faultsOf(`
import { type Conversation, type ErrorCode, type Error as Fault, type Event, type SendMessageRequest, sendMessage } from './client';
export async function send(): Promise<string> {
  const { data, error } = await sendMessage({ body: { to: '447700900123', body: 'Your parcel leaves today.' } });
  if (error !== undefined) throw new Error(error.error);
  return data.id;
}
${FIRST_STEPS}`);
}

function clientOfOrval(): string {
  const output = { target: './orval/client.ts', schemas: './orval/model', client: 'fetch', mode: 'split' };
  const config = { postrider: { input: description, output } };
  writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)};`);
  run('orval', 'bin/orval.js', [], '');
  return faultsOf(`
import { sendMessage } from './orval/client';
import type { Conversation, Error as Fault, ErrorCode, Event, SendMessageRequest } from './orval/model';
export async function send(): Promise<string> {
  const answer = await sendMessage({ to: '447700900123', body: 'Your parcel leaves today.' });
  if (answer.status !== 200 && answer.status !== 202) throw new Error(answer.data.error);
  return answer.data.id;
}
${FIRST_STEPS}`);
}

/** Each makes its types or client, and returns the faults of a program that uses them. */
const GENERATORS: readonly (readonly [string, () => string])[] = [
  ['openapi-typescript', typesOfOpenapiTypescript],
  ['@hey-api/openapi-ts', clientOfHeyApi],
  ['orval', clientOfOrval],
];

test.each(
  slice(GENERATORS),
)('a program on what %s makes of the API description sends a message with two fields, and distinguishes events by type', (_, faults) => {
  expect(faults()).toBe('');
});

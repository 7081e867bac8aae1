import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { freePort, type Program, postrider, root, startProgram } from './postrider-process.ts';

/*
 * The client library as somebody else has it: packed, installed into an empty folder and used from there, against what
 * `npm start` starts. It expects what `npm run build` makes.
 */
const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8');
const require = createRequire(import.meta.url);
const SECRET = `whsec_${Buffer.from('the secret of the README').toString('base64')}`;

let folder: string;
let started: Program;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-sdk-'));
  const app = { name: 'app', private: true, type: 'module' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(app));
  npm(root, ['pack', './sdk', '--pack-destination', folder]);
  const [tarball = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  npm(folder, ['install', join(folder, tarball), '--offline', '--no-audit', '--no-fund']);
  const port = String(await freePort());
  started = startProgram(join(root, 'scripts', 'start.mjs'), [], {
    PORT: port,
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
  });
  const [, key = ''] = await started.printed(/(?:API key +|KEY=)(\S+)/);
  await started.printed(/Ctrl-C stops/);
  const { PATH, HOME } = process.env;
  const service = { POSTRIDER_BASE_URL: `http://127.0.0.1:${port}`, POSTRIDER_API_KEY: key };
  environment = { PATH, HOME, ...service, WEBHOOK_SECRETS: SECRET };
});
afterAll(async () => {
  started.child.kill('SIGTERM');
  await started.finished;
  rmSync(folder, { recursive: true, force: true });
});

function npm(cwd: string, args: readonly string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Runs a program in the folder that the library is installed in; returns what it prints. */
function runProgram(name: string, program: string): string {
  writeFileSync(join(folder, name), program);
  return execFileSync(process.execPath, [name], { cwd: folder, env: environment, encoding: 'utf8' });
}

const installed = () => join(folder, 'node_modules', '@postrider', 'sdk');

describe('the package', () => {
  test('has no dependencies, no tests, and types for whatever it exports', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@postrider']);
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.test\.|\/testing\//.test(file))).toEqual([]);
    const { exports, dependencies } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    const named = Object.values<Record<string, string>>(exports).flatMap((conditions) => Object.values(conditions));
    expect(named.filter((file) => !files.includes(file.replace('./', '')))).toEqual([]);
  });

  test('is imported and required, and says its version', () => {
    const imported = "import { VERSION } from '@postrider/sdk';\nconsole.log(VERSION);";
    const required = "console.log(require('@postrider/sdk').VERSION);";
    const { version } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
    expect(runProgram('imported.mjs', imported)).toBe(`${version}\n`);
    expect(runProgram('required.cjs', required)).toBe(`${version}\n`);
  });

  test('has a table of operations for tools', () => {
    const program = `
      import { operations } from '@postrider/sdk/operations';
      const { resource, verb, method, path } = operations.sendMessage;
      console.log(resource, verb, method, path);
    `;
    expect(runProgram('operations.mjs', program)).toBe('messages send POST /v1/messages\n');
  });
});

describe('the library', () => {
  test('does with this Node what it must do with every runtime (npm run runtimes tries others)', () => {
    const program = readFileSync(join(root, 'sdk', 'acceptance', 'acceptance.mjs'), 'utf8');
    expect(runProgram('acceptance.mjs', program)).toMatch(/^All \d+ checks have passed\.$/m);
  });
});

/** TypeScript 7 is many times faster than 5, which most programs are still compiled with. */
const TYPESCRIPT_7 = join(root, 'node_modules', 'typescript');
const TYPESCRIPT_5 = dirname(require.resolve('typescript/package.json'));

/** Returns the faults that the compiler finds in a program: an empty text for a correct program. */
function faultsOf(program: string, typescript = TYPESCRIPT_7): string {
  writeFileSync(join(folder, 'program.ts'), program);
  const settings = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: [] };
  const compilerOptions = { ...settings, target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext' };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  try {
    return execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout);
  }
}

const FIRST_STEPS = `
import { Postrider, PostriderError, type Event, type SendMessageRequest } from '@postrider/sdk';
const pr = new Postrider();
export const whole: SendMessageRequest = { to: '447700900123', body: 'Your parcel leaves today.' };
export async function titles(status?: 'open'): Promise<string[]> {
  const found: string[] = [];
  for await (const { number, status: state } of pr.conversations.list({ status })) found.push(number + ' ' + state);
  return found;
}
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
export const isClosed = (error: unknown) => error instanceof PostriderError && error.code === 'window_closed';
`;

describe('its types', () => {
  test.each([
    ['5', TYPESCRIPT_5],
    ['7', TYPESCRIPT_7],
  ])('are enough for a strict program that TypeScript %s compiles, without those of Node', (_, typescript) => {
    expect(faultsOf(FIRST_STEPS, typescript)).toBe('');
  });

  test('refuse unknown fields, values and verbs, a message without its text, and a missing ID', () => {
    const wrong = [
      "pr.messages.send({ to: '1', body: 'Hello', prority: 'high' });",
      "pr.conversations.list({ status: 'opened' });",
      "pr.messages.send({ to: '1', type: 'text' });",
      'pr.messages.get();',
      "pr.messages.destroy('1');",
    ];
    const lines = wrong.map((line) => `// @ts-expect-error\n${line}`);
    expect(faultsOf([FIRST_STEPS, ...lines].join('\n'))).toBe('');
  });
});

const CONDITIONS = `
import { Postrider, type ContactCondition, type ConversationCondition, type RuleCondition } from '@postrider/sdk';
const pr = new Postrider();
export const mine: ConversationCondition = {
  all: [
    { field: 'conversation.assignee_id', value: 'me' },
    { any: [{ field: 'conversation.status', match: 'in', value: ['open', 'pending'] }, { field: 'contact.tags', value: 'vip' }] },
    { not: { field: 'conversation.waiting_since', match: 'between', value: ['-2d', '-1h'] } },
    { field: 'conversation.unread_count', match: 'gte', value: 1 },
    { field: 'contact.attributes.plan', value: 'gold' },
    { field: 'contact.attributes.orders', match: 'between', value: [1, 9] },
    { field: 'contact.language', match: 'missing' },
  ],
};
export const reviews: RuleCondition = { field: 'text', match: 'regex', value: '^order \\\\d+' };
export async function uses(when: ContactCondition) {
  await pr.conversations.search({ when: mine });
  await pr.views.create({ name: 'Mine', when: mine });
  await pr.contacts.search({ when });
  const segment = await pr.segments.create({ name: 'Regulars', when });
  await pr.segments.update(segment.id, { when: segment.when ?? when });
}
export function statusOf(when: ContactCondition): readonly ('active' | 'blocked')[] {
  if (when.field !== 'contact.status' || when.value === undefined) return [];
  return typeof when.value === 'string' ? [when.value] : when.value;
}
`;

describe('types of conditions', () => {
  test('accept what the service accepts, in views, searches, segments and rules, and narrow by field', () => {
    expect(faultsOf(CONDITIONS)).toBe('');
  });

  test('refuse a field, a match, a value or a group that the service would refuse', () => {
    const wrong = [
      "{ field: 'conversation.state', value: 'open' }",
      "{ field: 'conversation.status', value: 'opened' }",
      "{ field: 'conversation.status', match: 'contains', value: 'open' }",
      "{ field: 'conversation.status', match: 'in', value: 'open' }",
      "{ field: 'conversation.unread_count', value: '1' }",
      "{ field: 'conversation.unread_count', match: 'between', value: [1] }",
      "{ field: 'contact.name', match: 'exists', value: 'Ada' }",
      "{ field: 'contact.name', match: 'regex', value: '^A' }",
      "{ field: 'contact.name' }",
      '{ all: { field: "contact.name", value: "Ada" } }',
      '{ all: [], any: [] }',
      "{ not: { field: 'contact.name', value: 1 } }",
      "{ field: 'contact.attributes.plan', match: 'like', value: 'gold' }",
    ].map((condition) => `// @ts-expect-error\nwrong = ${condition};`);
    expect(faultsOf([CONDITIONS, 'let wrong: ConversationCondition;', ...wrong].join('\n'))).toBe('');
  });
});

describe('types of templates', () => {
  test('make a missing or misspelled value, name or language a fault', () => {
    const typed = execFileSync(process.execPath, [postrider, 'templates', 'types'], {
      cwd: folder,
      env: {
        ...environment,
        MESSAGING_BASE_URL: environment.POSTRIDER_BASE_URL,
        MESSAGING_API_KEY: environment.POSTRIDER_API_KEY,
      },
      encoding: 'utf8',
    });
    expect(typed).toContain('"en_US": { variables: { "first_name": string; "order_no": string } };');
    const more = '"greeting": { "en_US": Record<never, never> };';
    writeFileSync(
      join(folder, 'templates.d.ts'),
      typed.replace('interface Templates {', `interface Templates {\n${more}`),
    );
    const right = "template('order_ready', 'en_US', { variables: { first_name: 'Ada', order_no: 'A-17' } });";
    const wrong = [
      "template('order_ready', 'en_US', { variables: { first_name: 'Ada' } });",
      "template('order_ready', 'en_US');",
      "template('order_ready', 'de', { variables: { first_name: 'Ada', order_no: 'A-17' } });",
      "template('order_redy', 'en_US');",
    ].map((line) => `// @ts-expect-error\n${line}`);
    const head = "/// <reference path='./templates.d.ts' />\nimport { template } from '@postrider/sdk';";
    expect(faultsOf([head, "template('greeting', 'en_US');", right, ...wrong].join('\n'))).toBe('');
    const untyped =
      "import { template } from '@postrider/sdk';\ntemplate('any', 'en', { variables: { name: 'Ada' } });";
    expect(faultsOf(untyped)).toBe('');
  });
});

describe('the README', () => {
  const blocks = [...readme.matchAll(/^```js run\n([\s\S]*?)^```$/gm)].map(([, program = ''], index) => ({
    title:
      readme
        .slice(0, readme.indexOf(program))
        .match(/^#+ (.*)$/gm)
        ?.at(-1) ?? '',
    name: `readme-${index}.mjs`,
    program,
  }));

  // The service that it starts itself is in a package of its own: see sdk-testing.test.ts.
  test.each(blocks.filter(({ title }) => title !== '## Testing'))('shows a program that runs: $title', ({
    name,
    program,
  }) => {
    runProgram(name, program);
  });

  test('shows a receiver that takes what is signed, and nothing else', () => {
    const block = blocks.find(({ program }) => program.includes('unwrapWebhook'));
    const body = JSON.stringify({ id: 'evt', type: 'message.received', data: {} });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key).update(`evt.${timestamp}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'evt', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
    const program = `
      import { POST } from './${block?.name}';
      for (const body of [${JSON.stringify(body)}, '{}']) {
        const request = new Request('http://127.0.0.1', { method: 'POST', headers: ${JSON.stringify(headers)}, body });
        console.log((await POST(request)).status);
      }
    `;
    expect(runProgram('receiver.mjs', program)).toBe('message.received evt\n204\n400\n');
  });

  test('has one block that is not run, for pages', () => {
    expect(
      [...readme.matchAll(/^```\w.*$/gm)].map(([fence]) => fence).filter((fence) => fence !== '```js run'),
    ).toEqual(['```js']);
  });
});

import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';

/** All resources, the stream and webhooks, as a page loads them. */
const LARGEST_BYTES = 8 * 1024;
const entry = fileURLToPath(new URL('./index.ts', import.meta.url));

let chunk: Rollup.OutputChunk;
beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source'] },
    // As part of a page, not as a library, whose spaces would be left for the next bundler.
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  });
  const [output] = [built].flat() as Rollup.RollupOutput[];
  const chunks = output?.output.filter((part) => part.type === 'chunk') ?? [];
  const [first] = chunks;
  if (!first || chunks.length > 1) throw new Error(`Expected one file, got ${chunks.length}.`);
  chunk = first;
});

describe('the library in a page', () => {
  test(`has at most ${LARGEST_BYTES} bytes as they are sent`, () => {
    expect(gzipSync(chunk.code, { level: 9 }).length).toBeLessThanOrEqual(LARGEST_BYTES);
  });

  test('consists of its own files, and nothing of Node', () => {
    const source = fileURLToPath(new URL('.', import.meta.url));
    const foreign = Object.keys(chunk.modules).filter((file) => !file.startsWith(source));
    const builtin = [...chunk.imports, ...chunk.dynamicImports].filter(isBuiltin);
    expect({ foreign, builtin, imports: chunk.imports }).toEqual({ foreign: [], builtin: [], imports: [] });
  });

  test('works where there is no process, as in a browser', async () => {
    const code = `const process = undefined, Buffer = undefined, setImmediate = undefined, require = undefined;\n${chunk.code}`;
    const loaded = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
    const asked: string[] = [];
    const answer = async (input: string) => {
      asked.push(input);
      return new Response('{"id":"1"}', { headers: { 'content-type': 'application/json' } });
    };
    const pr = new loaded.Postrider({ session: true, baseUrl: 'https://messages.example', fetch: answer });
    expect(await pr.teams.get('1')).toEqual({ id: '1' });
    expect(asked).toEqual(['https://messages.example/v1/teams/1']);
  });
});

import { describe, expect, test } from 'vitest';
import { servedMethods } from '../testing/described.ts';
import { fakeApi } from '../testing/fake-api.ts';

/** Doors beside the API, which the document of the API does not describe. */
const ELSEWHERE: readonly string[] = [];

/** Every route of the router with its methods: `GET /v1/messages/{id}`. The answers of 405 are routes too. */
async function routedPaths(): Promise<readonly string[]> {
  const { app } = fakeApi();
  await app.ready();
  const paths = pathsIn(app.printRoutes({ commonPrefix: false }));
  await app.close();
  return paths;
}

/** Reads the tree that the router prints: each line is a segment below the line that is less indented. */
function pathsIn(tree: string): readonly string[] {
  const above: string[] = [];
  const paths: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent = '', segment = '', methods = ''] = /^([│├└─\s]*)(\S.*?)(?: \(([A-Z, ]+)\))?$/u.exec(line) ?? [];
    if (segment === '') continue;
    const depth = indent.length / 4;
    above.splice(Math.max(0, depth - 1), above.length, segment);
    if (methods !== '') paths.push(above.join(''));
  }
  return [...new Set(paths.map((path) => path.replace(/:(\w+)/g, '{$1}')))];
}

describe('the routes of the server', () => {
  test('are the paths of the OpenAPI document, both ways', async () => {
    const described = servedMethods.map(([path]) => path);
    expect((await routedPaths()).toSorted()).toEqual([...described, ...ELSEWHERE].toSorted());
  });
});

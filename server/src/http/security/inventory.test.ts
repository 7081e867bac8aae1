import { describe, expect, test } from 'vitest';
import { networkOperations, operations } from '#bin/operations';
import { servedMethods } from '#http/testing/described';
import { fakeApi, testKey } from '#http/testing/fake-api';

/** Doors beside the API, which the document of the API does not describe. */
const ELSEWHERE: readonly string[] = ['/v1/sso/{id}/start', '/v1/sso/callback', '/v1/sso/{id}/logout'];

/** What the router prints of the route for everything else below a version or an id of the network. */
const ANYTHING_ELSE = '*';
/** The network's own API, which the network describes. */
const OF_THE_NETWORK = [...networkOperations.map(({ path }) => path), ANYTHING_ELSE].map(asTemplate);

function asTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

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
  return [...new Set(paths.map(asTemplate))];
}

describe('the routes of the server', () => {
  test('are the paths of the OpenAPI document, both ways', async () => {
    const described = servedMethods.map(([path]) => path);
    expect((await routedPaths()).toSorted()).toEqual(
      [...described, ...ELSEWHERE, ...new Set(OF_THE_NETWORK)].toSorted(),
    );
  });
});

/** Whoever adds an operation of which customers get or see something names it here too. */
const REACHES_CUSTOMERS = [
  'createChatbotRule',
  'createConversation',
  'createNumberQrCode',
  'deleteNumberQrCode',
  'deleteNumberUsername',
  'deprecateFlow',
  'dryRunMessage',
  'markMessageRead',
  'publishFlow',
  'replyInConversation',
  'requestNumberDisplayName',
  'resendMessage',
  'resumeCampaign',
  'retryCampaign',
  'sendMessage',
  'sendMessageBatch',
  'setNumberPicture',
  'setNumberPin',
  'setNumberUsername',
  'startCampaign',
  'updateChatbotRule',
  'updateNumberCommands',
  'updateNumberProfile',
  'updateNumberQrCode',
];

test('a test key is kept from every operation that reaches customers over the real network', async () => {
  const refused = operations.filter(({ sends }) => sends).map(({ operationId }) => operationId);
  expect(refused.toSorted()).toEqual(REACHES_CUSTOMERS);
  const { app } = fakeApi({
    settings: { MESSAGING_NETWORK_URL: 'https://graph.example', MESSAGING_NETWORK_IS_SIMULATOR: 'auto' },
  });
  for (const { method, path } of operations.filter(({ sends }) => sends)) {
    const url = path.replace(':id', '0190a6f2-0000-7000-8000-00000000dead');
    const answer = await app.inject({ method, url, headers: { authorization: testKey }, payload: {} });
    expect([path, answer.statusCode, answer.json().code]).toEqual([path, 403, 'test_key']);
  }
});

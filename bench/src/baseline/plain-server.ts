import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { Programs } from '../harness/paths.ts';
import { pollUntil } from '../harness/pause.ts';
import { freePort } from '../harness/ports.ts';
import { AS_SHIPPED, type Program, startProgram } from '../harness/process.ts';
import type { Workspace } from '../harness/workspace.ts';

/** The route without storage, in its own process. */
export interface PlainServer extends Program {
  readonly url: string;
}

const START_WITHIN_MS = 20_000;

/** @param entry file beside this one, with its arguments after the port */
export async function startPlainServer(
  { programs, workspace }: { readonly programs: Programs; readonly workspace: Workspace },
  entry = 'main.js',
  args: readonly string[] = [],
): Promise<PlainServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram({
    name: `The plain route (${entry})`,
    args: [
      fileURLToPath(new URL(`./${entry}`, import.meta.url)),
      join(programs.root, 'contract/openapi.json'),
      String(port),
      ...args,
    ],
    env: AS_SHIPPED,
    logFile: join(workspace.folder, `${entry}.log`),
    ready: (exited) => untilListening(url, exited),
  });
  workspace.onClose(() => program.stop());
  return { ...program, url };
}

/** Any answer will do: the route has no health check. */
async function untilListening(url: string, exited: () => boolean): Promise<void> {
  const probe = async (): Promise<boolean> => {
    if (exited()) return false;
    await (await request(url)).body.dump();
    return true;
  };
  const listens = await pollUntil({ what: `${url} does not answer`, everyMs: 10, timeoutMs: START_WITHIN_MS, probe });
  if (!listens) throw new Error('it ended at once');
}

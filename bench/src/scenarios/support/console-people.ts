import { Agent, request } from 'undici';
import { pause } from '../../harness/pause.ts';
import { API_KEY, type Server } from '../../harness/server.ts';
import { AGENTS, placeId } from './seed-inbox.ts';

const MS_PER_SECOND = 1000;

interface Asked {
  readonly path: string;
  readonly body: object;
  /** Absent: the key of the tenant. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookie: string;
}

/**
 * Posts, and answers with what came back and the cookie that was set. Fifty people who sign in from one address at once wait for
 * their turn, as their browsers would. @throws Error when the service refuses
 */
export async function askAs(server: Server, asked: Asked): Promise<Answered> {
  const { url } = server;
  const { path, body, headers } = asked;
  const answer = await request(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(headers ?? { authorization: `Bearer ${API_KEY}` }) },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  const turnS = answer.statusCode === 429 ? Number(answer.headers['retry-after']) : Number.NaN;
  if (turnS > 0) {
    await pause(turnS * MS_PER_SECOND);
    return askAs(server, asked);
  }
  if (answer.statusCode >= 300) throw new Error(`${path} was answered with ${answer.statusCode}: ${text}`);
  return { body: JSON.parse(text), cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '' };
}

/** @returns the token of a link that signs a new owner in, once */
export async function inviteOwner(server: Server): Promise<string> {
  const agent = await askAs(server, { path: '/v1/agents', body: { name: 'Reader', role: 'owner' } });
  return tokenFor(server, String(agent.body.id));
}

async function tokenFor(server: Server, agentId: string): Promise<string> {
  const invitation = await askAs(server, { path: `/v1/agents/${agentId}/invitation`, body: {} });
  return String(invitation.body.url).split('#token=')[1] ?? '';
}

/** Signs in so many agents of the seeded tenant. @returns their cookies */
export async function signInAgents(server: Server, count: number): Promise<readonly string[]> {
  const cookies: string[] = [];
  for (let place = 0; place < Math.min(count, AGENTS); place += 1) {
    const token = await tokenFor(server, placeId('a', place));
    const session = { path: '/v1/sessions', body: { method: 'link', token }, headers: {} };
    cookies.push((await askAs(server, session)).cookie);
  }
  return cookies;
}

/** Reads the events of a tenant as so many browsers do. @returns what ends it @throws Error when the service refuses one */
export async function followEvents({ url }: Server, cookies: readonly string[]): Promise<() => Promise<void>> {
  const dispatcher = new Agent({ connections: cookies.length, bodyTimeout: 0 });
  for (const cookie of cookies) {
    const answer = await request(`${url}/v1/events/stream?signals=true`, { headers: { cookie }, dispatcher });
    if (answer.statusCode !== 200) throw new Error(`A stream of events was answered with ${answer.statusCode}.`);
    // What it brings is read and dropped, until the end cuts it off.
    answer.body.resume().on('error', () => undefined);
  }
  return () => dispatcher.destroy();
}

import { OPERATOR } from '#access/domain/audit';
import { CliError, EXIT } from '#cli/exit';
import { line, shortTime, table } from '#cli/output';
import { agentRoles } from '#core/caller/permissions';
import { isUuid, type TenantId, type UserId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import { ensureOwner } from '#users/actions/first-owner';
import { invitePerson } from '#users/actions/invite-person';
import { resetPerson } from '#users/actions/reset-person';
import { endSessionsOf, makeSignInLink } from '#users/actions/sign-in';
import { listUsersOf, type TenantUser } from '#users/store/users';
import { type OperatorCommand, type OperatorGroup, type Parameter, TENANT } from './command.ts';
import { inputText, optionalChoice, optionalText, tenantOf, timeText } from './input.ts';

const USER: Parameter = ['<user>', 'ID, email address or name of the person'];

const INVITE: OperatorCommand = {
  description: 'make a person an agent of a tenant, and print a link with which they sign in',
  arguments: { email: ['<email>', 'email address that the person signs in with'] },
  options: {
    tenant: TENANT,
    role: ['--role <role>', `${agentRoles.join(', ')}; default: agent`],
    name: ['--name <name>', 'name of the person; default: what stands before the @ of the address'],
  },
  work: async ({ rt, db }, input) => {
    const email = inputText(input, 'email').trim();
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CliError(EXIT.usage, `"${email}" is not an email address.`);
    const role = optionalChoice(input, 'role', agentRoles) ?? 'agent';
    const name = optionalText(input, 'name') ?? email.replace(/@.*$/, '');
    const tenantId = await tenantOf(db, input);
    const { userId, agentId, url } = await invitePerson(rt, db, { tenantId, email, name, role });
    return { url, user: userId, agent: agentId, tenant: tenantId };
  },
  show: line(({ url }) =>
    url === null
      ? 'Done. The person can sign in already, and finds the tenant in their menu.'
      : `${url}\nIt works once, within 7 days. Hand it to the person.`,
  ),
};

const RESET: OperatorCommand = {
  description: 'take the password of a person away, sign them out, and print a link with which they begin anew',
  arguments: { user: USER },
  options: {
    tenant: TENANT,
    remove_totp: ['--remove-totp', 'also remove the authenticator app and the recovery codes'],
  },
  work: async ({ rt, db }, input) => {
    const { userId, name } = await userOf(db, await tenantOf(db, input), inputText(input, 'user'));
    const removeTotp = input.remove_totp === true;
    const { url, ended } = await resetPerson(rt, db, { userId, removeTotp, origin: OPERATOR });
    return { url, user: userId, name, ended };
  },
  show: line(({ url }) => `${url}\nIt works once, within a day. The person sets a new password on the page "Account".`),
};

export const userCommands: OperatorGroup = {
  name: 'users',
  description: 'invite people, sign them in, list them, reset them, and end their sessions',
  examples: `
A sign-in link works once, within 10 minutes. Without --user it is for the owner of the tenant, who is created if there is none.
An invitation works once, within 7 days. Somebody who works in another tenant already gets none: they find the new tenant in their menu.
A reset takes the password of a person away, ends their sessions, and prints a link that works once, within a day.

Examples:
  postrider users link
  postrider users link --tenant "Flower shop" --user ada@example.com
  postrider users invite ada@example.com --role admin
  postrider users reset ada@example.com --remove-totp
  postrider users list
  postrider users end-sessions ada@example.com`,
  commands: {
    link: {
      description: 'print a link that signs a person in once',
      options: {
        tenant: TENANT,
        user: ['--user <user>', 'ID, email address or name of the person; default: the owner'],
      },
      work: async ({ rt, db }, input) => {
        const tenantId = await tenantOf(db, input);
        const named = optionalText(input, 'user');
        const userId =
          named === null ? await ensureOwner(rt, db, tenantId) : (await userOf(db, tenantId, named)).userId;
        return { url: await makeSignInLink(rt, db, userId), user: userId, tenant: tenantId };
      },
      show: line(({ url }) => `${url}\nIt works once, within 10 minutes.`),
    },
    invite: INVITE,
    reset: RESET,
    list: {
      description: 'list the people of a tenant',
      options: { tenant: TENANT },
      work: async ({ rt, db }, input) => {
        const users = await listUsersOf(db, await tenantOf(db, input), rt.clock.now());
        return { data: users.map(presentUser) };
      },
      show: table('Nobody can sign in to this tenant yet. Make the owner a link with "postrider users link".', [
        { title: 'ID', value: (row) => row.id },
        { title: 'NAME', value: (row) => row.name, flexible: true },
        { title: 'EMAIL', value: (row) => row.email ?? '–' },
        { title: 'ROLE', value: (row) => row.role },
        { title: 'SESSIONS', value: (row) => row.sessions },
        { title: 'LAST USED (UTC)', value: (row) => shortTime(row.last_used_at).slice(0, 16) },
      ]),
    },
    'end-sessions': {
      description: 'sign a person out everywhere, within 2 seconds',
      arguments: { user: USER },
      options: { tenant: TENANT },
      work: async ({ rt, db }, input) => {
        const { userId, name } = await userOf(db, await tenantOf(db, input), inputText(input, 'user'));
        const ended = await endSessionsOf(rt, db, { userId, origin: OPERATOR });
        return { user: userId, name, ended };
      },
      show: line(({ name, ended }) =>
        ended === 1 ? `1 session of ${name} has ended.` : `${ended} sessions of ${name} have ended.`,
      ),
    },
  },
};

async function userOf(db: Database, tenantId: TenantId, named: string): Promise<TenantUser> {
  const users = await listUsersOf(db, tenantId, 0);
  const wanted = named.toLowerCase();
  const found = isUuid(wanted)
    ? users.filter(({ userId }) => userId === (wanted as UserId))
    : users.filter(({ name, email }) => email?.toLowerCase() === wanted || name.toLowerCase() === wanted);
  const [user, another] = found;
  if (user === undefined) throw new OperatorError(`Nobody in this tenant is called "${named}".`);
  if (another !== undefined) throw new OperatorError(`Several people are called "${named}". Give an ID.`);
  return user;
}

function presentUser({ userId, name, email, role, agentId, sessions, lastUsedMs }: TenantUser): JsonObject {
  return { id: userId, name, email, role, agent_id: agentId, sessions, last_used_at: timeText(lastUsedMs) };
}

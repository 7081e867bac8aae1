import Type from 'typebox';
import { AgentIdParams } from '#agents/http/schemas/agent';
import { defineOperation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { conflictExample } from '#http/schemas/errors';
import { named, time } from '#http/schemas/fields';
import { NoBody } from '#http/schemas/parameters';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { ELSEWHERE, inviteAgent } from '#users/actions/invite-agent';

const InvitationView = Type.Object(
  {
    url: Type.String({ description: 'Link for the person. It is shown only this once, and works once.' }),
    expires_at: time('Until when the link works.'),
  },
  named('Invitation', 'A link with which a person signs in as an agent.'),
);

export const inviteAgentRoute = defineOperation({
  method: 'POST',
  path: '/v1/agents/:id/invitation',
  operationId: 'inviteAgent',
  summary: 'Invite a person to sign in as an agent',
  description:
    'Returns a link with which a person signs in as this agent, once, within seven days. It is also how a person who can no longer sign in gets in again. Links made for the person before stop working unless they were used. Hand the link to the person yourself: no email is sent. A person who works in other tenants too gets a link from the operator only. A key needs all scopes, because the person gets everything that the role allows.',
  tag: 'Agents',
  scope: 'agents:write',
  recentSignIn: true,
  params: AgentIdParams,
  body: NoBody,
  bodyIsOptional: true,
  answer: {
    status: 201,
    description: 'The link.',
    schema: InvitationView,
    example: {
      url: 'https://chat.example.com/sign-in#token=q8c1Jx0m5dV7b2Lw9Rk3Tn6Yp4Hs1Gf8ZaXcVbNmQwE',
      expires_at: '2030-01-08T09:00:00.000Z',
    },
  },
  errors: ['not_found'],
  errorExamples: [conflictExample('worksElsewhere', ELSEWHERE)],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { scopes: granted } = principalOf(request);
      const asked = {
        ...requesterOf(request),
        acting: request.agent,
        granted,
        agentId: request.params.id.toLowerCase(),
      };
      const { url, expiresMs } = await inviteAgent(rt, db, asked);
      return { url, expires_at: formatRfc3339(expiresMs) };
    };
  },
});

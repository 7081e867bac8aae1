import Type from 'typebox';
import { AgentIdParams, agentExampleId } from '#agents/http/schemas/agent';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { deletedAnswer } from '#http/schemas/deleted';
import { conflictExample } from '#http/schemas/errors';
import { named, nullableObject, nullableText, time } from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { ELSEWHERE, inviteAgent } from '#users/actions/invite-agent';
import { type InvitationMailed, mailInvitation } from '#users/actions/mail-invitation';
import { withdrawInvitation } from '#users/actions/withdraw-invitation';

const failures = ['not_configured', 'no_address', 'limited', 'unreachable', 'refused'] as const;

const InvitationView = Type.Object(
  {
    url: Type.String({ description: 'Link for the person. It is shown only this once, and works once.' }),
    expires_at: time('Until when the link works.'),
    email: nullableObject(
      'What became of the email, if one was asked for. Null: none was. The link works in any case.',
      {
        sent: Type.Boolean({ description: 'Whether the mail server took it. Whether it arrives is not known.' }),
        address: nullableText('Where to: the email address of the agent. Null: the agent has none.'),
        reason: nullableText(
          'Why it was not sent. not_configured: no mail server is set up. no_address: the agent has no email address. limited: 5 were sent to the address, or 100 by the tenant, within an hour. unreachable: the mail server did not take it in time. refused: the mail server does not take it. Null: it was sent.',
          { enum: [...failures, null] },
        ),
      },
    ),
  },
  named('Invitation', 'A link with which a person signs in as an agent.'),
);

const InviteAgent = Type.Unsafe<{ readonly send_email?: boolean } | null>({
  type: ['object', 'null'],
  properties: {
    send_email: Type.Boolean({
      description: 'Whether the link is also sent to the email address of the agent. Default: false.',
    }),
  },
  additionalProperties: false,
  description: 'How the link is handed over.',
});

const link = {
  url: 'https://chat.example.com/sign-in#token=q8c1Jx0m5dV7b2Lw9Rk3Tn6Yp4Hs1Gf8ZaXcVbNmQwE',
  expires_at: '2030-01-08T09:00:00.000Z',
};

const inviteAgentRoute = defineOperation({
  method: 'POST',
  path: '/v1/agents/:id/invitation',
  operationId: 'inviteAgent',
  summary: 'Invite a person to sign in as an agent',
  description:
    'Returns a link with which a person signs in as this agent, once, within seven days. It is also how a person who can no longer sign in gets in again. Links made for the person before stop working unless they were used. Hand the link to the person yourself, or let it be sent by email with `send_email`, if the operator has set up a mail server: the response, which takes up to 8 seconds then, says whether it was. A person who works in other tenants too gets a link from the operator only. A key needs all scopes, because the person gets everything that the role allows.',
  tag: 'Agents',
  scope: 'agents:write',
  recentSignIn: true,
  params: AgentIdParams,
  body: InviteAgent,
  bodyIsOptional: true,
  bodyExamples: {
    link: { summary: 'A link to hand over', value: {} },
    email: { summary: 'Also by email', value: { send_email: true } },
  },
  answer: {
    status: 201,
    description: 'The link.',
    schema: InvitationView,
    example: { ...link, email: null },
    examples: {
      link: { summary: 'A link to hand over', value: { ...link, email: null } },
      sent: {
        summary: 'It was sent, too',
        value: { ...link, email: { sent: true, address: 'ana@shop.example', reason: null } },
      },
      notSent: {
        summary: 'It was not sent',
        value: { ...link, email: { sent: false, address: 'ana@shop.example', reason: 'unreachable' } },
      },
    },
  },
  errors: ['not_found'],
  errorExamples: [conflictExample('worksElsewhere', ELSEWHERE)],
  handle: ({ rt, db, mailer }) => {
    return async (request) => {
      const { scopes: granted, tenantId } = principalOf(request);
      const acting = request.agent;
      const agentId = request.params.id.toLowerCase();
      const invitation = await inviteAgent(rt, db, { ...requesterOf(request), acting, granted, agentId });
      const isMailed = request.body?.send_email === true;
      const mailed = isMailed ? await mailInvitation(rt, db, { mailer, tenantId, invitation, acting }) : null;
      const { url, expiresMs } = invitation;
      return { url, expires_at: formatRfc3339(expiresMs), email: mailed === null ? null : presentMailed(mailed) };
    };
  },
});

function presentMailed({ address, failure }: InvitationMailed) {
  return { sent: failure === null, address, reason: failure };
}

const withdrawInvitationRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/agents/:id/invitation',
  operationId: 'withdrawInvitation',
  summary: 'Withdraw an invitation',
  description:
    'Takes back the link that was made for the agent and has not been used: it stops working. The agent stays. 404 if there is no such link.',
  tag: 'Agents',
  scope: 'agents:write',
  params: AgentIdParams,
  answer: deletedAnswer('The invitation was withdrawn.', agentExampleId),
  errors: ['not_found'],
  errorExamples: [conflictExample('worksElsewhere', ELSEWHERE)],
  handle: ({ rt, db }) => {
    return async (request) => {
      const agentId = request.params.id.toLowerCase();
      await withdrawInvitation(rt, db, { ...requesterOf(request), acting: request.agent, agentId });
      return { id: agentId, status: 'deleted' };
    };
  },
});

/** In the order of the documentation. */
export const invitationOperations: readonly Operation[] = [inviteAgentRoute, withdrawInvitationRoute];

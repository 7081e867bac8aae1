import { runOnce } from '#access/actions/run-once';
import { idempotencyClaim, markReplayed } from '#access/http/idempotency';
import { type RepeatLink, repeatLink } from '#accounts/actions/repeat-link';
import { presentAccount } from '#accounts/http/present/account';
import { AccountIdParams, AccountView, accountExample } from '#accounts/http/schemas/linking';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';

export const retryAccount = defineOperation({
  method: 'POST',
  path: '/v1/accounts/:id/retry',
  operationId: 'retryAccount',
  summary: 'Retry the setup of a linked account',
  description:
    'Runs the steps that failed or were interrupted, but not the ones that are complete. It also finds numbers that are new at the network, restores removed ones, and refreshes the state of known ones.',
  tag: 'Numbers',
  scope: 'numbers:write',
  params: AccountIdParams,
  body: NoBody,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The account after the run; status and steps show the result.',
    schema: AccountView,
    example: accountExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found'],
  errorExamples: [
    {
      name: 'noToken',
      code: 'conflict',
      body: { error: 'No access token came of this link: open the dialog again.', code: 'conflict' },
    },
  ],
  handle: (context) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const wish = { tenantId, accountId: request.params.id.toLowerCase(), origin: originOf(request) };
      const claim = idempotencyClaim(request);
      if (claim === null) return retryAndPresent(context, wish);
      const work = async () => ({ statusCode: 200, body: await retryAndPresent(context, wish) });
      const outcome = await runOnce(context.rt, context.db, tenantId, claim, work);
      if (outcome.replayed) markReplayed(context.rt.metrics, reply);
      return outcome.body;
    };
  },
});

async function retryAndPresent({ rt, linking }: HttpDeps, wish: RepeatLink): Promise<JsonObject> {
  return presentAccount(await repeatLink(linking, wish), rt.clock.now());
}

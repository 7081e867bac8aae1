import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { withApiOptions } from '#cli/api-client';
import type { CliContext } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { type FollowOptions, followEvents } from '#cli/follow-events';
import { makeWebhookSecret, webhookSecretBytes } from '#webhooks/domain/webhook-secret';
import { signWebhook } from '#webhooks/workers/sign';
import { eventHead } from './events.ts';

const EXAMPLES = `
For developing a receiver without a public URL: events are posted to a URL on this machine, signed like webhooks.
Each line: time, sequence and type of an event, and the receiver's response. Each event is posted once, whatever the response.

Examples:
  postrider webhooks listen --forward-to http://127.0.0.1:3000/hooks/postrider
  postrider webhooks listen --forward-to http://127.0.0.1:3000/hooks --types message.received --secret whsec_…`;

/** As long as a webhook endpoint has. */
const ANSWER_WITHIN_MS = 15_000;
/** "between 24 and 64 bytes", says the specification of Standard Webhooks. */
const SECRET_BYTES = { least: 24, most: 64 };

interface ListenOptions extends FollowOptions {
  readonly forwardTo: string;
  readonly secret?: string;
}

export function addWebhooks(program: Command, ctx: CliContext): void {
  const webhooks = program.command('webhooks').description('test webhook receivers').addHelpText('after', EXAMPLES);
  withApiOptions(webhooks.command('listen').description("post a tenant's events to a URL of yours, signed"))
    .requiredOption('--forward-to <address>', 'URL of your receiver')
    .option('--secret <whsec>', 'sign with this secret; default: a new one, which is printed')
    .option('--after <id>', 'start after this event; default: start with new events')
    .option('--types <types>', 'only these types, comma separated')
    .action((options: ListenOptions) => listen(ctx, options));
}

/** Forwards events, each after the answer to the one before, until a signal ends it. */
export async function listen(ctx: CliContext, options: ListenOptions): Promise<void> {
  const { forwardTo, secret = makeWebhookSecret(randomBytes) } = options;
  if (!/^https?:\/\//.test(forwardTo) || !URL.canParse(forwardTo))
    throw new CliError(EXIT.usage, `"${forwardTo}" is not a URL. Use the form http://host:port/path.`);
  const { length } = webhookSecretBytes(secret);
  if (!secret.startsWith('whsec_') || length < SECRET_BYTES.least || length > SECRET_BYTES.most)
    throw new CliError(EXIT.usage, 'A secret must be whsec_ followed by 24 to 64 bytes in base64.');
  if (options.secret === undefined) ctx.stderr.write(`Secret of this run: ${secret}\n`);
  await followEvents(ctx, options, async (event, body, stopped) => {
    const answer = await forward(ctx, { forwardTo, secret, stopped }, { id: String(event.id), body });
    ctx.stdout.write(`${eventHead(event)}${answer}\n`);
  });
}

interface Receiver {
  readonly forwardTo: string;
  readonly secret: string;
  readonly stopped: AbortSignal;
}

/** @returns what became of it, for a person; a receiver that is away does not end the listening */
async function forward(
  ctx: CliContext,
  { forwardTo, secret, stopped }: Receiver,
  { id, body }: { readonly id: string; readonly body: string },
): Promise<string> {
  const beganMs = ctx.clock.monotonic();
  const signed = signWebhook({ id, nowMs: ctx.clock.now(), body, secrets: [secret] });
  try {
    const answer = await ctx.fetch(forwardTo, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'postrider-webhooks', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    await answer.body?.cancel();
    return `${answer.status} in ${Math.round(ctx.clock.monotonic() - beganMs)} ms`;
  } catch (error) {
    if (stopped.aborted) throw error;
    const { cause, name } = error as Error;
    const { code } = (cause ?? {}) as { readonly code?: string };
    return `no answer (${code ?? (name === 'TimeoutError' ? 'too late' : 'the connection failed')})`;
  }
}

import type { Command } from 'commander';
import { type ApiOptions, asJson, type CallApi, connectApi, withApiOptions } from '#cli/api-client';
import { type CliContext, pause } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { parseDurationS } from '#cli/options';
import { outputOption, printJson } from '#cli/output';
import type { Finish } from '#cli/program';
import { isJsonObject, type JsonObject } from '#core/json';
import { printMessage } from './messages.ts';

const EXAMPLES = `
Examples:
  postrider send --to +447700900123 --body "Your parcel leaves today."
  postrider send --to +447700900123 --body "Hello" --wait
  postrider send --to +447700900123 --body "Hello" --from 106540352242922 -o json`;

const ASK_EVERY_MS = 200;
const DEFAULT_WAIT_S = 30;

interface SendOptions extends ApiOptions {
  readonly to: string;
  readonly body: string;
  readonly from?: string;
  readonly idempotencyKey?: string;
  /** True: the default time; a number: seconds. */
  readonly wait?: true | number;
  readonly output: string;
}

export function addSend(program: Command, ctx: CliContext, finish: Finish): void {
  const command = program
    .command('send')
    .description('send a text message')
    .requiredOption('--to <phone>', 'phone number of the recipient')
    .requiredOption('--body <text>', 'the text, 1 to 4096 characters')
    .option('--from <number-id>', "phone_number_id to send from; default: the tenant's first active number")
    .option('--idempotency-key <key>', 'send only once, even if the command is repeated with the same key')
    .option('--wait [time]', `wait until it is sent or has failed, ${DEFAULT_WAIT_S}s by default`, parseDurationS);
  withApiOptions(command)
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: SendOptions) => finish(await send(ctx, options)));
}

/** @returns ok; failure when it waited and the message failed */
export async function send(ctx: CliContext, options: SendOptions): Promise<number> {
  const call = await connectApi(ctx, options);
  const request = { to: options.to, body: options.body, ...(options.from ? { phone_number_id: options.from } : {}) };
  const accepted = await call((api) => api.messages.send(request, { idempotencyKey: options.idempotencyKey }));
  if (options.wait === undefined) {
    if (options.output === 'json') printJson(ctx, asJson(accepted));
    else ctx.stdout.write(`${accepted.id}  ${accepted.status}\n`);
    return EXIT.ok;
  }
  const waitS = options.wait === true ? DEFAULT_WAIT_S : options.wait;
  const message = await waitForOutcome(ctx, call, { id: accepted.id, waitS });
  if (options.output === 'json') printJson(ctx, message);
  else printMessage(ctx, message);
  return message.status === 'failed' ? EXIT.failure : EXIT.ok;
}

/** @throws CliError when it is neither sent nor failed after `waitS` seconds; it stays queued then */
async function waitForOutcome(
  ctx: CliContext,
  call: CallApi,
  { id, waitS }: { id: string; waitS: number },
): Promise<JsonObject> {
  const endMs = ctx.clock.monotonic() + waitS * 1000;
  for (;;) {
    const message = asJson(await call((api) => api.messages.get(id)));
    if (message.status === 'sent' || message.status === 'failed') return message;
    if (ctx.clock.monotonic() >= endMs) {
      const state = isJsonObject(message.delivery) ? message.delivery.state : message.status;
      throw new CliError(
        EXIT.failure,
        `${id} is still ${state} after ${waitS} s; it stays queued. See: postrider messages trace ${id}`,
      );
    }
    await pause(ctx, ASK_EVERY_MS);
  }
}

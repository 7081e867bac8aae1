import type { Command } from 'commander';
import { withApiOptions } from '#cli/api-client';
import type { CliContext } from '#cli/context';
import { type FollowOptions, followEvents } from '#cli/follow-events';
import { cellText, outputOption } from '#cli/output';
import type { JsonObject } from '#core/json';

const EXAMPLES = `
Each line: time, sequence, type and content of an event. Press Ctrl-C to stop; the option to continue is then printed.

Examples:
  postrider events tail
  postrider events tail --types message.received,message.failed
  postrider events tail --after 0190a6f2-9a00-7d54-9b3a-000000000007 -o json | jq .data`;

interface TailOptions extends FollowOptions {
  readonly output: string;
}

export function addEvents(program: Command, ctx: CliContext): void {
  const events = program.command('events').description('follow events').addHelpText('after', EXAMPLES);
  withApiOptions(events.command('tail').description('print events as they happen, without gaps'))
    .option('--after <id>', 'start after this event; default: start with new events')
    .option('--types <types>', 'only these types, comma separated')
    .addOption(outputOption())
    .action((options: TailOptions) => tailEvents(ctx, options));
}

/** Prints events until a signal ends it. */
export function tailEvents(ctx: CliContext, options: TailOptions): Promise<void> {
  const line = (event: JsonObject) =>
    options.output === 'json' ? JSON.stringify(event) : eventLine(event, ctx.stdout.columns);
  return followEvents(ctx, options, (event) => ctx.stdout.write(`${line(event)}\n`));
}

/** `09:05:00 #7     message.received        {"id":"…"}` */
export function eventLine(event: JsonObject, columns: number | null): string {
  const text = [...(eventHead(event) + cellText(JSON.stringify(event.data)))];
  return columns !== null && text.length > columns ? `${text.slice(0, columns - 1).join('')}…` : text.join('');
}

/** Time, number and type, as wide in every line. */
export function eventHead(event: JsonObject): string {
  const time = String(event.timestamp).slice(11, 19);
  return `${time} #${String(event.sequence).padEnd(7)} ${cellText(event.type).padEnd(24)} `;
}

import type { ListInboundMessagesQuery, ListOutboundMessagesQuery } from '@postrider/sdk';
import type { Command } from 'commander';
import { type ApiOptions, callApi, withApiOptions } from '#cli/api-client';
import type { CliContext } from '#cli/context';
import { parseWhole } from '#cli/options';
import { type Column, outputOption, printFields, printJson, shortTime, table } from '#cli/output';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';

const EXAMPLES = `
Examples:
  postrider messages list
  postrider messages list --inbound --limit 20
  postrider messages list --status failed -o json
  postrider messages get 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01
  postrider messages trace 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01`;

export function addMessages(program: Command, ctx: CliContext): void {
  const messages = program.command('messages').description('read messages').addHelpText('after', EXAMPLES);
  withApiOptions(messages.command('get').description('get an inbound or outbound message').argument('<id>'))
    .addOption(outputOption())
    .action((id: string, options: GetOptions) => getMessage(ctx, id, options));
  withApiOptions(
    messages.command('trace').description('show everything that happened to a message, in order').argument('<id>'),
  )
    .addOption(outputOption())
    .action((id: string, options: GetOptions) => traceMessage(ctx, id, options));
  const list = messages
    .command('list')
    .description('list messages, newest first')
    .option('--inbound', 'inbound messages instead of outbound ones')
    .option('--limit <n>', 'maximum number of lines, up to 1000; default: 50', parseWhole)
    .option('--to <phone>', 'only to this customer (sent)')
    .option('--from <phone>', 'only from this customer (inbound)')
    .option('--status <status>', 'only queued, sending, sent, delivered, read or failed (sent)');
  withApiOptions(list)
    .addOption(outputOption())
    .action((options: ListOptions) => listMessages(ctx, options));
}

interface GetOptions extends ApiOptions {
  readonly output: string;
}

interface ListOptions extends GetOptions {
  readonly inbound?: true;
  readonly limit?: number;
  readonly to?: string;
  readonly from?: string;
  readonly status?: string;
}

async function getMessage(ctx: CliContext, id: string, options: GetOptions): Promise<void> {
  const message = await callApi(ctx, options, (api) => api.messages.get(id));
  if (options.output === 'json') printJson(ctx, message);
  else printMessage(ctx, message);
}

async function traceMessage(ctx: CliContext, id: string, options: GetOptions): Promise<void> {
  const trace = await callApi(ctx, options, (api) => api.messages.getTrace(id));
  if (options.output === 'json') printJson(ctx, trace);
  else showTrace(ctx, trace);
}

const showTrace = table('Nothing is recorded about this message.', [
  { title: 'AT (UTC)', value: (row) => String(row.at).replace('T', ' ').replace('Z', '') },
  { title: 'EVENT', value: (row) => row.event },
  { title: 'WHAT HAPPENED', value: (row) => row.detail, flexible: true },
]);

async function listMessages(ctx: CliContext, options: ListOptions): Promise<void> {
  const { inbound = false, limit, to, from, status } = options;
  const query = { limit, to, from, status } as ListOutboundMessagesQuery & ListInboundMessagesQuery;
  const answer = await callApi(ctx, options, ({ messages }) =>
    inbound ? messages.listInbound(query) : messages.listOutbound(query),
  );
  if (options.output === 'json') printJson(ctx, answer);
  else table('No messages.', listColumns(inbound))(ctx, answer);
}

function listColumns(inbound: boolean): readonly Column<JsonObject>[] {
  return [
    { title: 'ID', value: (row) => row.id },
    { title: 'CREATED (UTC)', value: (row) => shortTime(row.created_at).slice(5) },
    inbound ? { title: 'FROM', value: (row) => row.from ?? row.from_user_id } : { title: 'TO', value: (row) => row.to },
    inbound ? { title: 'TYPE', value: (row) => row.type } : { title: 'STATE', value: stateOf },
    { title: 'TEXT', value: (row) => row.body, flexible: true },
  ];
}

/** One word for how far a message is: delivered and read say more than sent. */
export function stateOf(message: JsonObject): JsonValue {
  const state = isJsonObject(message.delivery) ? message.delivery.state : undefined;
  const showsDelivery = state === 'delivered' || state === 'read' || state === 'unknown';
  return (showsDelivery ? state : message.status) ?? '';
}

/** One message, a field per line, without those that say nothing. */
export function printMessage(ctx: CliContext, message: JsonObject): void {
  const delivery = isJsonObject(message.delivery) ? message.delivery : {};
  const error = isJsonObject(delivery.error) ? delivery.error : null;
  printFields(ctx, [
    ['id', message.id],
    ['direction', message.direction],
    ['type', message.type],
    ['state', message.direction === 'inbound' ? null : stateOf(message)],
    ['from', message.from],
    ['to', message.to],
    ['number', message.phone_number_id],
    ['text', message.body],
    ['campaign', message.campaign_name],
    [
      'author',
      isJsonObject(message.author) ? `${message.author.name ?? message.author.id} (${message.author.kind})` : null,
    ],
    ['client ref', message.client_ref],
    ['created', timeField(message.created_at)],
    ['sent', timeField(delivery.sent_at)],
    ['delivered', timeField(delivery.delivered_at)],
    ['read', timeField(delivery.read_at)],
    ['failed', timeField(delivery.failed_at)],
    ['next attempt', timeField(delivery.next_attempt_at)],
    ['error', error && `${error.code}: ${error.message}`],
  ]);
}

function timeField(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? `${shortTime(value)} UTC` : null;
}

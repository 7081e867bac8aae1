import { EVENT_TYPES, type EventType, eventTypes } from '#events/domain/event';
import { describeEvent, exampleEvent } from './event-catalogue.ts';

interface Field {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly description?: string;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

const HEAD = `<!-- Written by npm run gen from server/src/http/schemas/events. Do not edit. -->

# Events

What Postrider tells of. The same events stand in \`GET /v1/events\`, in the stream and in webhooks; how to read them says the
[guide](guides/events.md). [contract/openapi.json](../contract/openapi.json) has a schema for each type, such as
\`MessageReceivedEvent\`.

Every event has these fields around its \`data\`:

| Field         | Type            | Meaning                                                                                   |
| ------------- | --------------- | ----------------------------------------------------------------------------------------- |
| \`id\`          | uuid            | Identifier of the event, and the \`webhook-id\` of its deliveries.                          |
| \`sequence\`    | integer         | Counts the events of a tenant from 1, without gaps, in the order in which they took effect. |
| \`type\`        | string          | One of the types below. New ones come: pass over what you do not know.                    |
| \`api_version\` | string          | Version of the envelope. Within it fields are only ever added.                            |
| \`timestamp\`   | date-time       | When it was recorded.                                                                     |
| \`data\`        | object          | What it tells.                                                                            |
`;

/** The page docs/events.md: every type with its fields and an example. Markdown. */
export function eventReferencePage(): string {
  const index = eventTypes.map((type) => `| [\`${type}\`](#${anchorOf(type)}) | ${EVENT_TYPES[type]} |`);
  return [HEAD, '| Type | Meaning |', '| --- | --- |', ...index, '', ...eventTypes.map(section)].join('\n');
}

function section(type: EventType): string {
  const { allOf, ...only } = describeEvent(type).data as ObjectSchema & { readonly allOf?: readonly ObjectSchema[] };
  const parts = allOf ?? [only];
  const required = parts.flatMap((part) => part.required ?? []);
  const fields = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  const rows = fields.map(([name, field]) => {
    const optional = required.includes(name) ? '' : ' Not always there.';
    return `| \`${name}\` | ${typeOf(field)} | ${field.description ?? ''}${optional} |`;
  });
  const example = JSON.stringify(exampleEvent(type), null, 2);
  const table = ['| Field of data | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return `## ${type}\n\n${EVENT_TYPES[type]}\n\n${table}\n\n\`\`\`json\n${example}\n\`\`\`\n`;
}

function typeOf({ type, format, enum: values }: Field): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  const names = type === undefined ? ['any'] : [type].flat();
  return names.map((name) => (name === 'string' && format !== undefined ? format : name)).join(' or ');
}

/** As renderers of Markdown make it of a heading. */
function anchorOf(type: EventType): string {
  return type.replaceAll('.', '');
}

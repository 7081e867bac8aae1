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
  readonly allOf?: readonly ObjectSchema[];
  readonly oneOf?: readonly ObjectSchema[];
  /** True: it has further fields, which the description tells of. */
  readonly additionalProperties?: boolean;
  readonly description?: string;
}

const HEAD = `<!-- Written by npm run gen from server/src/http/schemas/events. Do not edit. -->

# Events

All events of Postrider. They are available from \`GET /v1/events\`, the stream and webhooks; how to read them is explained in the
[guide](guides/events.md). [contract/openapi.json](../contract/openapi.json) has a schema for each type, such as
\`MessageReceivedEvent\`.

Every event has these fields around its \`data\`:

| Field         | Type            | Meaning                                                                                   |
| ------------- | --------------- | ----------------------------------------------------------------------------------------- |
| \`id\`          | uuid            | ID of the event, and the \`webhook-id\` of its deliveries.                          |
| \`sequence\`    | integer         | Counts the events of a tenant from 1, without gaps, in the order in which they took effect. |
| \`type\`        | string          | One of the types below. Ignore types that you do not know: more may be added.                |
| \`api_version\` | string          | Version of the envelope. Within a version, fields are only added.                         |
| \`timestamp\`   | date-time       | When it was recorded.                                                                     |
| \`data\`        | object          | Data of the event.                                                                        |
`;

/** The page docs/events.md: every type with its fields and an example. Markdown. */
export function eventReferencePage(): string {
  const index = eventTypes.map((type) => `| [\`${type}\`](#${anchorOf(type)}) | ${EVENT_TYPES[type]} |`);
  return [HEAD, '| Type | Meaning |', '| --- | --- |', ...index, '', ...eventTypes.map(section)].join('\n');
}

function section(type: EventType): string {
  const whole = describeEvent(type).data as ObjectSchema;
  // Of several shapes the last stands for all: it is that of the example.
  const data = whole.oneOf?.at(-1) ?? whole;
  const parts = partsOf(data);
  const required = parts.flatMap((part) => part.required ?? []);
  const fields = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  const rows = fields.map(([name, field]) => {
    const optional = required.includes(name) ? '' : ' Optional.';
    return `| \`${name}\` | ${typeOf(field)} | ${field.description ?? ''}${optional} |`;
  });
  const example = JSON.stringify(exampleEvent(type), null, 2);
  const table = ['| Field of data | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  const further = [
    ...(data.additionalProperties === true ? [data.description] : []),
    ...(whole.oneOf === undefined ? [] : [`\`data\`: ${whole.description}`]),
  ].map((sentence) => `${sentence}\n\n`);
  return `## ${type}\n\n${EVENT_TYPES[type]}\n\n${table}\n\n${further.join('')}\`\`\`json\n${example}\n\`\`\`\n`;
}

/** The objects that a schema is put together from. */
function partsOf(schema: ObjectSchema): readonly ObjectSchema[] {
  return schema.allOf === undefined ? [schema] : schema.allOf.flatMap(partsOf);
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

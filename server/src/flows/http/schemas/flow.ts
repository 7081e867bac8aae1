import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { flowCategories, MAX_FLOW_NAME } from '#flows/domain/flow';
import {
  anyObject,
  changeOf,
  choiceOf,
  named,
  nullableObject,
  nullableText,
  nullableTime,
  PATTERN_SENTENCE,
  queryOf,
  strictObject,
  text,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { networkAccountField } from '#templates/http/schemas/template';

const exampleId = '1584929525414211';

const flowId = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 32,
    pattern: '^[0-9]+$',
    [PATTERN_SENTENCE]: 'must be a string of digits, as the messaging network names the flow',
    description,
  });

export const FlowParams = Type.Object({ id: withExample(flowId("The network's ID of the flow."), exampleId) });

export const FlowListQuery = queryOf({
  ...pageQuery,
  network_account_id: Type.Optional(
    withExample({ ...networkAccountField, description: 'Only flows of this account.' }, '300400500600'),
  ),
});

const FlowProblems = Type.Array(
  viewOf(named('FlowProblem', 'Why the network would not publish the flow.'), {
    code: nullableText("The network's code."),
    message: Type.String({ description: "The network's sentence." }),
    places: Type.Array(Type.String(), { description: 'Where in the JSON, such as screens[0].id.' }),
  }),
  { description: 'What has to be corrected before the flow can be published.' },
);

export const FlowView = viewOf(named('Flow', 'A form that customers fill in within the chat.'), {
  id: Type.String({ description: "The network's ID of the flow." }),
  name: Type.String({ description: 'Name; customers do not see it.' }),
  status: Type.String({ description: 'draft, published, deprecated, blocked or throttled.' }),
  categories: Type.Array(Type.String(), { description: 'What the flow is for.' }),
  network_account_id: Type.String({ description: 'The account that the flow is in.' }),
  json_version: nullableText('Version of the format of its JSON. Null until it has JSON.'),
  validation_errors: FlowProblems,
  preview: nullableObject('A page that shows the flow. Null in lists and without JSON.', {
    url: Type.String({ description: 'Its address; whoever has it can see the flow.' }),
    expires_at: nullableTime('Until when it works.'),
  }),
  health: nullableObject('Whether the flow can be sent. Null in lists, or if the network does not say it.', {
    can_send: Type.String({ description: 'available, limited or blocked.' }),
    problems: Type.Array(Type.String(), { description: 'What the network says is wrong, and what it advises.' }),
  }),
});

const details = {
  name: text(MAX_FLOW_NAME, 'Name of the flow, unique in the account. Customers do not see it.'),
  categories: Type.Array(choiceOf(flowCategories, named('FlowCategory', 'What the flow is for.')), {
    minItems: 1,
    maxItems: flowCategories.length,
    uniqueItems: true,
    description: 'What the flow is for.',
  }),
};

export const CreateFlow = strictObject('A flow to create as a draft.', {
  ...details,
  network_account_id: Type.Optional(networkAccountField),
  flow_json: Type.Optional(anyObject('Its screens, in the format of the network.')),
  clone_flow_id: Type.Optional(flowId('A flow of the same account whose JSON is copied.')),
});

export const ChangeFlow = changeOf(details);

/** The network alone knows the format, which has versions. */
export const FlowJson = anyObject('The JSON of the flow, in the format of the network: version, screens and so on.');

export const FlowJsonView = viewOf('What came of it.', {
  id: Type.String({ description: "The network's ID of the flow." }),
  saved: Type.Boolean({ description: 'false: it cannot be read as a flow, and the JSON from before stays.' }),
  validation_errors: FlowProblems,
});

const problem: JsonObject = {
  code: 'INVALID_PROPERTY_VALUE',
  message: "The property 'id' of a screen must be unique.",
  places: ['screens[1].id'],
};

export const flowExample: JsonObject = {
  id: exampleId,
  name: 'appointment',
  status: 'draft',
  categories: ['appointment_booking'],
  network_account_id: '300400500600',
  json_version: '7.2',
  validation_errors: [],
  preview: {
    url: 'https://business.facebook.com/wa/manage/flows/1584929525414211/preview/?token=5b1c',
    expires_at: '2030-01-31T09:00:00.000Z',
  },
  health: { can_send: 'available', problems: [] },
};

/** As it is listed. */
export const listedFlowExample: JsonObject = { ...flowExample, preview: null, health: null };

export const flowJsonViewExample: JsonObject = { id: exampleId, saved: true, validation_errors: [problem] };

/** The smallest form that asks for something. */
export const flowJsonExample: JsonObject = {
  version: '7.2',
  screens: [
    {
      id: 'APPOINTMENT',
      title: 'Appointment',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'DatePicker', name: 'day', label: 'Day', required: true },
          {
            type: 'Footer',
            label: 'Send',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: the network's way to name a field
            'on-click-action': { name: 'complete', payload: { day: '${form.day}' } },
          },
        ],
      },
    },
  ],
};

import type { ApiProblem, FaultDetail } from '#core/errors';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { bodyValidator } from '#http/validation/ajv';
import { problemOf, validationProblem } from '#http/validation/faults';
import { parseRfc3339 } from '#http/validation/rfc3339';
import { SendMessageBody } from '#messages/http/schemas/send-request';
import type { RuleInput } from '#rules/actions/manage-rules';
import type { PlacedDraft } from '#rules/actions/test-rules';
import type { RuleAction, RuleTrigger } from '#rules/domain/rule';
import type { ChangeRuleBody, CreateRuleBody } from './schemas/chatbot-rule.ts';
import { actionSchemas, replyTypes } from './schemas/rule-actions.ts';

/** A recipient that every number plan allows: a reply has none before it leaves. */
const ANYBODY = '447700900123';
/** What a reply cannot say: whom it goes to is whoever wrote, and it leaves at once. */
const NOT_IN_REPLIES = [
  'to',
  'phone_number_id',
  'campaign_name',
  'client_ref',
  'reply_to',
  'priority',
  'send_at',
  'expires_at',
  'ttl_s',
];

/**
 * Checks actions, each by the schema of its own kind.
 * @param place of the rule in the body
 * @throws ApiProblem validation_failed with all faults
 */
function readActions(actions: readonly JsonObject[], place: string): readonly RuleAction[] {
  const faults = actions.flatMap((action, index) => {
    const inside = `${place}.then[${index}]`;
    if (action.action === 'reply') return replyFaults(action, inside);
    const schema = actionSchemas[String(action.action)];
    return schema === undefined ? [] : faultsAt(schema, action, inside);
  });
  if (faults.length > 0) throw problemOf(faults);
  return actions as unknown as readonly RuleAction[];
}

function replyFaults(action: JsonObject, inside: string): readonly FaultDetail[] {
  const { action: _name, ...send } = action;
  const surplus = NOT_IN_REPLIES.filter((name) => send[name] !== undefined);
  const known = send.type === undefined || replyTypes.some((type) => type === send.type);
  return [
    ...surplus.map((name) => ({ path: `${inside}.${name}`, message: `${name} is not a known field of a reply.` })),
    ...(known ? [] : [{ path: `${inside}.type`, message: `type must be one of ${replyTypes.join(', ')}.` }]),
    ...(surplus.length > 0 || !known ? [] : faultsAt(SendMessageBody, { to: ANYBODY, ...send }, inside)),
  ];
}

function faultsAt(schema: object, value: JsonObject, inside: string): readonly FaultDetail[] {
  const validator = bodyValidator(schema);
  // A copy: the validator fills defaults in, and a rule is kept as it was written.
  if (validator(structuredClone(value))) return [];
  const { details = [] } = validationProblem(validator.errors ?? [], 'body');
  return details.map(({ path, message }) => ({ path: path.replace(/^body/, inside), message }));
}

/** What a new rule is where its body says nothing. */
const newRule = {
  enabled: true,
  position: null,
  when: null,
  stop: false,
  cooldownS: null,
  maxRuns: null,
  activeFromMs: null,
  activeUntilMs: null,
  cases: [],
};

/**
 * The draft of a body that its schema has accepted, which has a name, a trigger and actions.
 * @param place of the rule in the body
 * @throws ApiProblem validation_failed
 */
export function readDraft(body: CreateRuleBody, place = 'body'): PlacedDraft {
  return { ...newRule, ...readRuleInput(body, place) } as PlacedDraft;
}

/** What a body says of a rule; what it leaves out is absent. @throws ApiProblem validation_failed */
export function readRuleInput(body: ChangeRuleBody, place = 'body'): RuleInput {
  return givenOnly({
    name: body.name,
    enabled: body.enabled,
    position: body.position,
    trigger: body.trigger && readTrigger(body.trigger),
    when: body.when,
    actions: body.then && readActions(body.then as readonly JsonObject[], place),
    stop: body.stop,
    cooldownS: body.cooldown_s,
    maxRuns: body.max_runs,
    activeFromMs: readTime(body.active_from),
    activeUntilMs: readTime(body.active_until),
    cases: body.tests,
  });
}

function readTime(text: string | null | undefined): number | null | undefined {
  return typeof text === 'string' ? parseRfc3339(text) : text;
}

/** @throws ApiProblem validation_failed when what belongs to a silence is missing, or stands with something else */
function readTrigger({ on, for_s, who }: CreateRuleBody['trigger']): RuleTrigger {
  if (on !== 'no_reply') {
    if (for_s === undefined && who === undefined) return { on };
    throw triggerProblem('for_s and who are only allowed with the trigger no_reply.');
  }
  if (for_s === undefined || who === undefined) throw triggerProblem('The trigger no_reply needs for_s and who.');
  return { on, for_s, who };
}

function triggerProblem(message: string): ApiProblem {
  return problemOf([{ path: 'body.trigger', message }]);
}

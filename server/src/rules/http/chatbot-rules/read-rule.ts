import type { ApiProblem, FaultDetail } from '#core/errors';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { bodyValidator } from '#http/validation/ajv';
import { problemOf, validationProblem } from '#http/validation/faults';
import { parseRfc3339 } from '#http/validation/rfc3339';
import type { Validator } from '#http/validation/variants';
import { SendMessageBody } from '#messages/http/schemas/send-request';
import type { RuleInput } from '#rules/actions/manage-rules';
import type { RuleAction, RuleDraft, RuleTrigger } from '#rules/domain/rule';
import type { ChangeRuleBody, CreateRuleBody } from '#rules/http/schemas/chatbot-rule';
import { actionSchemas, replyTypes } from '#rules/http/schemas/rule-actions';

/** Checks actions, each by the schema of its own kind. */
export interface ActionReader {
  /** @throws ApiProblem validation_failed with all faults */
  read(actions: readonly JsonObject[]): readonly RuleAction[];
}

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

/** @param place of the rule in the body */
export function makeActionReader(place = 'body'): ActionReader {
  const asSend = bodyValidator(SendMessageBody);
  const others = new Map(Object.entries(actionSchemas).map(([name, schema]) => [name, bodyValidator(schema)]));
  return {
    read: (actions) => {
      const faults = actions.flatMap((action, index) => {
        const inside = `${place}.then[${index}]`;
        if (action.action === 'reply') return replyFaults(asSend, action, inside);
        const validator = others.get(String(action.action));
        return validator === undefined ? [] : faultsAt(validator, action, inside);
      });
      if (faults.length > 0) throw problemOf(faults);
      return actions as unknown as readonly RuleAction[];
    },
  };
}

function replyFaults(asSend: Validator, action: JsonObject, inside: string): readonly FaultDetail[] {
  const { action: _name, ...send } = action;
  const surplus = NOT_IN_REPLIES.filter((name) => send[name] !== undefined);
  const known = send.type === undefined || replyTypes.some((type) => type === send.type);
  return [
    ...surplus.map((name) => ({ path: `${inside}.${name}`, message: `${name} is not a known field of a reply.` })),
    ...(known ? [] : [{ path: `${inside}.type`, message: `type must be one of ${replyTypes.join(', ')}.` }]),
    ...(surplus.length > 0 || !known ? [] : faultsAt(asSend, { to: ANYBODY, ...send }, inside)),
  ];
}

function faultsAt(validator: Validator, value: JsonObject, inside: string): readonly FaultDetail[] {
  // A copy: the validator fills defaults in, and a rule is kept as it was written.
  if (validator(structuredClone(value))) return [];
  const { details = [] } = validationProblem(validator.errors ?? [], 'body');
  return details.map(({ path, message }) => ({ path: path.replace(/^body/, inside), message }));
}

/** The draft of a body that its schema has accepted. @throws ApiProblem validation_failed */
export function readDraft(reader: ActionReader, body: CreateRuleBody): RuleDraft {
  return {
    name: body.name,
    enabled: body.enabled ?? true,
    trigger: readTrigger(body.trigger),
    when: body.when ?? null,
    actions: reader.read(body.then as readonly JsonObject[]),
    stop: body.stop ?? false,
    cooldownS: body.cooldown_s ?? null,
    maxRuns: body.max_runs ?? null,
    activeFromMs: readTime(body.active_from) ?? null,
    activeUntilMs: readTime(body.active_until) ?? null,
    cases: body.tests ?? [],
  };
}

/** What a change names. @throws ApiProblem validation_failed */
export function readRequest(reader: ActionReader, body: ChangeRuleBody): RuleInput {
  return givenOnly({
    name: body.name,
    enabled: body.enabled,
    position: body.position,
    trigger: body.trigger === undefined ? undefined : readTrigger(body.trigger),
    when: body.when,
    actions: body.then === undefined ? undefined : reader.read(body.then as readonly JsonObject[]),
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
    throw triggerProblem('for_s and who belong to the trigger no_reply alone.');
  }
  if (for_s === undefined || who === undefined) throw triggerProblem('The trigger no_reply needs for_s and who.');
  return { on, for_s, who };
}

function triggerProblem(message: string): ApiProblem {
  return problemOf([{ path: 'body.trigger', message }]);
}

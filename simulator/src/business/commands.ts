/** `POST /{version}/{phone_number_id}/conversational_automation`: what customers can tap or type before anybody answers. */
import { requireNumber } from '../accounts/require-account.ts';
import { type GraphCall, jsonParam, paramsOf, refuseWith, requireStep } from '../graph/call.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { Automation } from './business-registry.ts';

const MAX_PROMPTS = 4;
const MAX_PROMPT = 80;
const MAX_COMMANDS = 30;
const MAX_COMMAND_NAME = 32;
const MAX_COMMAND_HINT = 256;
/** Drawn as pictures: not the digits and signs that merely have a picture form. */
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;

/** What is left out stays as it is; a list replaces the list that is there. */
export function changeAutomation(sim: Simulation, call: GraphCall): JsonObject {
  const { phoneNumberId } = requireNumber(sim, call);
  requireStep(sim, 'commands');
  Object.assign(sim.business.of(phoneNumberId).automation, readAutomation(paramsOf(call)));
  return { success: true };
}

function readAutomation(params: JsonObject): Partial<Automation> {
  const welcome = jsonParam(params, 'enable_welcome_message');
  const [prompts, commands] = [jsonParam(params, 'prompts'), jsonParam(params, 'commands')];
  if (welcome !== undefined && typeof welcome !== 'boolean')
    refuseWith(100, 'Param enable_welcome_message must be a boolean.');
  return {
    ...(welcome === undefined ? {} : { enable_welcome_message: welcome === true }),
    ...(prompts === undefined ? {} : { prompts: readPrompts(prompts) }),
    ...(commands === undefined ? {} : { commands: readCommands(commands) }),
  };
}

function readPrompts(value: unknown): Automation['prompts'] {
  if (!Array.isArray(value) || value.length > MAX_PROMPTS)
    return refuseWith(100, `Param prompts must be an array of at most ${MAX_PROMPTS} strings.`);
  return value.map((prompt) => readText('prompts', prompt, MAX_PROMPT));
}

function readCommands(value: unknown): Automation['commands'] {
  if (!Array.isArray(value) || value.length > MAX_COMMANDS)
    return refuseWith(100, `Param commands must be an array of at most ${MAX_COMMANDS} commands.`);
  return value.filter(isJsonObject).map((command) => ({
    command_name: readText('command_name', command.command_name, MAX_COMMAND_NAME),
    command_description: readText('command_description', command.command_description, MAX_COMMAND_HINT),
  }));
}

function readText(name: string, value: unknown, limit: number): string {
  if (typeof value !== 'string' || value === '') return refuseWith(100, `Each of ${name} must be a text.`);
  if ([...value].length > limit) refuseWith(100, `Each of ${name} may have at most ${limit} characters.`);
  if (EMOJI.test(value)) refuseWith(100, `No emoji may stand in ${name}.`);
  return value;
}

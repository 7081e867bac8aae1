import { Argument, type Command, Option } from 'commander';
import type { JsonObject } from '#core/json';
import { EXIT } from './exit.ts';
import { type OperatorCommand, type OperatorGroup, OUTPUT, type Parameter } from './operator/command.ts';
import { callOperator } from './operator-call.ts';
import { printJson } from './output.ts';
import type { AddCommand } from './program.ts';

/** Commands as they are typed: what was given becomes the input of the operator command of the same name. */
export function operatorGroup({ name, description, examples, commands }: OperatorGroup): AddCommand {
  return (program, ctx, finish) => {
    const group = program.command(name).description(`${description} (operator)`).addHelpText('after', examples);
    for (const [verb, spec] of Object.entries(commands)) {
      const command = group.command(verb).description(spec.description);
      const readInput = declareInput(command, spec);
      command.action(async () => {
        const input = readInput();
        spec.check?.(input);
        const answer = await callOperator(ctx, `${name}.${verb}`, input, spec.answerWithinMs);
        if (command.opts().output === 'json') printJson(ctx, answer);
        else spec.show(ctx, answer, input);
        finish(spec.judge?.(ctx, answer) ?? EXIT.ok);
      });
    }
  };
}

/** @returns reads what was given, by the names of the input; what was left out is undefined */
function declareInput(command: Command, { arguments: args = {}, options = {} }: OperatorCommand): () => JsonObject {
  for (const parameter of Object.values(args)) command.addArgument(toArgument(parameter));
  const declared = Object.entries({ ...options, output: OUTPUT }).map(([name, parameter]) => ({
    name,
    option: parameter instanceof Option ? parameter : toOption(parameter),
  }));
  for (const { option } of declared) command.addOption(option);
  return () => {
    const { output: _format, ...input } = Object.fromEntries([
      ...Object.keys(args).map((name, index) => [name, command.processedArgs[index]]),
      ...declared.map(({ name, option }) => [name, command.getOptionValue(option.attributeName())]),
    ]);
    return input;
  };
}

function toArgument([name, meaning, reading]: Parameter): Argument {
  const argument = new Argument(name, meaning);
  return typeof reading === 'function' ? argument.argParser((text: string) => reading(text)) : argument;
}

function toOption([flags, meaning, reading = {}]: Parameter): Option {
  const { parse, fallback, mandatory } = typeof reading === 'function' ? { parse: reading } : reading;
  const option = new Option(flags, meaning).default(fallback).makeOptionMandatory(mandatory === true);
  return parse === undefined ? option : option.argParser((text: string) => parse(text));
}

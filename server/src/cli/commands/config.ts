import type { Command } from 'commander';
import { type CliContext, configOf } from '#cli/context';
import { cellText, outputOption, printJson } from '#cli/output';
import type { JsonObject } from '#core/json';
import { settings } from '#runtime/config';
import { fileKeyOf } from '#runtime/secret-files';

const EXAMPLES = `
Examples:
  postrider config
  MESSAGING_NUMBER_RATE=20 postrider config -o json`;

const MASK = '(set)';

export function addConfig(program: Command, ctx: CliContext): void {
  program
    .command('config')
    .description('print every setting with its value, default and meaning')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action((options: { output: string }) => printConfig(ctx, options.output));
}

/** Prints the table also when a setting is wrong: that is when it is needed. @throws ConfigError afterwards */
export function printConfig(ctx: CliContext, output: string): void {
  const rows = Object.values(settings).map((setting) => settingRow(ctx, setting));
  if (output === 'json') printJson(ctx, rows);
  else for (const row of rows) ctx.stdout.write(settingText(row));
  configOf(ctx);
}

/** Two lines: what it is set to, and what it means; a meaning that is cut off would help nobody. */
function settingText(row: JsonObject): string {
  const value = row.value === '' ? '(empty)' : cellText(row.value);
  const fallback = row.is_default ? 'default' : `default: ${row.default === '' ? '(empty)' : cellText(row.default)}`;
  return `${row.key}=${value}  (${fallback})\n    ${cellText(row.meaning)}\n`;
}

interface SettingShape {
  readonly key: string;
  readonly fallback: string | number;
  readonly meaning: string;
  readonly secret?: boolean;
}

/** A secret is never shown; its default is, because a default is no secret. */
function settingRow(ctx: CliContext, { key, fallback, meaning, secret }: SettingShape): JsonObject {
  const given = ctx.env[key] || (secret === true && ctx.env[fileKeyOf(key)] ? MASK : undefined);
  const isDefault = given === undefined || given === '' || given === String(fallback);
  const value = isDefault ? fallback : secret ? MASK : given;
  return { key, value, default: fallback, is_default: isDefault, secret: secret === true, meaning };
}

import type { Option } from 'commander';
import type { CliContext } from '#cli/context';
import type { ExitCode } from '#cli/exit';
import { outputOption } from '#cli/output';
import type { JsonObject, JsonValue } from '#core/json';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** What operator commands work on, inside a running server or in the process of the command itself. */
export interface OperatorDeps {
  readonly rt: Runtime;
  readonly db: Database;
  /** The folder with the migrations of this program. */
  readonly migrationsFolder: string;
  /** Those that the running server serves besides the main one. Absent: the command opens them. */
  readonly cells?: {
    refresh(): Promise<void>;
    served(): readonly OperatorCell[];
    missing(): readonly string[];
  } | null;
}

/** A cell as operator commands work on it. */
export interface OperatorCell {
  readonly cellId: string;
  readonly rt: Runtime;
  readonly db: Database;
}

/**
 * The work of an operator command: input checked, work done, result as JSON.
 * Throws OperatorError for what cannot be done and CliError (usage) for input that makes no sense; their messages are shown.
 */
export type OperatorWork = (deps: OperatorDeps, input: JsonObject) => Promise<JsonObject>;

/** @throws InvalidArgumentError for a text that cannot be used */
type Parse = (text: string) => JsonValue | undefined;

/** An argument or an option: how it is written and what it means, as the help shows both, and how its text is read. */
export type Parameter = readonly [
  flags: string,
  meaning: string,
  reading?: Parse | { readonly parse?: Parse; readonly fallback?: string; readonly mandatory?: true },
];

export interface OperatorCommand {
  readonly description: string;
  /** By the names of their values in the input, in the order in which they are written. */
  readonly arguments?: Readonly<Record<string, Parameter>>;
  /** By the names of their values in the input. `output` is the last one, unless it has a place among them. */
  readonly options?: Readonly<Record<string, Parameter | Option>>;
  /** Throws CliError for input that is refused before a server or a database is asked. */
  readonly check?: (input: JsonObject) => void;
  /** How long a running server may take; 0: however long it takes. Absent: as long as a short command may. */
  readonly answerWithinMs?: number;
  readonly work: OperatorWork;
  /** How the answer is shown when nobody asked for JSON. */
  readonly show: (ctx: CliContext, answer: JsonObject, input: JsonObject) => void;
  /** The exit code of an answer, if not every answer is a success. It may comment on the answer on standard error. */
  readonly judge?: (ctx: CliContext, answer: JsonObject) => ExitCode;
}

/** Commands about one kind of thing. On the socket their names are `<group>.<command>`. */
export interface OperatorGroup {
  readonly name: string;
  readonly description: string;
  /** Stands below the help of the group: what needs to be explained, and examples. */
  readonly examples: string;
  readonly commands: Readonly<Record<string, OperatorCommand>>;
}

export const TENANT: Parameter = ['--tenant <id|name>', 'the tenant; may be omitted while there is only one'];
/** The option `-o table|json`, whose value is not passed on. */
export const OUTPUT = outputOption();

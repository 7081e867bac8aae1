import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** What operator commands work on, inside a running server or in the process of the command itself. */
export interface OperatorDeps {
  readonly rt: Runtime;
  readonly db: Database;
  /** The folder with the migrations of this program. */
  readonly migrationsFolder: string;
}

/**
 * An operator command: input checked, work done, result as JSON.
 * Throws OperatorError for what cannot be done and CliError (usage) for input that makes no sense; their messages are shown.
 */
export type OperatorCommand = (deps: OperatorDeps, input: JsonObject) => Promise<JsonObject>;

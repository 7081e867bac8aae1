import { inspect } from 'node:util';
import { OptionError } from './options.ts';

/**
 * Runs a program, and ends it with the exit code that it returns. A wrong option is reported in its sentence, any other
 * error with all that is known of it; both end with 1, a signal with 130.
 */
export async function runProgram(main: () => Promise<number>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${isWrongOption(error) ? error.message : inspect(error)}\n`);
    process.exitCode = 1;
  }
}

function isWrongOption(error: unknown): error is Error {
  if (error instanceof OptionError) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

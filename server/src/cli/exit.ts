import { BackupUnusable } from '#backups/domain/manifest';
import { OperatorError } from '#core/operator-error';
import { StorageUnavailable } from '#database/database';
import { FolderLocked } from '#database/folder-lock';
import { NO_ANSWER } from '#database/pg-errors';
import { ConfigError } from '#runtime/config';

/** What the command line ends with; scripts rely on these numbers. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** A wrong option, argument or setting. */
  usage: 2,
  /** The server or the database cannot be reached. */
  unreachable: 3,
  /** It was understood and refused: no such thing, not allowed, not in this state. */
  refused: 4,
  /** A newer program has changed the schema: starting this one again would not help. */
  outdated: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure of a command; the message is one sentence for the person at the terminal. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export interface ExitExplanation {
  readonly exitCode: ExitCode;
  readonly sentence: string;
}

/** One sentence and an exit code for whatever a command threw. */
export function explainExit(error: unknown): ExitExplanation {
  if (error instanceof CliError) return { exitCode: error.exitCode, sentence: error.message };
  if (error instanceof ConfigError) return { exitCode: EXIT.usage, sentence: error.message };
  if (error instanceof OperatorError) return { exitCode: EXIT.refused, sentence: error.message };
  if (error instanceof BackupUnusable) return { exitCode: EXIT.refused, sentence: error.message };
  if (error instanceof FolderLocked) return { exitCode: EXIT.unreachable, sentence: error.message };
  if (error instanceof StorageUnavailable) return { exitCode: EXIT.unreachable, sentence: databaseAway(error) };
  if (error instanceof Error) return explainSystem(error);
  return { exitCode: EXIT.failure, sentence: String(error) };
}

interface SystemError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
}

/** Errors of the operating system and of PostgreSQL, by their code. */
function explainSystem(error: SystemError): ExitExplanation {
  const where = `${error.address ?? 'this address'}:${error.port ?? ''}`;
  if (error.syscall === 'listen') return { exitCode: EXIT.failure, sentence: explainListen(error.code, where) };
  if (error.path !== undefined && (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM')) {
    return {
      exitCode: EXIT.failure,
      sentence: `${error.path} is not writable. Give this user write permission, or set MESSAGING_DATA_DIR.`,
    };
  }
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') {
    return {
      exitCode: EXIT.usage,
      sentence: `${error.path ?? 'The data folder'} is not a folder. Set MESSAGING_DATA_DIR to a folder.`,
    };
  }
  const rejected = error.code !== undefined && /^(28|3D|42501)/.test(error.code);
  if (rejected)
    return { exitCode: EXIT.unreachable, sentence: `The database refused the connection: ${error.message}.` };
  return { exitCode: EXIT.failure, sentence: firstLine(error.message) };
}

function explainListen(code: string | undefined, where: string): string {
  if (code === 'EADDRINUSE') return `${where} is used by another program. Stop it, or choose another PORT.`;
  if (code === 'EACCES') return `${where} requires more permissions than this user has. Choose a PORT above 1023.`;
  if (code === 'EADDRNOTAVAIL') return `${where} is not an address of this machine. Set HOST to one that is.`;
  return `${where} cannot be listened on (${code ?? 'unknown reason'}).`;
}

function databaseAway(error: StorageUnavailable): string {
  const sentence = firstLine(error.message);
  // Where the database said what is the matter, it runs and was found.
  return error.message.startsWith(NO_ANSWER)
    ? `${sentence} Check that PostgreSQL is running and that DATABASE_URL is correct.`
    : sentence;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}

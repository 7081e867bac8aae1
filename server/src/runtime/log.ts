import { pino } from 'pino';
import type { Config } from './config.ts';
import { stripValues } from './strip-values.ts';

/** Structured log: one wide line per unit of work, with ids and outcome; never a body, a key or a full phone number. */
export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** JSON lines on standard error, so that standard output stays for people and pipes. */
export function makeLog(config: Pick<Config, 'logLevel'>): Log {
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: Error) => pino.stdSerializers.err(stripValues(error)) },
    },
    pino.destination({ fd: 2, sync: false }),
  );
}

/** For tests and one-shot commands. */
export const silentLog: Log = pino({ level: 'silent' });

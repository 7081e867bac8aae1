import type { Database } from '#database/database';
import { findBreaking } from '#database/migrator';
import type { Runtime } from '#runtime/runtime';

export interface SchemaWatch {
  /** Resolves with a sentence when a newer program has changed the schema so that this one cannot work on it. */
  readonly outdated: Promise<string>;
  /** One look; to be called once a second. */
  runOnce(): Promise<void>;
}

/** @param newestKnown version of the last migration that this program knows */
export function makeSchemaWatch(rt: Runtime, db: Database, newestKnown: number): SchemaWatch {
  let report: (sentence: string) => void = () => undefined;
  const outdated = new Promise<string>((resolve) => {
    report = resolve;
  });
  return {
    outdated,
    runOnce: async () => {
      const breaking = await findBreaking(db, newestKnown);
      if (breaking === null) return;
      rt.log.error(breaking, 'schema.outdated: a newer program has changed the schema; this one stops.');
      report(`The schema has version ${breaking.version} (${breaking.name}), which this program cannot work on.`);
    },
  };
}

/** What PostgreSQL's errors carry besides a sentence: keys, rows and parts of statements. */
const WITH_VALUES = ['detail', 'where', 'internalQuery'] as const;

/**
 * Takes the values out of an error of the database, in place, so that no log holds what belongs to a tenant. The sentences of
 * data exceptions (SQLSTATE class 22) quote the value that did not fit; those of other classes quote names of ours.
 */
export function stripValues<T>(error: T): T {
  if (!isDatabaseError(error)) return error;
  for (const name of WITH_VALUES) error[name] = undefined;
  if (!error.code.startsWith('22')) return error;
  const before = error.message;
  error.message = before.replace(/".*"/s, '"…"');
  if (error.stack !== undefined) error.stack = error.stack.replace(before, error.message);
  return error;
}

type DatabaseError = Error & { readonly code: string } & Partial<Record<(typeof WITH_VALUES)[number], unknown>>;

function isDatabaseError(error: unknown): error is DatabaseError {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return false;
  return typeof error.code === 'string';
}

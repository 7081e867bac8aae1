/** One line of the doctor. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly finding: string;
  /** What to do about it. */
  readonly advice: string | null;
}

/** Makes the lines of one check. */
export function checkOf(name: string) {
  return {
    ok: (finding: string, advice: string | null = null): Check => ({ name, state: 'ok', finding, advice }),
    warn: (finding: string, advice: string): Check => ({ name, state: 'warn', finding, advice }),
    fail: (finding: string, advice: string | null): Check => ({ name, state: 'fail', finding, advice }),
  };
}

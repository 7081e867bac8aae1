/** A block of commands in a page that is meant to be pasted: its fence says `sh run`. */
export interface GuideBlock {
  readonly commands: string;
  /** Statuses of the failures that the page wants to show: `sh run 400 422`. */
  readonly failures: readonly string[];
}

/** What the reader sets by hand, and a test knows already. */
const SET_BY_READER = /^export (KEY|BASE)=.*$/gm;

/** The blocks of a page that can be run, in order. */
export function runnableBlocks(page: string): readonly GuideBlock[] {
  return [...page.matchAll(/^```sh run([ \d]*)\n([\s\S]*?)^```$/gm)].map(([, failures = '', commands = '']) => ({
    commands: commands.replace(SET_BY_READER, ''),
    failures: failures.trim() === '' ? [] : failures.trim().split(/ +/),
  }));
}

/**
 * One shell script of all blocks, because the later ones use what the earlier ones set. curl notes the status of each
 * answer in the file `$STATUSES`, and the script a line before each block, so that a failure can be placed.
 */
export function scriptOf(blocks: readonly GuideBlock[]): string {
  const prelude = [
    'set -euo pipefail',
    'curl() { command curl --max-time 60 -w "%{stderr}HTTP %{http_code}\\n" "$@" 2>> "$STATUSES"; }',
    'postrider() { "$NODE" "$POSTRIDER" "$@"; }',
  ];
  const parts = blocks.map(({ commands }, index) => `echo "BLOCK ${index}" >> "$STATUSES"\n${commands}`);
  return [...prelude, ...parts].join('\n');
}

/** The failures that each block met, from the file that the script wrote. */
export function failuresByBlock(statuses: string): readonly (readonly string[])[] {
  return statuses
    .split(/^BLOCK \d+\n/m)
    .slice(1)
    .map((text) => [...text.matchAll(/^HTTP ([45]\d\d|000)$/gm)].map(([, status = '']) => status));
}

/** Alternatives: a text that matches holds one of them. */
export type AnyOf = readonly string[];

/**
 * A text has at most a few thousand characters: the beginning of a long literal distinguishes it as well as the whole.
 */
const MAX_LITERAL = 24;
/** Looking for more than this costs as much as the pattern itself. */
const MAX_ALTERNATIVES = 8;
const MAX_CLAUSES = 8;

/** Signs that represent an unknown character: a class, a dot, a place. */
const CLASS = /\[\^?\]?(?:\\[pP]\{[^}]*\}|\\[^QE]|\[:\^?[a-z]+:\]|[^\]\\])*\]/y;
const UNKNOWN = /\\[pP](?:\{[^}]*\}|[^{])|\\[bBdDsSwWAzntrfav]|[.^$]/y;
const ESCAPED = /\\([^\p{L}\p{N}])/uy;
const OPENING = /\((?:\?:|\?P?<\w+>|(?!\?))/y;
const QUANTIFIER = /([*+?]|\{(\d+)(?:,\d*)?\})\??/y;
const LITERAL = /[^\\()[|]/uy;

/**
 * Texts that every match of a pattern must contain: one of each list. Finding them costs next to nothing, so a machine
 * need not scan a text that cannot match. It requires too little rather than too much: what is uncertain is left out.
 * @param pattern a valid expression in the syntax of RE2, folded, that is matched against folded texts without case
 */
export function requiredTexts(pattern: string): readonly AnyOf[] {
  const scan: Scan = { pattern, at: 0, unsure: false };
  const clauses = readAlternatives(scan);
  return scan.unsure || scan.at < pattern.length ? [] : clauses.slice(0, MAX_CLAUSES);
}

/** Whether a text holds one of each list. */
export function holdsRequired(clauses: readonly AnyOf[], text: string): boolean {
  for (const anyOf of clauses) {
    if (!holdsAny(anyOf, text)) return false;
  }
  return true;
}

function holdsAny(anyOf: AnyOf, text: string): boolean {
  for (const literal of anyOf) {
    if (text.includes(literal)) return true;
  }
  return false;
}

interface Scan {
  readonly pattern: string;
  at: number;
  /** Something was met that this reader does not know; nothing can be said of the pattern. */
  unsure: boolean;
}

/** Reads to the end of the pattern or of a group. */
function readAlternatives(scan: Scan): readonly AnyOf[] {
  const branches = [readSequence(scan)];
  while (scan.pattern[scan.at] === '|') {
    scan.at += 1;
    branches.push(readSequence(scan));
  }
  const [first = [], ...others] = branches;
  if (others.length === 0) return first;
  const oneOfEach = branches.map(emittingClause);
  const joined = oneOfEach.flatMap((clause) => clause ?? []);
  return oneOfEach.includes(null) || joined.length > MAX_ALTERNATIVES ? [] : [joined];
}

/** The list of a branch that the fewest texts hold: the one whose shortest literal is the longest. */
function emittingClause(clauses: readonly AnyOf[]): AnyOf | null {
  const shortest = (anyOf: AnyOf) => Math.min(...anyOf.map(({ length }) => length));
  return clauses.reduce<AnyOf | null>(
    (best, clause) => (best === null || shortest(clause) > shortest(best) ? clause : best),
    null,
  );
}

/** A sequence, up to an alternative or the end of the group. */
function readSequence(scan: Scan): readonly AnyOf[] {
  const clauses: AnyOf[] = [];
  let run = '';
  const endRun = () => {
    if (run !== '') clauses.push([run.slice(0, MAX_LITERAL)]);
    run = '';
  };
  while (!scan.unsure && scan.at < scan.pattern.length && !'|)'.includes(scan.pattern.charAt(scan.at))) {
    const atom = readAtom(scan);
    const repeated = readQuantifiers(scan);
    if (typeof atom !== 'string' || repeated === 'maybe') endRun();
    if (repeated === 'maybe') continue;
    if (typeof atom !== 'string') clauses.push(...atom);
    else run += atom;
    if (repeated === 'often') endRun();
  }
  endRun();
  return clauses;
}

/** One character that must be here, or what a group or an unknown character needs. */
function readAtom(scan: Scan): string | readonly AnyOf[] {
  if (taken(scan, CLASS) !== null || taken(scan, UNKNOWN) !== null) return [];
  const escaped = taken(scan, ESCAPED);
  if (escaped !== null) return escaped[1] ?? '';
  if (taken(scan, OPENING) !== null) {
    const clauses = readAlternatives(scan);
    scan.at += 1;
    return clauses;
  }
  const literal = taken(scan, LITERAL);
  if (literal !== null) return literal[0].toLowerCase();
  scan.unsure = true;
  return [];
}

/** How often the last item occurs here: once, at least once, or perhaps never. */
function readQuantifiers(scan: Scan): 'once' | 'often' | 'maybe' {
  let [count, least] = [0, 1];
  for (let found = taken(scan, QUANTIFIER); found !== null; found = taken(scan, QUANTIFIER)) {
    least *= found[2] === undefined ? Number(found[1] === '+') : Number(found[2]);
    count += 1;
  }
  if (count === 0) return 'once';
  return least === 0 ? 'maybe' : 'often';
}

/** The item at this position, which advances past it; null when it is something else. */
function taken(scan: Scan, sign: RegExp): RegExpExecArray | null {
  sign.lastIndex = scan.at;
  const found = sign.exec(scan.pattern);
  if (found !== null) scan.at = sign.lastIndex;
  return found;
}

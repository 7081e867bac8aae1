/** An expression of PromQL, as far as our rules and panels use it. */
export type Node =
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'selector';
      readonly name: string;
      readonly matchers: readonly Matcher[];
      readonly rangeS: number | null;
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] }
  | {
      readonly kind: 'aggregate';
      readonly name: string;
      readonly by: readonly string[];
      readonly args: readonly Node[];
    }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node };

export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?(?:[smhd](?![a-z]))?)|([a-zA-Z_][a-zA-Z0-9_]*)|(==|!=|=~|!~|>=|<=|[-+*/(){}[\],=<>]))/y;
const AGGREGATES = ['sum', 'max', 'min', 'count', 'topk'];
const UNIT_S = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
/** From the loosest to the tightest. */
const LEVELS = [['or'], ['and', 'unless'], ['==', '!=', '>=', '<=', '>', '<'], ['+', '-'], ['*', '/']];

/** @throws Error that names what is not understood */
export function parsePromql(text: string): Node {
  const parser = new Parser(tokensOf(text));
  const node = parser.expression(0);
  parser.end();
  return node;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`Not understood: ${text.slice(at)}`);
    tokens.push(match[0].trim());
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  expression(level: number): Node {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#primary();
    let left = this.expression(level + 1);
    for (let operator = this.#peek(); operators.includes(operator); operator = this.#peek()) {
      this.#at += 1;
      left = { kind: 'binary', operator, left, right: this.expression(level + 1) };
    }
    return left;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new Error(`Not expected: ${this.#peek()}`);
  }

  #primary(): Node {
    const token = this.#next();
    if (token === '(') {
      const inner = this.expression(0);
      this.#expect(')');
      return inner;
    }
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
    if (AGGREGATES.includes(token)) return this.#aggregate(token);
    if (this.#peek() === '(') return { kind: 'call', name: token, args: this.#args() };
    return this.#selector(token);
  }

  #aggregate(name: string): Node {
    const by = this.#peek() === 'by' ? this.#by() : [];
    return { kind: 'aggregate', name, by, args: this.#args() };
  }

  #by(): readonly string[] {
    this.#expect('by');
    this.#expect('(');
    const labels: string[] = [];
    for (let token = this.#next(); token !== ')'; token = this.#next()) if (token !== ',') labels.push(token);
    return labels;
  }

  #args(): readonly Node[] {
    this.#expect('(');
    const args = [this.expression(0)];
    while (this.#peek() === ',') {
      this.#at += 1;
      args.push(this.expression(0));
    }
    this.#expect(')');
    return args;
  }

  #selector(name: string): Node {
    const matchers: Matcher[] = [];
    if (this.#peek() === '{') {
      this.#at += 1;
      for (let label = this.#next(); label !== '}'; label = this.#next()) {
        if (label === ',') continue;
        const operator = this.#next() as Matcher['operator'];
        matchers.push({ label, operator, value: JSON.parse(this.#next()) as string });
      }
    }
    return { kind: 'selector', name, matchers, rangeS: this.#range() };
  }

  #range(): number | null {
    if (this.#peek() !== '[') return null;
    this.#at += 1;
    const text = this.#next();
    this.#expect(']');
    const unit = UNIT_S[text.at(-1) as keyof typeof UNIT_S];
    if (unit === undefined) throw new Error(`${text} is not a span.`);
    return Number(text.slice(0, -1)) * unit;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new Error(`${token} was expected, and not ${found === '' ? 'the end' : found}.`);
  }
}

/** A text of a length: a piece over and over, between a beginning and an end. */
export type TextOf = (length: number) => string;

function filled(piece: string, end = '', start = ''): TextOf {
  return (length) => {
    const room = length - start.length - end.length;
    return start + piece.repeat(Math.ceil(room / piece.length)).slice(0, room) + end;
  };
}

/** Patterns that make a backtracking machine run for years, each with its worst text. */
export const evilPatterns: readonly (readonly [string, TextOf])[] = [
  ['(a+)+$', filled('a', '!')],
  ['^(a+)+$', filled('a', '!')],
  ['([a-z]+)*$', filled('a', '!')],
  ['(a|aa)+$', filled('a', '!')],
  ['(a|a?)+$', filled('a', '!')],
  ['(a|a)*$', filled('a', '!')],
  ['(.*a){12}$', filled('a', '!')],
  ['(.*a){20}!$', filled('a')],
  ['(x+x+)+y', filled('x')],
  ['(x*)*y$', filled('x')],
  ['(.*)*=.*', filled('x')],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', filled('a')],
  ['(\\w+\\s?)*$', filled('ab ', '!!')],
  ['^(\\w+\\s?)*\\?$', filled('ab ')],
  ['\\s+$', filled(' ', '!')],
  ['^\\s+|\\s+$', filled('\t', 'x')],
  ['([a-z0-9]+[._-]?)+@', filled('a')],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$', filled('a')],
  ['^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$', filled('d', '!', 'http://a.bc/')],
  ['(\\d+)*-(\\d+)*$', filled('1')],
  ['^(\\d+\\.?)+$', filled('1', 'x')],
  ['^\\d*[0-9](|.\\d*[0-9]|)*$', filled('1', 'x')],
  ['(?:(?:a*)*)*b', filled('a')],
  ['((a*)*)*$', filled('a', 'b')],
  ['<a.*href=.*>.*</a>', filled('<a href=')],
  ['"(\\\\"|[^"])*"x', filled('\\"', '', '"')],
  ['/\\*(.|\\n)*\\*/x', filled('/*')],
  ['.*.*.*.*.*.*=', filled('a')],
  ['(a?){30}a{30}$', filled('a', '!')],
  ['[ab]*a[ab]{12}$', filled('ab', 'b!')],
  ['(a|b|ab)*c', filled('ab')],
  ['^(.+)+\\b$', filled('a', '!')],
  ['(\\pL|\\d)*!x', filled('a1')],
  ['(ab?c?)*d$', filled('abcac')],
  ['^(?:.?)*z', filled('y')],
];

import { InvalidArgumentError } from 'commander';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90d`, `12h`, `30m`, `45s`, or a bare number of seconds. @throws InvalidArgumentError for anything else */
export function parseDurationS(text: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text.trim());
  const factor = SECONDS[match?.[2] || 's'];
  if (!match || factor === undefined) throw new InvalidArgumentError('Write a time such as 45s, 30m, 12h or 90d.');
  return Number(match[1]) * factor;
}

/** A whole number of at least 0. @throws InvalidArgumentError for anything else */
export function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text.trim())) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
}

/** Comma separated names without the empty ones. */
export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

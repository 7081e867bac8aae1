import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is added to the name of a setting to name a file that holds its value. */
const SUFFIX = '_FILE';

/** @param key of a setting that holds a secret @returns the key under which a file can be named instead */
export function fileKeyOf(key: string): string {
  return `${key}${SUFFIX}`;
}

/**
 * The value of a secret, from the environment or from the file that it names: containers get their secrets as files. The end of
 * line that an editor leaves is not part of the value.
 * @returns the value; undefined when neither is set
 * @throws Error with a sentence when both are set, or the file cannot be read or is empty. It never says what the file holds.
 */
export function readSecret(environment: Environment, key: string): string | undefined {
  const fileKey = fileKeyOf(key);
  const [given, file] = [environment[key], environment[fileKey]];
  if (file === undefined || file === '') return given;
  if (given !== undefined && given !== '') throw new Error(`${key} and ${fileKey} are both set: use one of them.`);
  const value = readText(fileKey, file).replace(/\r?\n$/, '');
  if (value === '') throw new Error(`${fileKey}: ${file} is empty.`);
  return value;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'is not readable for this user',
  EISDIR: 'is a folder',
};

function readText(fileKey: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`${fileKey}: ${file} ${REASONS[code] ?? `cannot be read (${code})`}.`);
  }
}

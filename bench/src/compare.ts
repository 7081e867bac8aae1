import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMPARED, compareRuns, type PrintedPair } from './compare/compare-runs.ts';
import { builtPrograms } from './harness/paths.ts';
import { databasesOf, OptionError, wholeOf } from './options.ts';
import { terminalTable } from './report/table.ts';
import { runProgram } from './run-program.ts';

/*
 * node bench/dist/src/compare.js --with FOLDER [--pairs N] [--seconds N] [--rate N] [--database postgres|pglite]
 * What this version keeps of the accepts and of the whole way of another one, whose checkout is built in FOLDER. Their
 * benchmarks run in turns, the later of a pair coming first in the next pair. Exit 1 when a bar is missed.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const PROGRAM = 'bench/dist/src/bench.js';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      with: { type: 'string' },
      pairs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '20' },
      rate: { type: 'string' },
      database: { type: 'string', default: 'postgres' },
    },
  });
  if (values.with === undefined) throw new OptionError('--with names the folder of the other version.');
  const other = join(values.with, PROGRAM);
  if (!existsSync(other)) throw new OptionError(`--with ${values.with}: there is no ${PROGRAM}; build it there.`);
  const [database, second] = databasesOf(values.database);
  if (database === undefined || second !== undefined) throw new OptionError('--database: one of postgres and pglite.');
  const rate = values.rate === undefined ? [] : ['--rate', String(wholeOf('rate', values.rate, 1))];
  const seconds = String(wholeOf('seconds', values.seconds, 1));
  const args = ['--only', COMPARED, '--database', database, '--seconds', seconds, ...rate];
  const run = { here: join(builtPrograms().root, PROGRAM), other };
  const pairs: PrintedPair[] = [];
  for (let time = 0; time < wholeOf('pairs', values.pairs, 1); time += 1) {
    const early = time % 2 === 0 ? await printedBy(run.here, args) : null;
    const there = await printedBy(run.other, args);
    pairs.push({ here: early ?? (await printedBy(run.here, args)), other: there });
    say(`pair ${time + 1}:`);
    for (const { name, detail } of compareRuns(pairs.slice(-1), database))
      say(`  ${name} ${JSON.stringify(detail.pairs)}`);
  }
  const figures = compareRuns(pairs, database);
  say(`\n${terminalTable(figures)}`);
  return figures.every(({ pass }) => pass) ? 0 : 1;
}

/** The complete output of a benchmark. Its progress is printed on the terminal as well, since a run takes minutes. */
function printedBy(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const leave = (): void => void child.kill();
    process.prependOnceListener('exit', leave);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      process.stdout.write(part);
    });
    child.once('error', reject);
    child.once('close', () => {
      process.removeListener('exit', leave);
      resolve(text);
    });
  });
}

await runProgram(main);

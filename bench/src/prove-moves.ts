import { parseArgs } from 'node:util';
import { proveMoves } from './moves/prove-moves.ts';
import { wholeOf } from './options.ts';
import { runProgram } from './run-program.ts';

/*
 * node bench/dist/src/prove-moves.js [--tenants N] [--messages N] [--kills N] [--seed N] [--url postgres://…]
 * Tenants that send all the time move to another cell, one after the other; the command that moves each is killed with SIGKILL at random
 * moments and given again. The network's own record must have each accepted message exactly once, and each tenant all of its
 * messages. Exit 1 when one is lost, or there twice.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      tenants: { type: 'string', default: '20' },
      messages: { type: 'string', default: '0' },
      kills: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      url: { type: 'string' },
    },
  });
  const { lost, doubled } = await proveMoves({
    tenants: wholeOf('tenants', values.tenants, 1),
    messagesBefore: wholeOf('messages', values.messages, 0),
    maxKills: wholeOf('kills', values.kills, 0),
    seed: wholeOf('seed', values.seed, 0),
    url: values.url ?? null,
    say,
  });
  return lost + doubled === 0 ? 0 : 1;
}

await runProgram(main);

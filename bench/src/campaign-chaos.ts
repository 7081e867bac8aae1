import { parseArgs } from 'node:util';
import { type CampaignChaosResult, runCampaignChaos } from './campaign/run-campaign-chaos.ts';
import { builtPrograms } from './harness/paths.ts';
import { findPostgresBin, startPostgres } from './harness/postgres.ts';
import { makeWorkspace } from './harness/workspace.ts';
import { wholeOf } from './options.ts';
import { runProgram } from './run-program.ts';

/*
 * node bench/dist/src/campaign-chaos.js [--recipients N] [--kills K] [--rate N] [--seed S] [--quick] [--keep]
 * The server is killed while a campaign runs, on a PostgreSQL of our own in a temporary folder. Exit 1 on any violation.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const QUICK = { recipients: '240', kills: '2', rate: '60' };
const WHOLE = { recipients: '50000', kills: '20', rate: '200' };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      recipients: { type: 'string' },
      kills: { type: 'string' },
      rate: { type: 'string' },
      seed: { type: 'string', default: '1' },
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const defaults = values.quick ? QUICK : WHOLE;
  const recipients = wholeOf('recipients', values.recipients ?? defaults.recipients, 1);
  const kills = wholeOf('kills', values.kills ?? defaults.kills, 1);
  const rate = wholeOf('rate', values.rate ?? defaults.rate, 1);
  const seed = wholeOf('seed', values.seed, 0);
  if (findPostgresBin() === null) {
    say('PostgreSQL is not installed: nothing was tried.');
    return 1;
  }
  const workspace = makeWorkspace(values.keep);
  try {
    const postgres = await startPostgres(workspace.folder);
    workspace.onClose(() => postgres.stop());
    say(`campaign chaos: ${recipients} recipients, ${kills} kills, ${rate} messages/s, seed ${seed}`);
    const programs = builtPrograms();
    const result = await runCampaignChaos({ programs, workspace, postgres, recipients, kills, seed, rate, say });
    report(result);
    return result.violations.length === 0 ? 0 : 1;
  } finally {
    await workspace.close();
  }
}

const SHOWN = 20;

function report({
  violations,
  accepts,
  explainedDuplicates,
  counts,
  kills,
  samples,
  seconds,
}: CampaignChaosResult): void {
  say(`  ${seconds} s, ${kills} kills amid the run${kills > 2 ? ', and one while it was paused' : ''}`);
  say(`  recipients: ${JSON.stringify(counts)}`);
  say(`  accepts of the network: ${accepts}, of them ${explainedDuplicates} second ones after an unknown outcome`);
  say(`  counts that were looked at: ${samples}`);
  for (const violation of violations.slice(0, SHOWN)) say(`  VIOLATION ${violation}`);
  say(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
}

await runProgram(main);

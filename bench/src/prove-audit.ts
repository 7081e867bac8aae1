import { parseArgs } from 'node:util';
import { PROOFS, type Proof, proveWith } from './chaos/broken/prove.ts';
import { OptionError } from './options.ts';
import { runProgram } from './run-program.ts';

/*
 * node bench/dist/src/prove-audit.js [--only "part of a name"]
 * The audit of the chaos runs is worth something only when it fails without the guards. Each variant is a copy of the built
 * server with one guard taken away, under the same faults as the whole one. One after the other: what they find is
 * decided by what happens within seconds, so nothing else should run beside them. Exit 1 when the audit misses one, or
 * accuses the whole server.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** So few accepted messages would prove nothing. */
const MIN_ACCEPTED = 100;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  const proofs = PROOFS.filter(({ name }) => name.includes(values.only));
  if (proofs.length === 0) throw new OptionError(`--only ${values.only}: no proof has that in its name.`);
  let missed = 0;
  for (const proof of proofs) {
    const { accepted, violations } = await proveWith(proof);
    const found = violations.map(({ kind }) => kind);
    const right = proof.expected === null ? found.length === 0 : found.includes(proof.expected);
    const holds = right && accepted > MIN_ACCEPTED;
    if (!holds) missed += 1;
    say(`${holds ? 'ok    ' : 'MISSED'} ${sentence(proof)} (${accepted} accepted, ${counted(found)})`);
    if (!holds) for (const { kind, what } of violations.slice(0, 20)) say(`         ${kind}: ${what}`);
  }
  say(`${proofs.length - missed} of ${proofs.length} proofs hold.`);
  return missed === 0 ? 0 : 1;
}

function sentence({ name, expected }: Proof): string {
  return expected === null ? `the audit passes with ${name}` : `the audit says "${expected}" when ${name}`;
}

function counted(found: readonly string[]): string {
  if (found.length === 0) return 'nothing found';
  const kinds = [...new Set(found)];
  return kinds.map((kind) => `${found.filter((one) => one === kind).length} × ${kind}`).join(', ');
}

await runProgram(main);

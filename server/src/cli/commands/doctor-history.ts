import { isJsonObject, type JsonObject } from '#core/json';
import type { Check } from './doctor-machine.ts';

/** Clocks that NTP keeps differ by far less. */
const CLOCK_LIMIT_S = 2;

/** @param facts `clock_ahead_s`: by how much the machine of the server is ahead of the database; null: not measured */
export function clockCheck({ clock_ahead_s: aheadS }: JsonObject): Check {
  const name = 'clock';
  if (typeof aheadS !== 'number') return { name, state: 'ok', finding: 'not compared' };
  const finding = `${Math.abs(aheadS)} s ${aheadS < 0 ? 'behind' : 'ahead of'} the database`;
  if (Math.abs(aheadS) <= CLOCK_LIMIT_S) return { name, state: 'ok', finding };
  const advice = "Set both machines by NTP. Messages are not delayed: the database's clock counts.";
  return { name, state: 'warn', finding, advice };
}

/** @param facts `history`: the one that counts; `held`: messages that wait since it began */
export function historyCheck({ history, held }: JsonObject): Check {
  const name = 'history';
  const began = isJsonObject(history) ? history : null;
  if (began === null || began.reason === 'first') return { name, state: 'ok', finding: 'never restored' };
  const finding = `number ${began.id} since ${began.began_at} (${began.reason}), ${held} messages held`;
  if (held === 0) return { name, state: 'ok', finding };
  const advice = 'They may have been sent before the database was restored: see "postrider held --help".';
  return { name, state: 'warn', finding, advice };
}

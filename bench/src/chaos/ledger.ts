import { readFileSync } from 'node:fs';
import type { LedgerEntry } from './evidence.ts';

interface LedgerLine {
  readonly id: string;
  readonly phone_number_id: string;
  readonly to: string;
  readonly biz_opaque_callback_data: string | null;
  readonly accepted_at: string;
}

const TOKEN = /^([0-9a-f-]{36})\./;

/** Reads the network's own record, in the order of its accepts. A line that is still being written is left out. */
export function readLedger(file: string): readonly LedgerEntry[] {
  const text = readFileSync(file, 'utf8');
  return parseLedger(text.slice(0, text.lastIndexOf('\n') + 1));
}

export function parseLedger(text: string): readonly LedgerEntry[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { id, phone_number_id, to, biz_opaque_callback_data, accepted_at } = JSON.parse(line) as LedgerLine;
    const messageId = TOKEN.exec(biz_opaque_callback_data ?? '')?.[1] ?? null;
    return { networkId: id, phoneNumberId: phone_number_id, to, messageId, acceptedAtMs: Date.parse(accepted_at) };
  });
}

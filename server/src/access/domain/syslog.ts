import { type ChainedEntry, chainedEntryJson } from './audit-chain.ts';

/** Facility 13, log audit, and severity 6, informational (RFC 5424, section 6.2.1). */
const PRIORITY = 13 * 8 + 6;
const VERSION = 1;
const APP_NAME = 'postrider';
const NIL = '-';
/** "Transport receivers SHOULD be able to process messages with lengths up to and including 8192 octets" (RFC 5425, section 4.3.1). */
const MAX_OCTETS = 8_192;

/**
 * An entry of the audit log as a syslog message (RFC 5424): its MSGID is the action, its text the entry as JSON in ASCII, with its
 * tenant, its place in the chain and its hash. Details that would make it too long for log servers are left out; the export has them.
 * @param hostname of the machine that sends it
 */
export function syslogMessage(hostname: string, chained: ChainedEntry): string {
  const whole = toMessage(hostname, chained);
  if (whole.length <= MAX_OCTETS) return whole;
  return toMessage(hostname, { ...chained, entry: { ...chained.entry, details: { omitted: true } } });
}

function toMessage(hostname: string, chained: ChainedEntry): string {
  const { tenantId, action, createdMs } = chained.entry;
  const at = new Date(createdMs).toISOString();
  const header = `<${PRIORITY}>${VERSION} ${at} ${hostname} ${APP_NAME} ${NIL} ${action} ${NIL}`;
  return `${header} ${toAscii(JSON.stringify({ tenant_id: tenantId, ...chainedEntryJson(chained) }))}`;
}

/** Escapes what is not ASCII, as JSON allows: no log server can then mistake the encoding. */
function toAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export type SyslogTransport = 'udp' | 'tcp' | 'tls';

/** Where a log server takes syslog messages. */
export interface SyslogAddress {
  readonly transport: SyslogTransport;
  readonly host: string;
  readonly port: number;
}

export const ADDRESS = /^(udp|tcp|tls):\/\/(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})\/?$/;

export const MAX_PORT = 65_535;

/** Reads `tcp://host:port`, also with udp or tls and with an IPv6 address in brackets; null for anything else. */
export function parseSyslogAddress(text: string): SyslogAddress | null {
  const [, transport, ipv6, name, digits] = ADDRESS.exec(text) ?? [];
  const port = Number(digits);
  const host = ipv6 ?? name;
  if (host === undefined || !(port >= 1 && port <= MAX_PORT)) return null;
  return { transport: transport as SyslogTransport, host, port };
}

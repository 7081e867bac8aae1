/**
 * When an id of version 7 was made, in milliseconds since 1970, as an expression: `idMadeMs` of events/domain/message-sums.ts in SQL. Its first 48
 * bits say so (RFC 9562, section 5.7).
 */
export function idMadeMsSql(column: string): string {
  return `('x' || left(replace(${column}::text, '-', ''), 12))::bit(48)::bigint`;
}

/**
 * Whether If-None-Match names this entity tag; weak tags match too, as RFC 9110, 13.1.2 has it.
 * @param header value of If-None-Match, when it came
 * @param etag the tag in its quotes
 */
export function matchesAnyEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

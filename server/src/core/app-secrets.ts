/**
 * The secrets in a setting that may hold several, comma separated: while the network's secret is changed, callbacks are
 * signed with the old one by some of its machines and with the new one by others.
 * @returns at least one, the one in force first
 */
export function readAppSecrets(setting: string): readonly [string, ...string[]] {
  const [first = '', ...rest] = setting.split(',').map((secret) => secret.trim());
  return [first, ...rest.filter((secret) => secret !== '')];
}

import { type Config, ConfigError } from '#runtime/config';

/** What a process can do; all of them by default. */
export const ROLES = ['api', 'receiver', 'ingester', 'dispatcher', 'notifier', 'campaigner', 'maintenance'] as const;
export type Role = (typeof ROLES)[number];

/** The roles of the settings. @throws ConfigError that names one that is none */
export function readRoles(config: Config): ReadonlySet<Role> {
  const names = config.roles.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !ROLES.some((role) => role === name));
  if (unknown !== undefined) throw new ConfigError(`"${unknown}" is not a role; the roles are ${ROLES.join(', ')}.`);
  return new Set(names as Role[]);
}

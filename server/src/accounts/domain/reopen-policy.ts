export const reopenPolicies = ['reopen_last', 'new_after', 'always_new'] as const;

export type ReopenPolicy = (typeof reopenPolicies)[number];

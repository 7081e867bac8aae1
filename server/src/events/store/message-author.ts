import { authorKindNumber, authorKinds, type MessageAuthor } from '#core/caller/author';

/** Where the name of each kind of author stands. */
const NAMES: Readonly<Record<MessageAuthor['kind'], { readonly table: string; readonly id: string }>> = {
  agent: { table: 'agents', id: 'agent_id' },
  rule: { table: 'chatbot_rules', id: 'rule_id' },
  campaign: { table: 'campaigns', id: 'campaign_id' },
  key: { table: 'api_keys', id: 'key_id' },
};

/** The kind and the id of the author of a row (`agent:…`), as an expression; null without one. */
export function authorKeySql(alias: string): string {
  const kinds = authorKinds.map((kind) => `when ${authorKindNumber(kind)} then '${kind}:'`).join(' ');
  return `(case ${alias}.author_kind ${kinds} end || ${alias}.author_id)`;
}

/**
 * The author of a row of `outbound_messages` with what it is called now, as an expression: a NamedAuthor as JSON, null without one.
 * One name is looked up, by its key.
 */
export function authorJson(alias: string): string {
  const numbered = authorKinds.map((kind) => ({ ...NAMES[kind], kind, number: authorKindNumber(kind) }));
  const kinds = [...numbered, { kind: 'phone', number: authorKindNumber('phone') }]
    .map(({ kind, number }) => `when ${number} then '${kind}'`)
    .join(' ');
  const names = numbered.map(
    ({ table, id, number }) => `when ${number} then (
        select w.name from ${table} w where w.tenant_id = ${alias}.tenant_id and w.${id} = ${alias}.author_id)`,
  );
  return `case when ${alias}.author_kind is not null then json_build_object('kind', case ${alias}.author_kind ${kinds} end,
      'id', ${alias}.author_id, 'name', case ${alias}.author_kind ${names.join(' ')} end) end`;
}

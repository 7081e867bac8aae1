/** What a list of conversations shows of a message `m` that is part of one, as a column. */
export const PREVIEW = `case when m.conversation_id is not null then
    left(coalesce(m.content ->> 'body', m.content #>> '{media,caption}'), 120) end as preview`;

/**
 * Shows messages that were sent as the newest of their conversations, unless something newer is there: parts of the `with` of the
 * statement that settles them, of which `shown` is the last. Conversations are locked in order, after their messages: as
 * callbacks do. What locks and joins is within another query: Citus cannot read the result of one that does both.
 * @param settled part of the statement that returns NEWS_COLUMNS and PREVIEW
 */
export function showSentSql(settled: string): string {
  const column = (name: string) => `array(select ${name} from newest)`;
  const columns = ['tenant_id', 'conversation_id', 'message_id', 'type', 'accepted_ms', 'preview'];
  // Taken for few, as they are: of a part of its own statement the planner expects hundreds, and walks all conversations.
  const few = `unnest(${columns.map(column).join(', ')}) as n (${columns.join(', ')})`;
  return `
newest as materialized (
  select distinct on (tenant_id, conversation_id) ${columns.join(', ')}
  from ${settled} where news <> 0 and conversation_id is not null
  order by tenant_id, conversation_id, message_id desc
), locked as (
  select 1 from (
    select c.conversation_id from ${few}
    join conversations c on c.tenant_id = n.tenant_id and c.conversation_id = n.conversation_id
    order by c.tenant_id, c.conversation_id for update of c) c
), shown as (
  update conversations c set
    last_message_ms = greatest(c.last_message_ms, n.accepted_ms), last_outbound_ms = greatest(c.last_outbound_ms, n.accepted_ms),
    last_message_id = n.message_id, last_message_inbound = false, last_message_type = n.type, last_message_preview = n.preview
  from ${few}
  where (select count(*) from locked) > 0 and c.tenant_id = n.tenant_id and c.conversation_id = n.conversation_id
    and (c.last_message_id is null or c.last_message_id < n.message_id)
  returning 1
)`;
}

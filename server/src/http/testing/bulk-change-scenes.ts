import { conversationExampleId } from '#conversations/http/schemas/conversation';
import { makeBulkChange } from '#testing/test-bulk-changes';
import { openConversation, type Scene, type Stage } from './scenes.ts';

export function madeBulkChange({ kit, tenant }: Stage, status: 'running' | 'completed'): Promise<string> {
  return makeBulkChange({ rt: kit.rt, db: kit.service.db, tenantId: tenant.tenantId }, status);
}

/** Scenes of bulk changes. */
export const bulkChangeScenes: Readonly<Record<string, Scene>> = {
  getBulkChange: (stage) => madeBulkChange(stage, 'completed'),
  listBulkChangeItems: (stage) => madeBulkChange(stage, 'completed'),
  cancelBulkChange: (stage) => madeBulkChange(stage, 'running'),
  undoBulkChange: (stage) => madeBulkChange(stage, 'completed'),
};

/** The conversation that examples name is there, and the only one with its tag; no bulk change goes on to take it away. */
export async function tagConversation(stage: Stage): Promise<void> {
  const { db } = stage.kit.service;
  const values = [stage.tenant.tenantId, conversationExampleId];
  const cancel = `update bulk_changes set status = 'canceled', finished_ms = updated_ms where tenant_id = $1 and finished_ms is null`;
  await db.run({ name: 'test_cancel_bulk_changes', text: cancel }, [stage.tenant.tenantId]);
  const name = `with other as (update conversations set tags = '{}' where tenant_id = $1 and tags @> array['recall'])
    update conversations set conversation_id = $2, tags = array['recall'] where tenant_id = $1 and conversation_id = $3
      and not exists (select 1 from conversations where tenant_id = $1 and conversation_id = $2)`;
  await db.run({ name: 'test_name_conversation', text: name }, [...values, await openConversation(stage)]);
  const tag = `update conversations set tags = array['recall'] where tenant_id = $1 and conversation_id = $2`;
  await db.run({ name: 'test_tag_conversation', text: tag }, values);
}

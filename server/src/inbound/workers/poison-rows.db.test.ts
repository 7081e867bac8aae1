import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertReply } from '#rules/store/rule-replies';
import { RuleStage, type World } from '#testing/rule-world';
import { freshPhone } from '#testing/test-tenant';

let stage: RuleStage;
beforeAll(async () => {
  stage = await RuleStage.open();
});
afterAll(() => stage.close());

/** A reply that was decided but not sent. */
async function leaveReply({ tenantId, phoneNumberId }: World, to: string, dueMs: number): Promise<string> {
  const decisionId = stage.rt.newId();
  const content = { type: 'text', body: 'Hello' };
  const place = { ruleId: stage.rt.newId(), action: 0, place: 0 } as const;
  const createdMs = stage.clock.now();
  await insertReply(
    stage.made.db,
    { tenantId, decisionId, ...place, to, phoneNumberId, content, createdMs } as never,
    dueMs,
  );
  return decisionId;
}

async function stateOf(decisionId: string) {
  const text = `select state, error ->> 'code' as code from rule_replies where decision_id = $1`;
  return (await stage.made.db.run({ name: 'test_reply', text }, [decisionId])).rows[0];
}

test('a reply that the database refuses ends, and those behind it are sent', async () => {
  const [broken, healthy] = [await stage.makeWorld(), await stage.makeWorld()];
  const heads = `insert into event_heads (tenant_id, last_seq) values ($1, 9223372036854775807)
    on conflict (tenant_id) do update set last_seq = excluded.last_seq`;
  await stage.made.db.run({ name: 'test_break', text: heads }, [broken.tenantId]);
  const to = freshPhone();
  const nowMs = stage.clock.now();
  const refused = await leaveReply(broken, to, nowMs - 2);
  const behind = await leaveReply(healthy, to, nowMs - 1);
  await stage.runner.sendOnce();
  expect(await stateOf(refused)).toEqual({ state: 'failed', code: 'internal_error' });
  expect(await stateOf(behind)).toEqual({ state: 'sent', code: null });
});

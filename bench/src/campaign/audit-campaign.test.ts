import { expect, test } from 'vitest';
import { auditCampaign, type CampaignEvidence, type RecipientEvidence } from './audit-campaign.ts';

const counts = { total: 2, waiting: 0, queued: 0, sent: 1, failed: 0, skipped: 1 };
const accept = (to: string, messageId = `m-${to}`) => {
  return { networkId: `w-${to}`, to, phoneNumberId: '1', messageId, acceptedAtMs: 1 };
};
const recipient = (phone: string, fields: Partial<RecipientEvidence> = {}): RecipientEvidence => {
  return { phone, status: 'sent', messageId: `m-${phone}`, possibleDuplicate: false, ...fields };
};
const sound: CampaignEvidence = {
  recipients: [recipient('1'), recipient('2', { status: 'skipped' })],
  ledger: [accept('1')],
  samples: [{ ...counts, sent: 0, queued: 1 }, counts],
  stopped: ['2'],
  acceptsWhilePaused: 0,
};

test('a run in which everything agrees has no violation', () => {
  expect(auditCampaign(sound)).toEqual({ violations: [], accepts: 1, explainedDuplicates: 0 });
});

test('a second accept is explained by an unknown outcome only', () => {
  const ledger = [accept('1'), accept('1')];
  expect(auditCampaign({ ...sound, ledger }).violations).toEqual([expect.stringMatching(/^duplicate: 1 has 2/)]);
  const recipients = [recipient('1', { possibleDuplicate: true }), recipient('2', { status: 'skipped' })];
  expect(auditCampaign({ ...sound, ledger, recipients })).toMatchObject({ violations: [], explainedDuplicates: 1 });
});

test.each<[string, Partial<CampaignEvidence>]>([
  ['lost', { ledger: [] }],
  ['lost', { recipients: [recipient('1', { status: 'accepted' }), recipient('2', { status: 'skipped' })] }],
  ['unrecorded', { ledger: [accept('1'), accept('2')], stopped: [] }],
  ['unrecorded', { ledger: [accept('1', 'another')] }],
  ['sums', { samples: [{ ...counts, waiting: 1 }, counts] }],
  ['sums', { samples: [{ ...counts, sent: 2, skipped: 0 }] }],
  ['stop', { stopped: ['1'] }],
  ['pause', { acceptsWhilePaused: 1 }],
])('what does not agree is found: %s', (kind, wrong) => {
  const { violations } = auditCampaign({ ...sound, ...wrong });
  expect(violations.some((violation) => violation.startsWith(`${kind}:`))).toBe(true);
});

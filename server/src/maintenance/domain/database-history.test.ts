import { expect, test } from 'vitest';
import { type DatabaseHistory, historyChange, SYNCHRONOUS_FAILOVER_MS } from './database-history.ts';

const known: DatabaseHistory = {
  historyId: 3,
  mark: 10,
  server: '77/5/16400',
  timeline: '00000001',
  reason: 'first',
  beganMs: 0,
  markedMs: 1_000_000,
  isSynchronous: false,
};
const server = { server: known.server, timeline: known.timeline };
const promoted = { ...server, timeline: '00000002' };
const soonMs = known.markedMs + 10_000;
const synchronous = { ...known, isSynchronous: true };

test.each([
  ['goes on', { known, server, remembered: null, nowMs: soonMs }, null],
  ['goes on where it was remembered', { known, server, remembered: { historyId: 3, mark: 10 }, nowMs: soonMs }, null],
  [
    'is behind what is remembered',
    { known, server, remembered: { historyId: 3, mark: 11 }, nowMs: soonMs },
    'went_back loss',
  ],
  ['is of an older history', { known, server, remembered: { historyId: 4, mark: 0 }, nowMs: soonMs }, 'went_back loss'],
  [
    'is on another server',
    { known, server: { ...server, server: '78/5/16400' }, remembered: null, nowMs: soonMs },
    'other_server loss',
  ],
  ['is on another timeline', { known, server: promoted, remembered: null, nowMs: soonMs }, 'other_timeline loss'],
  [
    'is on the timeline of a replica that commits waited for',
    { known: synchronous, server: promoted, remembered: { historyId: 3, mark: 10 }, nowMs: soonMs },
    'other_timeline complete',
  ],
  [
    'should have been replicated but is behind',
    { known: synchronous, server: promoted, remembered: { historyId: 3, mark: 11 }, nowMs: soonMs },
    'other_timeline loss',
  ],
  [
    'was recovered long after its last mark',
    { known: synchronous, server: promoted, remembered: null, nowMs: known.markedMs + SYNCHRONOUS_FAILOVER_MS + 1 },
    'other_timeline loss',
  ],
])('a database that %s', (_label, sighting, expected) => {
  const change = historyChange(sighting);
  expect(change && `${change.reason} ${change.isLoss ? 'loss' : 'complete'}`).toBe(expected);
});

import type { Patch } from '../../harness/patched-server.ts';
import type { ViolationKind } from '../evidence.ts';
import type { Fault } from '../faults/all.ts';

/** A server without one of its guards, and what the audit must find. */
export interface Variant {
  readonly name: string;
  readonly patches: readonly Patch[];
  readonly expected: ViolationKind;
  /** Faults under which it shows; the network's own faults are always there. */
  readonly faults: readonly Fault[];
}

const QUEUE = 'dist/messages/store/send-queue.js';
const INBOUND = 'dist/inbound/store/inbound-batch.js';
const CONVERSATIONS = 'dist/conversations/store/conversation-inbound.js';
const SCHEMA = 'migrations/0001-core.sql';

/** The guards that the promises rest on, each taken away. */
export const variants: readonly Variant[] = [
  {
    name: 'a send leaves without a durable mark',
    patches: [
      {
        file: QUEUE,
        find: 'queueState.claimed}, epoch = t.epoch, attempts = q.attempts + 1',
        replace: 'queueState.ready}, epoch = null, attempts = q.attempts + 1',
      },
      {
        file: QUEUE,
        find: 'returning q.tenant_id, q.message_id, q.phone_number_id, q.epoch, q.attempts',
        replace: 'returning q.tenant_id, q.message_id, q.phone_number_id, t.epoch, q.attempts',
      },
    ],
    expected: 'duplicate',
    faults: ['kill_server'],
  },
  {
    name: 'sends that a killed process left behind are repeated at once',
    patches: [
      {
        file: QUEUE,
        find: 'queueState.unknown}, epoch = t.epoch, due_ms = $4',
        replace: 'queueState.ready}, epoch = null, due_ms = 0 * $4::bigint',
      },
    ],
    expected: 'duplicate',
    faults: ['kill_server'],
  },
  {
    name: 'unknown outcomes are sent again without the wait',
    patches: [
      {
        file: 'dist/messages/workers/decide-outcome.js',
        find: 'const dueMs = nowMs + unknownWaitMs;',
        replace: 'const dueMs = nowMs;',
      },
    ],
    expected: 'duplicate',
    faults: ['freeze_server'],
  },
  {
    name: 'inbound messages have no unique index',
    patches: [
      {
        file: SCHEMA,
        find: 'create unique index inbound_messages_network_id',
        replace: 'create index inbound_messages_network_id',
      },
      {
        file: INBOUND,
        find: 'and i.network_message_id = any($2::text[])',
        replace: 'and i.network_message_id = any($2::text[]) and false',
      },
    ],
    expected: 'inbound',
    faults: ['kill_server'],
  },
  {
    name: 'open conversations have no unique index',
    patches: [
      {
        file: SCHEMA,
        find: 'create unique index conversations_one_open',
        replace: 'create index conversations_one_open',
      },
      {
        file: CONVERSATIONS,
        find: "on conflict (tenant_id, contact_id, phone_number_id) where status <> 'resolved' do nothing",
        replace: '',
      },
      {
        file: CONVERSATIONS,
        find: 'where x.tenant_id = p.tenant_id and x.contact_id = p.contact_id',
        replace: 'where false and x.tenant_id = p.tenant_id and x.contact_id = p.contact_id',
      },
    ],
    expected: 'conversation',
    faults: ['kill_server'],
  },
  {
    name: 'a sending number may hold every connection',
    patches: [
      {
        file: 'dist/queue/shares.js',
        find: 'return held === 0 || held + 1 <= multiple * (this.free - 1);',
        replace: 'return true;',
      },
    ],
    expected: 'slowed',
    faults: ['hang_number'],
  },
  {
    name: 'the page of a proxy counts as a refusal of the network',
    patches: [
      {
        file: 'dist/network/classify.js',
        find: 'fallbackErrorRules.rate : fallbackErrorRules.turnedAway',
        replace: 'fallbackErrorRules.rate : fallbackErrorRules.never',
      },
    ],
    expected: 'lost',
    faults: ['page_storm'],
  },
  {
    name: 'messages of unknown outcome are repeated while callbacks are refused',
    patches: [
      {
        file: 'dist/messages/store/queue-due.js',
        find: '($4 and h.status_ms >= s.due_ms - $5::bigint)',
        replace: '($4 or $5::bigint > 0)',
      },
    ],
    expected: 'duplicate',
    faults: ['callbacks_refused'],
  },
  {
    name: 'the messages of a suspended tenant leave',
    patches: [
      { file: 'dist/access/store/tenant-states.js', find: "where s.state <> 'active'", replace: 'where false' },
    ],
    expected: 'suspended',
    faults: ['tenant_suspended'],
  },
  {
    name: 'time jumps with the clock of the machine',
    patches: [
      {
        file: 'dist/runtime/cluster-clock.js',
        find: 'now: () => Math.floor(at(machine.monotonic())),',
        replace: 'now: () => machine.now(),',
      },
    ],
    expected: 'duplicate',
    faults: ['clock_jump'],
  },
];

import { counter, gauge, histogram } from './declarations.ts';

/** The process and its database connections. Names without our prefix are those that all Prometheus clients use. */
export const processFamilies = {
  info: gauge(
    { name: 'postrider_info', unit: 'boolean', reporter: 'any', help: 'Always 1; its labels describe the process.' },
    { version: 'version of Postrider', node: 'version of Node', database: 'postgres, pglite' },
  ),
  statementTime: histogram({
    name: 'postrider_database_statement_seconds',
    unit: 'seconds',
    reporter: 'any',
    help: 'Time from handing a statement to the database until its result, with the wait for a connection.',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2.5, 10],
  }),
  statements: counter(
    {
      name: 'postrider_database_statements_total',
      unit: 'statements',
      reporter: 'any',
      help: 'Statements by name and result.',
    },
    { statement: 'name of the statement', result: 'ok, failed' },
  ),
  statementSeconds: counter(
    {
      name: 'postrider_database_time_seconds_total',
      unit: 'seconds',
      reporter: 'any',
      help: 'The time that these statements took together.',
    },
    { statement: 'name of the statement' },
  ),
  connections: gauge(
    {
      name: 'postrider_database_connections',
      addsUp: true,
      unit: 'connections',
      reporter: 'any',
      help: 'Connections to the database that this process has open.',
    },
    { state: 'busy, idle' },
  ),
  connectionWaiters: gauge({
    name: 'postrider_database_waiting',
    addsUp: true,
    unit: 'statements',
    reporter: 'any',
    help: 'Statements and transactions that wait for a connection to become free.',
  }),
  clockDifference: gauge({
    name: 'postrider_clock_difference_seconds',
    unit: 'seconds',
    reporter: 'any',
    help: "By how much this machine's clock is ahead of the database's, which counts.",
  }),
  databaseHistory: gauge({
    name: 'postrider_database_history',
    unit: 'number',
    reporter: 'any',
    help: 'Number of the history of the database: it grows when a restore or a failover is noticed.',
  }),
  bodiesHeld: gauge(
    {
      name: 'postrider_bodies_held',
      addsUp: true,
      unit: 'requests',
      reporter: 'any',
      help: 'Request bodies over 16 KiB in memory.',
    },
    { door: 'api, callbacks, payments' },
  ),
  bodyBytesHeld: gauge(
    {
      name: 'postrider_body_bytes_held',
      addsUp: true,
      unit: 'bytes',
      reporter: 'any',
      help: 'Bytes of request bodies over 16 KiB in memory.',
    },
    { door: 'api, callbacks, payments' },
  ),
  longPolls: gauge({
    name: 'postrider_long_polls',
    addsUp: true,
    unit: 'requests',
    reporter: 'api',
    help: 'Requests that wait for the outcome of a message or for events.',
  }),
  eventLoopLag: gauge(
    {
      name: 'nodejs_eventloop_lag_seconds',
      unit: 'seconds',
      reporter: 'any',
      help: 'How much later than planned the event loop ran since the metrics were last read.',
    },
    { quantile: '0.5, 0.99, 1' },
  ),
  residentMemory: gauge({
    name: 'process_resident_memory_bytes',
    addsUp: true,
    unit: 'bytes',
    reporter: 'any',
    help: 'Memory of the process.',
  }),
  heapUsed: gauge({
    name: 'nodejs_heap_size_used_bytes',
    addsUp: true,
    unit: 'bytes',
    reporter: 'any',
    help: 'Memory that objects of JavaScript use.',
  }),
  heapLimit: gauge({
    name: 'nodejs_heap_size_limit_bytes',
    unit: 'bytes',
    reporter: 'any',
    help: 'Memory that objects of JavaScript may use: the process ends when they need more.',
  }),
  cpuSeconds: counter({
    name: 'process_cpu_seconds_total',
    unit: 'seconds',
    reporter: 'any',
    help: 'CPU time of the process, in user and system mode.',
  }),
  startTime: gauge({
    name: 'process_start_time_seconds',
    unit: 'seconds since 1970',
    reporter: 'any',
    help: 'When the process was started.',
  }),
} as const;

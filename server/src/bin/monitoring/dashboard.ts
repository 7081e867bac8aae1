/** One line of a panel. */
interface Query {
  readonly expression: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly queries: readonly Query[];
}

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const query = (legend: string, expression: string): Query => ({ legend, expression });
const panel = (title: string, unit: string, ...queries: readonly Query[]): Panel => ({ title, unit, queries });

function quantiles(family: string, span = '5m'): readonly Query[] {
  return [0.5, 0.95, 0.99].map((part) =>
    query(`p${part * 100}`, `histogram_quantile(${part}, sum by (le) (rate(${family}_bucket[${span}])))`),
  );
}

const REQUESTS = 'postrider_http_request_seconds';

/** From what customers notice to what machines do. */
const ROWS: readonly Row[] = [
  {
    title: 'Messages',
    panels: [
      panel(
        'Accepted and sent',
        'cps',
        query('accepted', 'sum(rate(postrider_messages_accepted_total[1m]))'),
        query('{{outcome}}', 'sum by (outcome) (rate(postrider_sends_total[1m]))'),
      ),
      panel('Due until accepted by the network', 's', ...quantiles('postrider_send_delay_seconds')),
      panel(
        'Failures by code',
        'cps',
        query('{{code}} ({{by}})', 'sum by (code, by) (rate(postrider_message_failures_total[5m]))'),
      ),
    ],
  },
  {
    title: 'Queue',
    panels: [
      panel(
        'Messages in the queue',
        'short',
        query('{{priority}} {{state}}', 'max by (priority, state) (postrider_queue_messages)'),
      ),
      panel('Oldest due message', 's', query('{{priority}}', 'max by (priority) (postrider_queue_oldest_due_seconds)')),
      panel('Sends in flight', 'short', query('{{state}}', 'sum by (state) (postrider_sends_in_flight)')),
    ],
  },
  {
    title: 'Callbacks, webhooks, campaigns',
    panels: [
      panel(
        'Callbacks',
        'cps',
        query('{{outcome}}', 'sum by (outcome) (rate(postrider_callbacks_total[1m]))'),
        query('waiting', 'max(postrider_callbacks_waiting)'),
      ),
      panel(
        'Oldest that waits',
        's',
        query('callback', 'max(postrider_callbacks_oldest_seconds)'),
        query('webhook, {{endpoint}}', 'max by (endpoint) (postrider_webhooks_oldest_seconds)'),
        query('campaign', 'max(postrider_campaigns_overdue_seconds)'),
      ),
      panel('Webhooks', 'cps', query('{{outcome}}', 'sum by (outcome) (rate(postrider_webhooks_total[1m]))')),
      panel('Campaign recipients waiting', 'short', query('recipients', 'max(postrider_campaign_recipients_waiting)')),
    ],
  },
  {
    title: 'HTTP',
    panels: [
      panel('Requests by status', 'reqps', query('{{status}}', `sum by (status) (rate(${REQUESTS}_count[1m]))`)),
      panel(
        'Slowest routes, p99',
        's',
        query('{{route}}', `topk(10, histogram_quantile(0.99, sum by (le, route) (rate(${REQUESTS}_bucket[5m]))))`),
      ),
      panel(
        'Refused to protect the process',
        'cps',
        query('{{reason}}', 'sum by (reason) (rate(postrider_requests_refused_total[1m]))'),
      ),
    ],
  },
  {
    title: 'Database',
    panels: [
      panel('Statements', 's', ...quantiles('postrider_database_statement_seconds')),
      panel(
        'Where the time goes',
        'short',
        query('{{statement}}', 'topk(10, sum by (statement) (rate(postrider_database_time_seconds_total[5m])))'),
      ),
      panel(
        'Connections',
        'short',
        query('{{instance}} {{state}}', 'postrider_database_connections'),
        query('{{instance}} waiting', 'postrider_database_waiting'),
      ),
    ],
  },
  {
    title: 'Processes',
    panels: [
      panel('Event loop, p99', 's', query('{{instance}}', 'nodejs_eventloop_lag_seconds{quantile="0.99"}')),
      panel('CPU', 'percentunit', query('{{instance}}', 'rate(process_cpu_seconds_total[1m])')),
      panel('Memory', 'bytes', query('{{instance}}', 'process_resident_memory_bytes')),
      panel(
        'Leases',
        'short',
        query('{{kind}}s', 'max by (kind) (postrider_lease_holders)'),
        query('lanes without owner', 'max(postrider_lanes_without_owner)'),
        query('{{instance}} lanes', 'postrider_lanes_owned'),
      ),
    ],
  },
];

/** Every expression of the dashboard. */
export const dashboardExpressions: readonly string[] = ROWS.flatMap(({ panels }) =>
  panels.flatMap(({ queries }) => queries.map(({ expression }) => expression)),
);

const COLUMNS = 24;
const HEIGHT = 8;
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it
const SOURCE = { type: 'prometheus', uid: '${source}' };

/** The file deploy/monitoring/dashboard.json, for the import of Grafana. */
export function dashboard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const row of ROWS) {
    panels.push({
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    });
    y += 1;
    const w = Math.floor(COLUMNS / row.panels.length);
    panels.push(...row.panels.map((one, index) => panelJson(one, { x: index * w, y, w, h: HEIGHT })));
    y += HEIGHT;
  }
  const numbered = panels.map((one, index) => ({ id: index + 1, ...one }));
  return `${JSON.stringify({ ...FRAME, panels: numbered }, null, 2)}\n`;
}

const FRAME = {
  uid: 'postrider',
  title: 'Postrider',
  tags: ['postrider'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  timezone: 'browser',
  templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
};

function panelJson({ title, unit, queries }: Panel, gridPos: object): object {
  return {
    type: 'timeseries',
    title,
    datasource: SOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 5 } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expression, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: SOURCE,
      expr: expression,
      legendFormat: legend,
    })),
  };
}

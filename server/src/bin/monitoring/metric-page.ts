import { metricCatalogue } from '#runtime/metrics';
import type { Family, LabelValues } from '#runtime/metrics/declarations';
import { processFamilies } from '#runtime/metrics/process-families';
import { stateFamilies } from '#runtime/metrics/state-families';
import { workFamilies } from '#runtime/metrics/work-families';
import { type Alert, alerts } from './alerts.ts';

const HEAD = `<!-- Written by npm run gen from server/src/runtime/metrics. Do not edit. -->

# Metrics

\`GET /metrics\` returns the metrics of a process in the Prometheus text format. On the port of the API it serves programs on the same
machine only, unless \`MESSAGING_METRICS_ACCESS=anyone\`; with \`MESSAGING_METRICS_PORT\` it has a port of its own. Scrape every process, in
a job called \`postrider\`. [deploy/monitoring](../deploy/monitoring) has a dashboard for Grafana and the alert rules below.

Labels have few values and never contain text of a tenant. The roles are explained in [operating](operating.md).
`;

const SECTIONS: readonly { readonly title: string; readonly text: string; readonly families: object }[] = [
  {
    title: 'Work',
    text: 'What a process does itself. Each process reports its own: add over processes with `sum`.',
    families: workFamilies,
  },
  {
    title: 'State of the installation',
    text: 'What waits in the database, read when the metrics are read: at most every 2 seconds, and less often when it takes long. Every process with the role `maintenance` reports the same: add over processes with `max`.',
    families: stateFamilies,
  },
  { title: 'Process and database', text: 'How each process is.', families: processFamilies },
];

/** The page docs/metrics.md: every family, and every alert. Markdown. */
export function metricPage(): string {
  const sections = SECTIONS.map(({ title, text, families }) =>
    [`## ${title}`, '', text, '', ...table(Object.values(families) as Family[]), ''].join('\n'),
  );
  return [HEAD, ...sections, alertSection()].join('\n');
}

/** How many families there are; the page has a row for each. */
export const familyCount = Object.keys(metricCatalogue).length;

function table(families: readonly Family[]): readonly string[] {
  const rows = families.map(
    (family) =>
      `| \`${family.name}\` | ${family.kind} | ${family.unit} | ${labelsOf(family)} | ${roleOf(family)} | ${family.help} |`,
  );
  return ['| Name | Kind | Unit | Labels | Role | Meaning |', '| --- | --- | --- | --- | --- | --- |', ...rows];
}

function labelsOf({ labels }: Family): string {
  return Object.entries<LabelValues>(labels)
    .map(([label, values]) => `\`${label}\`: ${typeof values === 'string' ? values : values.join(', ')}`)
    .join('; ');
}

function roleOf({ reporter }: Family): string {
  return reporter === 'any' ? 'all' : `\`${reporter}\``;
}

function alertSection(): string {
  const rows = alerts.map(
    (alert) =>
      `| [${alert.name}](runbooks/${alert.name}.md) | ${alert.severity} | ${alert.summary} | ${holds(alert)} |`,
  );
  return `## Alerts

Each rule of [deploy/monitoring/alerts.yml](../deploy/monitoring/alerts.yml) has a page that says what to do. \`page\` is for whoever is on
call; \`ticket\` can wait until the morning.

| Alert | Severity | Meaning | For |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function holds({ minutes }: Alert): string {
  return minutes === 0 ? 'immediately' : `${minutes} min`;
}

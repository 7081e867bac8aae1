import { type Alert, alerts } from './alerts.ts';

const HEAD = `# Written by npm run gen from server/src/bin/monitoring/alerts.ts. Do not edit.
# Alert rules for Prometheus. The scrape job of all processes must be called "postrider".
groups:
  - name: postrider
    rules:
`;

/** The file deploy/monitoring/alerts.yml. YAML, with every text quoted as in JSON. */
export function alertFile(): string {
  return HEAD + alerts.map(rule).join('');
}

function rule({ name, severity, expression, minutes, summary }: Alert): string {
  return [
    `      - alert: ${name}`,
    `        expr: ${JSON.stringify(expression)}`,
    `        for: ${minutes}m`,
    '        labels:',
    `          severity: ${severity}`,
    '        annotations:',
    `          summary: ${JSON.stringify(summary)}`,
    `          runbook: docs/runbooks/${name}.md`,
    '',
  ].join('\n');
}

import type { SqlRunner } from '#database/database';

/** A step of a plan, as far as tests look at it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

let plans = 0;

/** Runs a statement and tells the steps that it took. */
export function planOf(db: SqlRunner, text: string, parameters: readonly unknown[]): Promise<readonly PlanNode[]> {
  return explain(db, `explain (analyze, timing off, format json) ${text}`, parameters);
}

/** The steps in which the database would run a statement, which is not run. */
export function plannedSteps(
  db: SqlRunner,
  text: string,
  parameters: readonly unknown[],
): Promise<readonly PlanNode[]> {
  return explain(db, `explain (format json) ${text}`, parameters);
}

async function explain(db: SqlRunner, text: string, parameters: readonly unknown[]): Promise<readonly PlanNode[]> {
  plans += 1;
  const { rows } = await db.run<Record<string, unknown>>({ name: `test_explain_${plans}`, text }, parameters);
  const plan = rows[0]?.['QUERY PLAN'] ?? '[]';
  const [root] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as { Plan: PlanNode }[];
  return root ? flatten(root.Plan) : [];
}

function flatten(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

/** How the rows of tables were reached. */
export interface Reached {
  /** Tables that were walked from end to end. */
  readonly walked: readonly (string | undefined)[];
  readonly indexes: readonly (string | undefined)[];
  /** Rows that were looked at, of each step that looked. */
  readonly rows: readonly number[];
}

export function reached(nodes: readonly PlanNode[], tables: readonly string[]): Reached {
  const onTable = nodes.filter((node) => tables.includes(node['Relation Name'] ?? ''));
  const ofTable = (index: string) => tables.some((table) => index.startsWith(`${table}_`));
  return {
    walked: onTable.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    indexes: nodes.filter((node) => ofTable(node['Index Name'] ?? '')).map((node) => node['Index Name']),
    rows: onTable.map((node) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      return ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 1);
    }),
  };
}

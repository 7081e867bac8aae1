import { parse } from 'libpg-query';

/*
 * What a database that is distributed by schema refuses, of migrations and of statements, found in the tree of PostgreSQL's own parser
 * (docs/decisions/0075-statements-that-a-distributed-schema-takes.md).
 */

// biome-ignore lint/suspicious/noExplicitAny: the parser gives a tree of some three hundred kinds of nodes
type Tree = any;

/** @returns a sentence for each part of a migration that the tables of a distributed schema do not take */
export async function migrationFaults({ name, text }: { name: string; text: string }): Promise<readonly string[]> {
  const { stmts = [] } = await parse(text);
  const faults = stmts.flatMap(({ stmt }: Tree) => [
    ...(stmt.AlterTableStmt?.objtype === 'OBJECT_TABLE' ? alterFaults(stmt.AlterTableStmt) : []),
    ...(stmt.RenameStmt?.renameType === 'OBJECT_TABCONSTRAINT' ? [RENAMES_CONSTRAINT] : []),
  ]);
  return faults.map((fault: string) => `${name}: ${fault}`);
}

const RENAMES_CONSTRAINT = 'a constraint is renamed: rename the index of a key, which renames the key too.';

function alterFaults({ relation, cmds }: Tree): readonly string[] {
  const table = `alter table ${relation.relname}`;
  const commands: readonly Tree[] = cmds.map(({ AlterTableCmd }: Tree) => AlterTableCmd);
  const faults = commands.flatMap((command) => commandFaults(command).map((fault) => `"${table}" ${fault}`));
  return commands.length > 1 ? [...faults, `"${table}" has several parts: write one statement for each.`] : faults;
}

/** What a column may be given while it is added. */
const PLAIN = ['CONSTR_NOTNULL', 'CONSTR_NULL', 'CONSTR_DEFAULT'];

function commandFaults({ subtype, def }: Tree): readonly string[] {
  const constraints: readonly Tree[] = def?.ColumnDef?.constraints ?? [];
  const isPlain = ({ Constraint }: Tree) => PLAIN.includes(Constraint.contype);
  if (subtype === 'AT_AddColumn' && !constraints.every(isPlain))
    return ['adds a column with a constraint: add the constraint in a statement of its own, with a name.'];
  if (subtype === 'AT_AddConstraint' && def.Constraint.conname === undefined)
    return ['adds a constraint without a name: the name must be the same on all nodes.'];
  if (subtype === 'AT_SetStorage')
    return ['sets the storage of a column: see toast_tuple_target of the table for what is not to be compressed.'];
  return [];
}

/**
 * @returns a sentence for each part of a statement that Citus refuses, or runs wrongly, on the tables of a distributed schema; and for
 *   forms that it takes there, and refuses as soon as rows are spread by their tenants
 */
export async function statementFaults(text: string): Promise<readonly string[]> {
  const { stmts = [] } = await parse(text);
  const queries = new Set(nodesOf('CommonTableExpr', stmts).map(({ ctename }) => ctename));
  const faults = [
    ...nodesOf('SelectStmt', stmts).flatMap((select) => lateralFaults(select, queries)),
    ...['UpdateStmt', 'onConflictClause'].flatMap((kind) => nodesOf(kind, stmts)).flatMap(settingFaults),
    ...nodesOf('FuncCall', stmts).flatMap(unnestFaults),
    ...['UpdateStmt', 'DeleteStmt', 'InsertStmt'].flatMap((kind) => nodesOf(kind, stmts)).flatMap(returningFaults),
    ...nodesOf('InsertStmt', stmts).flatMap(insertFaults),
    ...stmts.flatMap(({ stmt }: Tree) => withFaults(stmt)),
  ];
  return [...new Set(faults)];
}

/** Every node of a kind, at any depth. */
function nodesOf(kind: string, tree: Tree): readonly Tree[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries<Tree>(tree).flatMap(([key, value]) => [
    ...(key === kind ? [value] : []),
    ...nodesOf(kind, value),
  ]);
}

/** A limited query that looks at each row of what is no table. */
function lateralFaults(select: Tree, queries: ReadonlySet<string>): readonly string[] {
  const items = itemsOf(select.fromClause ?? []);
  const made = new Set(items.filter((item) => isMade(item, queries)).map(aliasOf));
  const limited = items.filter(({ RangeSubselect: sub }) => sub?.lateral && isLimited(sub.subquery.SelectStmt));
  return limited.flatMap(({ RangeSubselect: sub }) => {
    const named = nodesOf('ColumnRef', sub.subquery).map(({ fields }) => fields[0].String?.sval);
    const around = named.find((name) => made.has(name));
    return around === undefined
      ? []
      : [`A lateral query with a limit looks at "${around}", which is no table: refer to tables, or use "union all".`];
  });
}

/** What is joined, at this level. */
function itemsOf(from: readonly Tree[]): readonly Tree[] {
  return from.flatMap((item) => (item.JoinExpr ? itemsOf([item.JoinExpr.larg, item.JoinExpr.rarg]) : [item]));
}

/** VALUES, a query in `with`, or a function. */
function isMade(item: Tree, queries: ReadonlySet<string>): boolean {
  if (item.RangeFunction) return true;
  if (item.RangeVar) return queries.has(item.RangeVar.relname);
  return item.RangeSubselect?.subquery.SelectStmt.valuesLists !== undefined;
}

function aliasOf(item: Tree): string {
  const [range] = Object.values<Tree>(item);
  return range.alias?.aliasname ?? range.relname;
}

function isLimited(select: Tree): boolean {
  return (
    select.limitCount !== undefined || [select.larg, select.rarg].some((arm) => arm !== undefined && isLimited(arm))
  );
}

/** Of the functions that statements use, those whose result is not fixed by what they are given: pg_proc calls them stable. */
const STABLE =
  /^(jsonb?_build_(array|object)|to_jsonb?|row_to_json|array_to_(json|string)|concat(_ws)?|format|to_char|to_timestamp|date_trunc|timezone|now)$/;

function stableIn(tree: Tree): readonly string[] {
  return nodesOf('FuncCall', tree)
    .map(nameOf)
    .filter((name) => STABLE.test(name));
}

function nameOf({ funcname }: Tree): string {
  return funcname.at(-1).String.sval;
}

/** What the columns of an update are set to. */
function settingFaults({ targetList = [] }: Tree): readonly string[] {
  return targetList.flatMap(({ ResTarget: { name, val } }: Tree) => {
    const chosen = stableIn([...nodesOf('CaseExpr', val), ...nodesOf('CoalesceExpr', val)]);
    return [
      ...chosen.map((call) => `"${name}" is set by case or coalesce with ${call}: select the value, and join it.`),
      ...(val.MultiAssignRef?.source.SubLink
        ? [`"${name}" is set with others from one subquery: join it, or set each by itself.`]
        : []),
    ];
  });
}

function unnestFaults(call: Tree): readonly string[] {
  const isArray = ({ SubLink }: Tree) => SubLink?.subLinkType === 'ARRAY_SUBLINK';
  return nameOf(call) === 'unnest' && (call.args ?? []).some(isArray)
    ? ['"unnest(array(select …))": join the query itself.']
    : [];
}

function returningFaults({ returningClause, returningList }: Tree): readonly string[] {
  return stableIn(returningClause ?? returningList).map(
    (call) => `${call} in "returning": return columns, and select it from them.`,
  );
}

function insertFaults({ selectStmt, onConflictClause, withClause }: Tree): readonly string[] {
  const isOfValues = selectStmt?.SelectStmt.valuesLists !== undefined;
  const isAsking = nodesOf('SubLink', [onConflictClause, isOfValues ? selectStmt : null]).length > 0;
  const isPlaced = isOfValues || selectStmt === undefined;
  const where = selectStmt?.SelectStmt.whereClause;
  const isFolded = selectStmt?.SelectStmt.fromClause === undefined && where?.BoolExpr?.boolop === 'OR_EXPR';
  return [
    ...(isAsking ? ['An insert asks a subquery outside of what it selects: use a statement of its own.'] : []),
    ...(!isPlaced && nodesOf('ParamRef', onConflictClause).length > 0 && withClause !== undefined
      ? ['A parameter in "on conflict" of an insert that selects from "with" is lost: select from subqueries.']
      : []),
    ...(isFolded && nodesOf('SubLink', where).length > 0
      ? ['An insert selects from no table, by "or" with a subquery: one that is left out takes the node with it.']
      : []),
  ];
}

/** What an insert beside it makes of the other queries in `with`: they run one by one, and the result of each is handed on. */
function withFaults(stmt: Tree): readonly string[] {
  const [[kind, statement]] = Object.entries<Tree>(stmt) as [[string, Tree]];
  const queries: readonly Tree[] = (statement.withClause?.ctes ?? []).map(
    ({ CommonTableExpr }: Tree) => CommonTableExpr.ctequery,
  );
  const inserts = queries.some(({ InsertStmt }) => InsertStmt);
  if (!inserts) return [];
  const locking = queries.filter(({ SelectStmt: select }) => select?.lockingClause && looksBeyond(select));
  return [
    ...(locking.length > 0
      ? ['A query in "with" locks rows and looks at others: select from it, or its result cannot be read.']
      : []),
    ...(kind === 'InsertStmt' && readsTables(statement)
      ? ['An insert that reads tables stands on an insert in "with": use two statements.']
      : []),
  ];
}

function looksBeyond({ fromClause, whereClause }: Tree): boolean {
  return itemsOf(fromClause).length > 1 || nodesOf('SubLink', whereClause).length > 0;
}

function readsTables({ selectStmt, withClause }: Tree): boolean {
  const queries = new Set(withClause.ctes.map(({ CommonTableExpr }: Tree) => CommonTableExpr.ctename));
  return nodesOf('RangeVar', selectStmt).some(({ relname }) => !queries.has(relname));
}

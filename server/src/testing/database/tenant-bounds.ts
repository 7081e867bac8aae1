import { parse } from 'libpg-query';
import { TenantClasses } from './tenant-classes.ts';

/*
 * Reads a statement with PostgreSQL's own parser and finds out to which tenant the rows of each table are bound: by an equality with a
 * parameter, with a column of a query that is checked itself, or with a row of the query around it.
 */

/** What a statement does not say about the tenants of the rows that it touches. */
export interface Fault {
  /**
   * - `unbound`: it reads rows of every tenant.
   * - `mixed`: rows of several tenants may meet in it.
   * - `moved`: a row may be written for another tenant than the one that it comes from.
   */
  readonly kind: 'unbound' | 'mixed' | 'moved';
  readonly table: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the parser gives a tree of some three hundred kinds of nodes
type Tree = any;

interface Reading {
  readonly tables: ReadonlySet<string>;
  /** Names that stand for a query in `with`. */
  readonly queries: ReadonlySet<string>;
  readonly faults: Fault[];
}

/** The rows that a query puts side by side. */
interface Scope {
  readonly around: Scope | null;
  /** What it reads, by its name here; null: a query or a function. */
  readonly parts: Map<string, string | null>;
  readonly classes: TenantClasses;
}

const TENANT = 'tenant_id';
/** They say which tenants there are, and are read to find that out. */
const DIRECTORIES: readonly string[] = ['tenants', 'number_directory'];

const QUERIES: ReadonlySet<string> = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/** The tables of a schema whose rows belong to tenants. */
export async function tablesOfTenants(schema: string): Promise<ReadonlySet<string>> {
  const { stmts = [] } = await parse(schema);
  const creates = stmts.map(({ stmt }: Tree) => stmt?.CreateStmt).filter(Boolean);
  const isOfTenant = ({ relation, tableElts }: Tree): boolean =>
    !DIRECTORIES.includes(relation.relname) && tableElts.some((column: Tree) => column.ColumnDef?.colname === TENANT);
  return new Set(creates.filter(isOfTenant).map(({ relation }: Tree) => relation.relname));
}

/**
 * @param tables those whose rows belong to tenants
 * @throws SqlError when the text is not SQL; Error for a kind of statement that this does not read
 */
export async function tenantFaults(text: string, tables: ReadonlySet<string>): Promise<readonly Fault[]> {
  const { stmts = [] } = await parse(text);
  const faults: Fault[] = [];
  for (const { stmt } of stmts) {
    const [kind = ''] = Object.keys(stmt as Tree);
    if (QUERIES.has(kind)) checkQuery(stmt, null, { tables, queries: new Set(), faults });
    else if (kind !== 'VariableSetStmt') throw new Error(`What a ${kind} does to rows is not known here.`);
  }
  return faults;
}

function checkQuery(node: Tree, around: Scope | null, outer: Reading): void {
  const [[kind, query]] = Object.entries<Tree>(node) as [[string, Tree]];
  const reading = readWith(query, around, outer);
  if (query.op !== undefined && query.op !== 'SETOP_NONE') {
    for (const arm of [query.larg, query.rarg]) checkQuery({ SelectStmt: arm }, around, reading);
    return;
  }
  const scope: Scope = { around, parts: new Map(), classes: new TenantClasses() };
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') addTable(query.relation, scope, reading);
  for (const item of query.fromClause ?? query.usingClause ?? []) addItem(item, scope, reading);
  for (const condition of conjunctsOf(query.whereClause)) bind(condition, scope);
  report(scope, reading);
  if (kind === 'InsertStmt') checkInsert(query, scope, reading);
  const { fromClause: _from, usingClause: _using, withClause: _with, selectStmt: _select, ...rest } = query;
  checkSubqueries(rest, scope, reading);
  if (kind === 'UpdateStmt') checkChanges(query.relation, query.targetList, reading);
}

/** A row stays with its tenant. */
function checkChanges({ relname }: Tree, columns: readonly Tree[], reading: Reading): void {
  const names = columns.map(({ ResTarget }) => ResTarget.name);
  if (reading.tables.has(relname) && names.includes(TENANT)) fault(reading, 'moved', relname);
}

function fault({ faults }: Reading, kind: Fault['kind'], table: string): void {
  faults.push({ kind, table });
}

/** Checks the queries in `with`; they are known by their names from then on. */
function readWith({ withClause }: Tree, around: Scope | null, reading: Reading): Reading {
  const named: readonly Tree[] = (withClause?.ctes ?? []).map(({ CommonTableExpr }: Tree) => CommonTableExpr);
  const queries = new Set([...reading.queries, ...named.map(({ ctename }) => ctename)]);
  for (const { ctequery } of named) checkQuery(ctequery, around, { ...reading, queries });
  return { ...reading, queries };
}

/** Every table of tenants is bound, and all of them to the same tenant. */
function report({ parts, classes }: Scope, reading: Reading): void {
  const tables = [...parts].flatMap(([name, table]) =>
    table !== null && reading.tables.has(table) ? [{ name, table }] : [],
  );
  for (const { name, table } of tables) if (!classes.isGiven(name)) fault(reading, 'unbound', table);
  const [first, ...others] = tables;
  for (const { name, table } of others)
    if (first && classes.find(name) !== classes.find(first.name)) fault(reading, 'mixed', table);
}

function addTable(range: Tree, scope: Scope, reading: Reading): void {
  const name = range.alias?.aliasname ?? range.relname;
  if (reading.queries.has(range.relname)) addQuery(name, scope);
  else scope.parts.set(name, range.relname);
}

/** What a query gives is as bound as the query, which is checked itself. */
function addQuery(name: string, { parts, classes }: Scope): void {
  parts.set(name, null);
  classes.give(name);
}

function addItem({ RangeVar, RangeSubselect, RangeFunction, JoinExpr }: Tree, scope: Scope, reading: Reading): void {
  if (RangeVar) addTable(RangeVar, scope, reading);
  if (JoinExpr) addJoin(JoinExpr, scope, reading);
  if (RangeSubselect) checkQuery(RangeSubselect.subquery, RangeSubselect.lateral ? scope : scope.around, reading);
  const given = RangeSubselect ?? RangeFunction;
  if (given) addQuery(given.alias?.aliasname ?? '', scope);
}

function addJoin({ larg, rarg, quals, usingClause = [], jointype }: Tree, scope: Scope, reading: Reading): void {
  addItem(larg, scope, reading);
  const before = [...scope.parts.keys()];
  addItem(rarg, scope, reading);
  const added = [...scope.parts.keys()].filter((name) => !before.includes(name));
  checkSubqueries(quals, scope, reading);
  const [name = ''] = added;
  if (usingClause.some(({ String: column }: Tree) => column.sval === TENANT))
    scope.classes.unite(tenantIn(before, scope), name);
  for (const condition of conjunctsOf(quals)) {
    // What an outer join asks of its right side says nothing about the rows of the left one.
    if (jointype === 'JOIN_INNER' || (jointype === 'JOIN_LEFT' && scope.classes.isAlone(name))) bind(condition, scope);
  }
}

/** Of parts that share the column, any stands for all; a table rather than a function, which may not have it. */
function tenantIn(names: readonly string[], { parts }: Scope): string {
  return names.find((name) => parts.get(name) !== null) ?? names[0] ?? '';
}

function conjunctsOf(condition: Tree): readonly Tree[] {
  if (condition === undefined) return [];
  if (condition.BoolExpr?.boolop === 'AND_EXPR') return condition.BoolExpr.args.flatMap(conjunctsOf);
  return [condition];
}

/** Notes what a condition says about tenants. */
function bind({ A_Expr, SubLink }: Tree, scope: Scope): void {
  if (SubLink?.subLinkType === 'ANY_SUBLINK' && SubLink.operName === undefined) bindToList(SubLink.testexpr, scope);
  if (A_Expr?.name?.[0]?.String?.sval !== '=') return;
  if (A_Expr.kind === 'AEXPR_OP_ANY' || A_Expr.kind === 'AEXPR_IN') bindToList(A_Expr.lexpr, scope);
  if (A_Expr.kind !== 'AEXPR_OP') return;
  const [left, right] = [itemsOf(A_Expr.lexpr), itemsOf(A_Expr.rexpr)];
  for (const [place, item] of left.entries()) equate(item, right[place], scope);
}

function itemsOf(side: Tree): readonly Tree[] {
  return side?.RowExpr?.args ?? [side];
}

function bindToList(side: Tree, scope: Scope): void {
  for (const item of itemsOf(side)) if (columnOf(item) === TENANT) scope.classes.give(nameOf(item, scope));
}

function equate(left: Tree, right: Tree, scope: Scope): void {
  if (columnOf(left) !== TENANT && columnOf(right) !== TENANT) return;
  const [one, other] = [nameOf(left, scope), nameOf(right, scope)];
  if (one !== '' && other !== '') scope.classes.unite(one, other);
}

function plain(item: Tree): Tree {
  return item?.TypeCast ? plain(item.TypeCast.arg) : item;
}

function columnOf(item: Tree): string | undefined {
  return plain(item)?.ColumnRef?.fields.at(-1)?.String?.sval;
}

/** Whose tenant an expression is; empty when that cannot be told. */
function nameOf(item: Tree, scope: Scope): string {
  const { ParamRef, SubLink, ColumnRef } = plain(item) ?? {};
  if (ParamRef) return given(`$${ParamRef.number}`, scope);
  if (SubLink) return given(`query at ${SubLink.location}`, scope);
  if (!ColumnRef) return '';
  const part: string | undefined = ColumnRef.fields.at(-2)?.String?.sval;
  if (part === undefined) return columnOf(item) === TENANT ? ownOf(scope) : '';
  if (!scope.parts.has(part)) return given(`around ${part}`, scope);
  return scope.parts.get(part) === null || columnOf(item) === TENANT ? part : '';
}

function given(name: string, { classes }: Scope): string {
  classes.give(name);
  return name;
}

/** Whose a `tenant_id` without a name is: of the table here, else of the query here, else of what is around. */
function ownOf(scope: Scope): string {
  const names = [...scope.parts.keys()];
  return names.length > 0 ? tenantIn(names, scope) : given('around', scope);
}

/** A row is inserted for the tenant of its source, or for one that was handed in. */
function checkInsert(
  { relation, cols = [], selectStmt, onConflictClause }: Tree,
  scope: Scope,
  reading: Reading,
): void {
  scope.parts.set(relation.alias?.aliasname ?? relation.relname, relation.relname);
  checkChanges(relation, onConflictClause?.targetList ?? [], reading);
  checkSubqueries(onConflictClause, scope, reading);
  if (selectStmt === undefined || !reading.tables.has(relation.relname)) return;
  const { SelectStmt: source } = selectStmt;
  if (!source.valuesLists) checkQuery(selectStmt, scope.around, reading);
  else checkSubqueries(source, scope, reading);
  const place = cols.findIndex(({ ResTarget }: Tree) => ResTarget.name === TENANT);
  const isKept = (item: Tree): boolean => columnOf(item) === TENANT || plain(item)?.ParamRef !== undefined;
  const rows: readonly Tree[] = source.valuesLists?.map(({ List }: Tree) => List.items) ?? rowsRead(source);
  if (!rows.every((row) => isKept(row[place]))) fault(reading, 'moved', relation.relname);
}

/** What a query selects, in each of its arms that reads rows; one that calls a function alone has what was handed in. */
function rowsRead(source: Tree): readonly Tree[] {
  if (source.larg) return [source.larg, source.rarg].flatMap(rowsRead);
  const isRead = (source.fromClause ?? []).some((item: Tree) => item.RangeFunction === undefined);
  return isRead ? [source.targetList.map(({ ResTarget }: Tree) => ResTarget.val)] : [];
}

/** Checks the queries in expressions. */
function checkSubqueries(tree: Tree, scope: Scope, reading: Reading): void {
  if (tree === null || typeof tree !== 'object') return;
  if (tree.SubLink) checkQuery(tree.SubLink.subselect, scope, reading);
  for (const [key, child] of Object.entries(tree)) if (key !== 'subselect') checkSubqueries(child, scope, reading);
}

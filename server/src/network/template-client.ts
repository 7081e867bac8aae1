import type { Asked } from '#accounts/domain/account-network';
import { cutText, isJsonObject, type JsonObject, toSafeJson } from '#core/json';
import { categoryOfWord } from '#inbound/domain/callback-template';
import type { Config } from '#runtime/config';
import { OUTSIDE_AT_ONCE } from '#runtime/outside';
import { inUpperCase } from '#templates/domain/definition';
import { type LibraryFilter, type LibraryTemplate, MAX_LIBRARY } from '#templates/domain/library';
import {
  type HandedIn,
  type NetworkTemplate,
  type NetworkTemplatePage,
  networkDefinition,
  type TemplateNetwork,
} from '#templates/domain/network';
import { qualityOfWord, statusOfWord } from '#templates/domain/status';
import { type Asker, afterIn, type Fields, fieldsOf, GRAPH_DEADLINE_MS, openGraph } from './graph.ts';
import { type LibraryPage, libraryPageIn } from './library-answers.ts';

/** A template has at most some 40 KB; a page of them stays below this. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const PAGE_SIZE = 100;
const FIELDS =
  'id,name,language,status,category,parameter_format,components,quality_score,rejected_reason,message_send_ttl_seconds,library_template_name';
const NETWORK_ID = /^[0-9]{1,32}$/;
const MAX_NAME = 512;
const MAX_LANGUAGE = 15;
/** Thirty days are the longest that the network accepts; -1 means its default. */
const MAX_TTL_S = 30 * 24 * 60 * 60;

export interface TemplateClient extends TemplateNetwork {
  close(): Promise<void>;
}

/** The network's template paths. Each call tries once and never rejects. */
export function makeTemplateClient(config: Config, deadlineMs = GRAPH_DEADLINE_MS): TemplateClient {
  const { ask, close } = openGraph(config, {
    connections: OUTSIDE_AT_ONCE,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    deadlineMs,
  });
  const tokenOf = ({ token }: { readonly token: string | null }): string => token ?? config.networkToken;
  return {
    listPage: (access, after) => listPage(ask, { id: access.networkAccountId, token: tokenOf(access), after }),
    create: (access, definition) => {
      const path = `${access.networkAccountId}/message_templates`;
      return ask({ method: 'POST', path, token: tokenOf(access), body: networkDefinition(definition) }, readHandedIn);
    },
    edit: (access, id, { text, category }) => {
      const body = {
        components: text.components,
        ...(category === null ? {} : { category: category.toUpperCase() }),
        ...(text.messageTtlS === null ? {} : { message_send_ttl_seconds: text.messageTtlS }),
      };
      return ask({ method: 'POST', path: id, token: tokenOf(access), body }, readSuccess);
    },
    remove: (access, { networkTemplateId, name }) => {
      // "?hsm_id=<id>&name=x" deletes this language alone; by name alone all of them would go.
      const query = new URLSearchParams({ hsm_id: networkTemplateId, name });
      const path = `${access.networkAccountId}/message_templates?${query}`;
      return ask({ method: 'DELETE', path, token: tokenOf(access) }, readSuccess);
    },
    listLibrary: (access, filter) => listLibrary(ask, tokenOf(access), filter),
    close,
  };
}

async function listLibrary(
  ask: Asker,
  token: string,
  filter: LibraryFilter,
): Promise<Asked<readonly LibraryTemplate[]>> {
  const entries: LibraryTemplate[] = [];
  let after: string | null = null;
  do {
    const from: Record<string, string> = after === null ? {} : { after };
    const query = new URLSearchParams({ ...libraryQuery(filter), limit: String(PAGE_SIZE), ...from });
    const path = `message_template_library?${query}`;
    const asked: Asked<LibraryPage> = await ask({ method: 'GET', path, token }, libraryPageIn);
    if (!asked.ok) return asked;
    entries.push(...asked.value.entries);
    after = asked.value.after;
  } while (after !== null && entries.length < MAX_LIBRARY);
  return { ok: true, value: entries };
}

/** Its words are in upper case there. */
function libraryQuery({ search, name, topic, useCase, industry, language }: LibraryFilter): Record<string, string> {
  return Object.fromEntries(
    Object.entries({
      ...{ search, name, language },
      topic: topic?.toUpperCase(),
      usecase: useCase?.toUpperCase(),
      industry: industry?.toUpperCase(),
    }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

interface PageAsk {
  readonly id: string;
  readonly token: string;
  readonly after: string | null;
}

function listPage(ask: Asker, { id, token, after }: PageAsk): Promise<Asked<NetworkTemplatePage>> {
  const query = new URLSearchParams({ fields: FIELDS, limit: String(PAGE_SIZE), ...(after === null ? {} : { after }) });
  return ask({ method: 'GET', path: `${id}/message_templates?${query}`, token }, readPage);
}

function readPage({ data, paging }: Fields): NetworkTemplatePage | null {
  if (!Array.isArray(data)) return null;
  return {
    templates: data.map((item) => readTemplate(fieldsOf(item))).filter((template) => template !== null),
    after: afterIn(paging),
  };
}

/** Null for a template without a name or language, or with an obsolete category: it could not be sent from here. */
function readTemplate(node: Fields): NetworkTemplate | null {
  const { id, name, language, status, parameter_format: format, quality_score: quality } = node;
  const category = categoryOfWord(wordOf(node.category));
  if (typeof id !== 'string' || !NETWORK_ID.test(id) || category === null) return null;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return null;
  if (typeof language !== 'string' || language === '' || language.length > MAX_LANGUAGE) return null;
  const reason = wordOf(node.rejected_reason);
  return {
    networkTemplateId: id,
    name,
    language,
    category,
    parameterFormat: wordOf(format)?.toUpperCase() === 'NAMED' ? 'named' : 'positional',
    components: inUpperCase(objectsIn(node.components)),
    messageTtlS: secondsOf(node.message_send_ttl_seconds),
    status: statusOfWord(wordOf(status) ?? ''),
    reason: reason === 'NONE' ? null : reason,
    libraryName: nameOf(node.library_template_name),
    quality: qualityOfWord(wordOf(fieldsOf(quality).score) ?? ''),
  };
}

function readHandedIn({ id, status, category }: Fields): HandedIn | null {
  if (typeof id !== 'string' || !NETWORK_ID.test(id)) return null;
  return {
    networkTemplateId: id,
    status: statusOfWord(wordOf(status) ?? ''),
    category: categoryOfWord(wordOf(category)),
  };
}

function readSuccess({ success }: Fields): true | null {
  return success === true || success === 'true' ? true : null;
}

/** The name of an entry of the library; null: none. */
function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME ? value : null;
}

const MAX_WORD = 200;

function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? cutText(value, MAX_WORD) : null;
}

function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) <= MAX_TTL_S ? Math.trunc(value) : null;
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((item) => toSafeJson(item)).filter((item) => isJsonObject(item)) : [];
}

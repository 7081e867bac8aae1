import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { pageOfNumbered } from '#core/network/numbered-list';
import type { ListWindow, Page } from '#core/paging';
import {
  inputFaults,
  type LibraryFilter,
  type LibraryInput,
  type LibraryTemplate,
  libraryDefinition,
} from '#templates/domain/library';
import type { AccountAccess } from '#templates/domain/network';
import type { Template } from '#templates/domain/template';
import { listTemplateAccounts } from '#templates/store/template-accounts';
import { createTemplate } from './manage-templates.ts';
import { accessTo, chooseAccount, refusalBy, type TemplateDeps } from './template-deps.ts';

/**
 * A page of the network's library, the highest id first. It is read with each request, with the token of any account of the
 * tenant: the network has one library for all.
 * @throws ApiProblem unknown_network_account for a tenant without an account; conflict, refused_by_network, network_unreachable
 */
export async function listLibraryPage(
  parts: TemplateDeps,
  tenantId: TenantId,
  filter: LibraryFilter,
  window: ListWindow,
): Promise<Page<LibraryTemplate>> {
  const [first] = await listTemplateAccounts(parts.db, tenantId);
  const account = first ?? (await chooseAccount(parts, tenantId, null));
  const entries = await readLibrary(parts, await accessTo(parts, tenantId, account), filter);
  return pageOfNumbered(entries, ({ entryId }) => entryId, window);
}

async function readLibrary(
  { network }: TemplateDeps,
  access: AccountAccess,
  filter: LibraryFilter,
): Promise<readonly LibraryTemplate[]> {
  const asked = await network.listLibrary(access, filter);
  if (!asked.ok) throw refusalBy(asked.failure);
  return asked.value;
}

/** A template to make of an entry. */
export interface LibraryWish {
  readonly networkAccountId: string | null;
  /** Of the entry. */
  readonly libraryName: string;
  readonly language: string;
  /** Of the template. */
  readonly name: string;
  readonly inputs: readonly LibraryInput[];
}

/**
 * Keeps a template from the library as a draft, in the words that the network has now.
 * @throws ApiProblem validation_failed when there is no such entry, or its buttons need other inputs; unknown_network_account;
 * refused_by_network, network_unreachable; conflict when the account has a template of this name and language
 */
export async function createFromLibrary(
  parts: TemplateDeps,
  requester: Requester,
  wish: LibraryWish,
): Promise<Template> {
  const { networkAccountId: wanted, libraryName, language, name, inputs } = wish;
  const account = await chooseAccount(parts, requester.tenantId, wanted);
  const access = await accessTo(parts, requester.tenantId, account);
  const found = await readLibrary(parts, access, { name: libraryName, language });
  const entry = found.find((one) => one.name === libraryName && one.language === language);
  const faults = entry === undefined ? [unknownEntry(language)] : inputFaults(entry, inputs);
  if (entry === undefined || faults.length > 0) throw wishProblem(faults);
  const { networkAccountId } = account;
  const library = { name: libraryName, inputs };
  const definition = libraryDefinition(entry, { name, inputs });
  return createTemplate(parts, { ...requester, networkAccountId, definition, library });
}

function unknownEntry(language: string) {
  return { at: 'library_template', message: `does not name a template of the network's library in ${language}` };
}

function wishProblem(faults: ReturnType<typeof inputFaults>): ApiProblem {
  const details = faults.map(({ at, message }) => ({ path: `body.${at}`, message: `${at} ${message}.` }));
  return new ApiProblem('validation_failed', { sentence: details.map(({ message }) => message).join(' '), details });
}

import type { BodyReference } from './references.ts';
import { draft, fromLibrary } from './template-calls.ts';

/** Accounts of the network in bodies about templates. */
export const templateReferences: Readonly<Record<string, Readonly<Record<string, BodyReference>>>> = {
  syncTemplates: { network_account_id: { names: 'networkAccount', body: (id) => ({ network_account_id: id }) } },
  createTemplate: {
    network_account_id: {
      names: 'networkAccount',
      body: (id) => ({ ...draft('made'), network_account_id: id }),
      status: 201,
    },
  },
  createTemplateFromLibrary: {
    network_account_id: {
      names: 'networkAccount',
      body: (id) => ({ ...fromLibrary, network_account_id: id }),
      status: 201,
    },
  },
};

import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';
import type { AccountSync } from '#templates/actions/sync-templates';
import type { Lint } from '#templates/domain/lint';
import type { RenderedTemplate } from '#templates/domain/render';
import { type Template, type TemplateHistoryEntry, templateView } from '#templates/domain/template';

/** The same view as in the events of templates. */
export function presentTemplate(template: Template): JsonObject {
  return templateView(template);
}

export function presentLint({ faults, warnings }: Lint): JsonObject {
  return {
    ok: faults.length === 0,
    faults: faults.map(({ at, message }) => ({ path: at, message })),
    warnings: warnings.map(({ code, at, message }) => ({ code, path: at, message })),
  };
}

export function presentPreview({ header, body, footer, buttons, missing }: RenderedTemplate): JsonObject {
  return {
    header: header === null ? null : { format: header.format, text: header.text },
    body,
    footer,
    buttons: buttons.map(({ type, text, target }) => ({ type, text, target })),
    missing,
  };
}

export function presentHistoryEntry({ entryId, kind, cause, details, atMs }: TemplateHistoryEntry): JsonObject {
  return { id: entryId, kind, cause, details, at: formatRfc3339(atMs) };
}

/** The sums of all accounts, and each. */
export function presentSync(accounts: readonly AccountSync[]): JsonObject {
  const sum = (key: 'added' | 'updated' | 'deleted' | 'unchanged'): number =>
    accounts.reduce((total, account) => total + account[key], 0);
  return {
    added: sum('added'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    unchanged: sum('unchanged'),
    accounts: accounts.map(({ networkAccountId, added, updated, deleted, unchanged, error }) => ({
      network_account_id: networkAccountId,
      added,
      updated,
      deleted,
      unchanged,
      error,
    })),
  };
}

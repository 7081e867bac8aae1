import type { Asked } from '#accounts/domain/account-network';
import type { JsonObject } from '#core/json';
import type { TemplateCategory, TemplateDefinition, TemplateText } from './definition.ts';
import { type LibraryFilter, type LibrarySource, type LibraryTemplate, networkInputs } from './library.ts';
import type { TemplateQuality, TemplateStatus } from './status.ts';

/** A template as the network lists it. */
export interface NetworkTemplate extends TemplateDefinition {
  readonly networkTemplateId: string;
  /** Null: a word that means nothing to us. */
  readonly status: TemplateStatus | null;
  readonly reason: string | null;
  readonly quality: TemplateQuality;
  /** The entry of the library that it reads like; null: none. */
  readonly libraryName: string | null;
}

/** A page of an account's templates. */
export interface NetworkTemplatePage {
  readonly templates: readonly NetworkTemplate[];
  /** Null on the last page. */
  readonly after: string | null;
}

/** What became of a template that was handed in: the network may have made it another category. */
export interface HandedIn {
  readonly networkTemplateId: string;
  readonly status: TemplateStatus | null;
  readonly category: TemplateCategory | null;
}

/** An account of the network, and the token that reaches it; null: that of the settings. */
export interface AccountAccess {
  readonly networkAccountId: string;
  readonly token: string | null;
}

/** The part of the network that deals with templates. Each call tries once and never rejects. */
export interface TemplateNetwork {
  listPage(access: AccountAccess, after: string | null): Promise<Asked<NetworkTemplatePage>>;
  /** Hands a template in. One from the library needs no review. */
  create(access: AccountAccess, definition: SubmittedTemplate): Promise<Asked<HandedIn>>;
  /** Replaces what it says. @param category only when it changes: "of an approved template it cannot be" */
  edit(
    access: AccountAccess,
    networkTemplateId: string,
    wish: { readonly text: TemplateText; readonly category: TemplateCategory | null },
  ): Promise<Asked<true>>;
  remove(
    access: AccountAccess,
    template: { readonly networkTemplateId: string; readonly name: string },
  ): Promise<Asked<true>>;
  /** The entries of the network's library that fit, at most `MAX_LIBRARY` of them. It is the same for every account. */
  listLibrary(access: AccountAccess, filter: LibraryFilter): Promise<Asked<readonly LibraryTemplate[]>>;
}

/** What is handed in. */
export interface SubmittedTemplate extends TemplateDefinition {
  /** Null: it says what it says; otherwise the network takes the text from there. */
  readonly library: LibrarySource | null;
}

/** The network's spelling of what is handed in. */
export function networkDefinition({ library, ...definition }: SubmittedTemplate): JsonObject {
  const text = {
    parameter_format: definition.parameterFormat.toUpperCase(),
    components: definition.components,
  };
  return {
    name: definition.name,
    language: definition.language,
    category: definition.category.toUpperCase(),
    ...(library === null ? text : networkInputs(library)),
    ...(definition.messageTtlS === null ? {} : { message_send_ttl_seconds: definition.messageTtlS }),
  };
}

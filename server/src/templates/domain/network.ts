import type { Asked } from '#accounts/domain/account-network';
import type { JsonObject } from '#core/json';
import type { TemplateCategory, TemplateDefinition, TemplateText } from './definition.ts';
import type { TemplateQuality, TemplateStatus } from './status.ts';

/** A template as the network lists it. */
export interface NetworkTemplate extends TemplateDefinition {
  readonly networkTemplateId: string;
  /** Null: a word that means nothing to us. */
  readonly status: TemplateStatus | null;
  readonly reason: string | null;
  readonly quality: TemplateQuality;
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
  create(access: AccountAccess, definition: TemplateDefinition): Promise<Asked<HandedIn>>;
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
}

/** The network's spelling of what is handed in. */
export function networkDefinition(definition: TemplateDefinition): JsonObject {
  return {
    name: definition.name,
    language: definition.language,
    category: definition.category.toUpperCase(),
    parameter_format: definition.parameterFormat.toUpperCase(),
    components: definition.components,
    ...(definition.messageTtlS === null ? {} : { message_send_ttl_seconds: definition.messageTtlS }),
  };
}

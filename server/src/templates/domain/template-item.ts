import type { JsonValue } from '#core/json';
import type { TemplateCategory } from './definition.ts';
import type { TemplateQuality, TemplateStatus } from './status.ts';

/** What the network reports of a template. */
export type TemplateChange =
  | {
      readonly about: 'status';
      /** The network's own word. */
      readonly word: string;
      /** Null: the word changes nothing about sending. */
      readonly status: TemplateStatus | null;
      readonly reason: string | null;
    }
  | { readonly about: 'quality'; readonly quality: TemplateQuality }
  | { readonly about: 'category'; readonly category: TemplateCategory }
  /** It will be this one later. */
  | { readonly about: 'category_announced'; readonly category: TemplateCategory }
  /** Its texts were changed at the network. */
  | {
      readonly about: 'components';
      readonly body: string;
      readonly header: string | null;
      readonly footer: string | null;
    };

/** A change of a template of an account of the network. */
export interface TemplateItem {
  readonly kind: 'template';
  readonly networkAccountId: string;
  readonly networkTemplateId: string;
  readonly name: string;
  readonly language: string;
  /** Milliseconds since 1970, the network's clock; null when it did not say. */
  readonly at: number | null;
  readonly change: TemplateChange;
  readonly raw: JsonValue;
}

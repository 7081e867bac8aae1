import type { TemplateContent } from './generated/types.ts';
import type { Templates } from './index.ts';

/** Without types of their own, all names are possible. */
type Name = keyof Templates extends never ? string : keyof Templates & string;
type Language<N extends string> = N extends keyof Templates ? keyof Templates[N] & string : string;
type Values<N extends string, L extends string> = N extends keyof Templates
  ? L extends keyof Templates[N]
    ? Templates[N][L]
    : never
  : Pick<TemplateContent, 'variables' | 'components'>;
/** What needs nothing can be left out. */
type Rest<V> = Record<never, never> extends V ? [values?: V] : [values: V];

/**
 * The template of a message. With the types that `postrider templates types` writes, a name, a language or a value that
 * is missing or misspelled does not compile.
 */
export function template<const N extends Name, const L extends Language<N>>(
  name: N,
  language: L,
  ...[values]: Rest<Values<N, L>>
): TemplateContent {
  return { name, language, ...(values as Pick<TemplateContent, 'variables' | 'components'> | undefined) };
}

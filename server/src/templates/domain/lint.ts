import type { JsonObject } from '#core/json';
import type { RuleFault } from '#core/rule-fault';
import {
  buttonsOf,
  cardsOf,
  componentOf,
  definitionLimits,
  objectsOf,
  type TemplateDefinition,
  textAt,
} from './definition.ts';
import { componentsFaults } from './lint-components.ts';
import { wordsIn } from './lint-text.ts';
import { variablesIn } from './variables.ts';

/** Something that the network takes and a person may regret. */
export interface LintWarning {
  /** Stable: `category_risk`, `few_words`, `no_opt_out`. */
  readonly code: LintWarningCode;
  readonly at: string;
  /** One sentence. */
  readonly message: string;
}

export const lintWarningCodes = ['category_risk', 'few_words', 'no_opt_out'] as const;
export type LintWarningCode = (typeof lintWarningCodes)[number];

export interface Lint {
  /** Why the network would refuse it; empty: it would be reviewed. */
  readonly faults: readonly RuleFault[];
  readonly warnings: readonly LintWarning[];
}

const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;

/**
 * The network's verdict before the network is asked: everything that it checks when a template is submitted, all faults
 * together. What only its reviewers see (and whether a handle is still valid) is left to it.
 * @param definition components in upper case, see `inUpperCase`
 */
export function lintTemplate(definition: TemplateDefinition): Lint {
  return { faults: definitionFaults(definition), warnings: warningsOf(definition) };
}

function definitionFaults(definition: TemplateDefinition): readonly RuleFault[] {
  const { name, language, category, components, messageTtlS } = definition;
  const { minTtlS, maxTtlS } = definitionLimits;
  const badTtl = messageTtlS !== null && (messageTtlS < minTtlS || messageTtlS > maxTtlS);
  return [
    ...(NAME.test(name) ? [] : [{ at: 'name', message: 'must be 1 to 512 lower-case letters, digits and _' }]),
    ...(LANGUAGE.test(language) ? [] : [{ at: 'language', message: 'must be a code such as en or en_US' }]),
    ...(badTtl ? [{ at: 'message_ttl_s', message: `must be from ${minTtlS} to ${maxTtlS}` }] : []),
    ...(componentOf(components, 'BODY') === undefined
      ? [{ at: 'components', message: 'must have a component of type BODY' }]
      : []),
    ...(category === 'authentication' ? authenticationFaults(definition) : []),
    ...componentsFaults(components, definition),
  ];
}

function authenticationFaults({ components }: TemplateDefinition): readonly RuleFault[] {
  const buttons = buttonsOf(components);
  if (buttons.length === 1 && buttons[0]?.type === 'OTP') return [];
  return [{ at: 'components', message: 'must have exactly one button, of type OTP' }];
}

/**
 * Words that sell, in the languages that most templates are written in. A template that is handed in as utility and
 * reads like this is often made marketing by the network, at several times the price.
 */
const SELLING =
  /(?<!\p{L})(sale|discount|offers?|promo\w*|deals?|coupon|voucher|buy|shop now|free gift|limited time|exclusive|save|% off|rabatt|angebot|gutschein|oferta|descuento|cup[oó]n|promoci[oó]n|promo[cç][aã]o|desconto|soldes?|remise|sconto|offerta)(?!\p{L})/iu;
const OPT_OUT = /(?<!\p{L})(stop|unsubscribe|opt[ -]?out|abmelden|baja|sair|cancelar)(?!\p{L})/iu;
/** The network's own rule counts words in a way that it does not publish; below this clients report refusals. */
const WORDS_PER_VARIABLE = 2;

function warningsOf(definition: TemplateDefinition): readonly LintWarning[] {
  const { category, components } = definition;
  const parts = [components, ...cardsOf(components).map((card) => objectsOf(card.components))];
  const everything = parts.flatMap(wordsOf).join('\n');
  const selling = category === 'utility' ? SELLING.exec(everything)?.[0] : undefined;
  return [
    ...(selling === undefined ? [] : [categoryRisk(selling)]),
    ...(parts.some(hasFewWords) ? [FEW_WORDS] : []),
    ...(category === 'marketing' && !OPT_OUT.test(everything) ? [NO_OPT_OUT] : []),
  ];
}

/** All that people read, of a template or of one card of it. */
function wordsOf(components: readonly JsonObject[]): readonly string[] {
  const texts = ['BODY', 'HEADER', 'FOOTER'].map((type) => textAt(componentOf(components, type), 'text'));
  return [...texts, ...buttonsOf(components).map((button) => textAt(button, 'text'))];
}

function hasFewWords(components: readonly JsonObject[]): boolean {
  const body = textAt(componentOf(components, 'BODY'), 'text');
  const variables = variablesIn(body).length;
  return variables > 0 && wordsIn(body) <= variables * WORDS_PER_VARIABLE;
}

function categoryRisk(word: string): LintWarning {
  const message = `The text says "${word}": the network may make a utility template marketing, which costs more.`;
  return { code: 'category_risk', at: 'components', message };
}

const FEW_WORDS: LintWarning = {
  code: 'few_words',
  at: 'components',
  message: 'The body has few words for its number of variables. The network may reject it.',
};

const NO_OPT_OUT: LintWarning = {
  code: 'no_opt_out',
  at: 'components',
  message: 'Marketing templates without a way to opt out are blocked more often.',
};

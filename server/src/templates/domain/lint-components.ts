import { isJsonList, isJsonObject, type JsonObject } from '#core/json';
import { type RuleFault, repeated } from '#core/rule-fault';
import { definitionLimits, firstOf, lengthOf, objectsOf, type TemplateText, textAt } from './definition.ts';
import { buttonsFaults } from './lint-buttons.ts';
import { lengthFaults, placeFaults, plainFaults, sampleFaults, writingFaults } from './lint-text.ts';
import { variablesIn } from './variables.ts';

type Rules = Pick<TemplateText, 'category' | 'parameterFormat'>;

const MEDIA_HEADERS = ['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF'];
const PLAIN_HEADERS = ['LOCATION', 'PRODUCT'];
const CARD_HEADERS = ['IMAGE', 'VIDEO', 'PRODUCT'];
const CARD_PARTS = ['HEADER', 'BODY', 'BUTTONS'];
/** The network writes what such a template says. */
const AUTHENTICATION_PARTS = ['BODY', 'FOOTER', 'BUTTONS'];

/** Every fault of the components of a template, or of one card of it. */
export function componentsFaults(components: readonly JsonObject[], rules: Rules): readonly RuleFault[] {
  return [
    ...repeated(components, {
      textOf: (component) => component.type,
      at: (_component, index) => `components[${index}].type`,
      named: 'the type of another component',
    }),
    ...components.flatMap((component, index) =>
      componentFaults(component, rules).map(({ at, message }) => ({ at: `components[${index}].${at}`, message })),
    ),
  ];
}

function componentFaults(component: JsonObject, rules: Rules): readonly RuleFault[] {
  const type = textAt(component, 'type');
  if (rules.category === 'authentication' && !AUTHENTICATION_PARTS.includes(type)) {
    return [
      { at: 'type', message: 'is not allowed in an authentication template, which has a body, a footer and a button' },
    ];
  }
  switch (type) {
    case 'HEADER':
      return headerFaults(component, rules);
    case 'BODY':
      return bodyFaults(component, rules);
    case 'FOOTER':
      return footerFaults(component, rules);
    case 'BUTTONS':
      return [...buttonsFaults(component.buttons), ...otpFaults(component, rules)];
    case 'CAROUSEL':
      return carouselFaults(component, rules);
    case 'LIMITED_TIME_OFFER':
      return offerFaults(component);
    default:
      return [{ at: 'type', message: 'must be one of HEADER, BODY, FOOTER, BUTTONS, CAROUSEL, LIMITED_TIME_OFFER' }];
  }
}

function headerFaults(header: JsonObject, rules: Rules): readonly RuleFault[] {
  const format = textAt(header, 'format');
  if (PLAIN_HEADERS.includes(format)) return [];
  if (MEDIA_HEADERS.includes(format)) return mediaFaults(header);
  if (format !== 'TEXT') {
    return [{ at: 'format', message: `must be one of TEXT, ${[...MEDIA_HEADERS, ...PLAIN_HEADERS].join(', ')}` }];
  }
  const text = textAt(header, 'text');
  const tooMany = variablesIn(text).length > 1;
  return [
    ...lengthFaults(header, 'text', definitionLimits.header),
    ...plainFaults(text, 'text', { markup: true }),
    ...writingFaults(text, 'text', rules.parameterFormat),
    ...(tooMany ? [{ at: 'text', message: 'may have one variable' }] : []),
    ...sampleFaults(header, 'header', rules),
  ];
}

/** "media: example.header_handle". Ours: a media of this service, whose handle is made when the template is handed in. */
function mediaFaults({ example }: JsonObject): readonly RuleFault[] {
  const sample = isJsonObject(example) ? example : {};
  const handle = firstOf(sample.header_handle);
  const given = [handle, sample.media_id].some((value) => typeof value === 'string' && value !== '');
  return given
    ? []
    : [{ at: 'example.header_handle', message: 'is required, or example.media_id: a sample of the media' }];
}

function bodyFaults(body: JsonObject, rules: Rules): readonly RuleFault[] {
  if (rules.category === 'authentication') {
    if (body.text === undefined) return [];
    return [{ at: 'text', message: 'is not allowed in an authentication template: the network writes it' }];
  }
  const text = textAt(body, 'text');
  return [
    ...lengthFaults(body, 'text', definitionLimits.body),
    ...writingFaults(text, 'text', rules.parameterFormat),
    ...placeFaults(text, 'text'),
    ...sampleFaults(body, 'body', rules),
  ];
}

function footerFaults(footer: JsonObject, { category }: Rules): readonly RuleFault[] {
  if (category === 'authentication') {
    const minutes = footer.code_expiration_minutes;
    const { codeMinutes: most } = definitionLimits;
    const good = typeof minutes === 'number' && minutes >= 1 && minutes <= most;
    return good ? [] : [{ at: 'code_expiration_minutes', message: `must be a number from 1 to ${most}` }];
  }
  const text = textAt(footer, 'text');
  return [
    ...lengthFaults(footer, 'text', definitionLimits.footer),
    ...(variablesIn(text).length > 0 ? [{ at: 'text', message: 'must not contain a variable' }] : []),
    ...plainFaults(text, 'text', { markup: false }),
  ];
}

/** One-time codes have a separate category of templates. */
function otpFaults(component: JsonObject, { category }: Rules): readonly RuleFault[] {
  if (category === 'authentication') return [];
  return objectsOf(component.buttons)
    .map((button, index) => ({ button, at: `buttons[${index}].type` }))
    .filter(({ button }) => button.type === 'OTP')
    .map(({ at }) => ({ at, message: 'OTP is only allowed in an authentication template' }));
}

function offerFaults({ limited_time_offer: offer }: JsonObject): readonly RuleFault[] {
  const faults = lengthFaults(isJsonObject(offer) ? offer : {}, 'text', definitionLimits.offer);
  return faults.map(({ at, message }) => ({ at: `limited_time_offer.${at}`, message }));
}

/** "2–10 cards, each HEADER(image/video/product)+BODY?+BUTTONS; all cards same structure". */
function carouselFaults({ cards }: JsonObject, rules: Rules): readonly RuleFault[] {
  const { minCards, maxCards } = definitionLimits;
  if (!isJsonList(cards) || cards.length < minCards || cards.length > maxCards) {
    return [{ at: 'cards', message: `must have ${minCards} to ${maxCards} cards` }];
  }
  const shapes = new Set(cards.map((card) => shapeOf(isJsonObject(card) ? card : {})));
  return [
    ...(shapes.size > 1 ? [{ at: 'cards', message: 'must all have the same components and buttons' }] : []),
    ...cards.flatMap((card, index) =>
      cardFaults(isJsonObject(card) ? card : {}, rules).map(({ at, message }) => ({
        at: `cards[${index}].${at}`,
        message,
      })),
    ),
  ];
}

function cardFaults(card: JsonObject, rules: Rules): readonly RuleFault[] {
  if (!isJsonList(card.components) || !card.components.every((one) => isJsonObject(one))) {
    return [{ at: 'components', message: 'must be an array of components' }];
  }
  const components = objectsOf(card.components);
  const header = components.find((component) => component.type === 'HEADER');
  const strange = components.findIndex((component) => !CARD_PARTS.includes(textAt(component, 'type')));
  return [
    ...(CARD_HEADERS.includes(textAt(header, 'format'))
      ? []
      : [{ at: 'components', message: `must have a header of the format ${CARD_HEADERS.join(', ')}` }]),
    ...(components.some((component) => component.type === 'BUTTONS')
      ? []
      : [{ at: 'components', message: 'must have buttons' }]),
    ...(strange < 0 ? [] : [{ at: `components[${strange}].type`, message: `must be one of ${CARD_PARTS.join(', ')}` }]),
    ...componentsFaults(components, rules),
    ...cardBodyFaults(components),
  ];
}

/** "card body ≤ 160 chars, ≤ 2 line breaks" */
function cardBodyFaults(components: readonly JsonObject[]): readonly RuleFault[] {
  const { cardBody, cardBreaks } = definitionLimits;
  return components.flatMap((component, index) => {
    const text = component.type === 'BODY' ? textAt(component, 'text') : '';
    const at = `components[${index}].text`;
    const [length, breaks] = [lengthOf(text), text.split('\n').length - 1];
    return [
      ...(length > cardBody
        ? [{ at, message: `has ${length} characters; on a card it may have at most ${cardBody}` }]
        : []),
      ...(breaks > cardBreaks ? [{ at, message: `may have at most ${cardBreaks} line breaks on a card` }] : []),
    ];
  });
}

function shapeOf(card: JsonObject): string {
  return objectsOf(card.components)
    .map((component) => {
      const kinds = objectsOf(component.buttons).map((button) => textAt(button, 'type'));
      return `${textAt(component, 'type')}:${textAt(component, 'format')}:${kinds.join('+')}`;
    })
    .join();
}

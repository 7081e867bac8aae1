import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import type { TemplateText } from './definition.ts';
import { fitSend, sendShape } from './send.ts';

const card = (text: string) => ({
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Look', url: 'https://shop.example/{{1}}' }] },
  ],
});
const text = (components: readonly JsonObject[]): TemplateText => ({
  category: 'marketing',
  parameterFormat: 'positional',
  components,
  messageTtlS: null,
});
const carousel = sendShape(
  text([
    { type: 'BODY', text: 'New for {{1}}.' },
    { type: 'CAROUSEL', cards: [card('A {{1}}.'), card('A plain one.')] },
  ]),
);
const offer = (ends: boolean) =>
  sendShape(
    text([
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Two days', has_expiration: ends } },
      { type: 'BODY', text: 'Ten percent.' },
    ]),
  );

const texts = (...values: readonly string[]) => values.map((value) => ({ type: 'text', text: value }));
const image = { type: 'header', parameters: [{ type: 'image', image: { id: '1' } }] };
const button = { type: 'button', sub_type: 'url', index: '0', parameters: texts('a17') };
const first = { card_index: 0, components: [image, { type: 'body', parameters: texts('rose') }, button] };
const second = { card_index: 1, components: [image, button] };
const body = { type: 'body', parameters: texts('Ada') };
const withCards = (...cards: readonly JsonObject[]) => [body, { type: 'carousel', cards }];

function faults(shape: typeof carousel, components: readonly JsonObject[]): readonly string[] {
  return fitSend(shape, { name: 'n', language: 'en', components }).faults.map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

const CARDS = 'body.template.components[1].cards';

describe('the cards of a send', () => {
  test.each<[string, readonly JsonObject[], readonly string[]]>([
    ['fit in any order', withCards(second, first), []],
    ['are all given', withCards(first), [`${CARDS}: the template has 2 cards; 1 are given`]],
    ['cannot be left out', [body], ['body.template.components: the template has 2 cards; 0 are given']],
    ['are each given once', withCards(first, first), [`${CARDS}[1].card_index: the template has no additional card 0`]],
    [
      'have no index beyond them',
      withCards(first, { ...second, card_index: 7 }),
      [`${CARDS}[1].card_index: the template has no additional card 7`],
    ],
    [
      'have the values of their text',
      withCards({ ...first, components: [image, button] }, second),
      [`${CARDS}[0].components: the body of the template takes 1 parameters; 0 are given`],
    ],
    [
      'have a picture where the template has one',
      withCards(first, { ...second, components: [{ ...image, parameters: texts('x') }, button] }),
      [`${CARDS}[1].components[0].parameters[0]: the header of the template takes a image, not a text`],
    ],
  ])('%s', (_what, components, expected) => {
    expect(faults(carousel, components)).toEqual(expected);
  });

  test('are not for templates without any', () => {
    expect(faults(offer(false), [{ type: 'carousel', cards: [first] }])).toEqual([
      'body.template.components[0].cards: the template has 0 cards; 1 are given',
    ]);
  });

  test('cannot be said by a list of values', () => {
    const { faults: found } = fitSend(carousel, { name: 'n', language: 'en', variables: ['Ada'] });
    expect(found.map(({ message }) => message)).toEqual([
      'the template has 2 cards: give components instead of variables',
    ]);
  });
});

describe('the end of an offer', () => {
  const ends = (parameter: JsonObject) => [{ type: 'limited_time_offer', parameters: [parameter] }];
  const at = { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_900_000_000_000 } };
  test.each<[string, boolean, readonly JsonObject[], number]>([
    ['is given where the template has one', true, ends(at), 0],
    ['is missed', true, [], 1],
    ['is a time', true, ends({ type: 'text', text: 'soon' }), 1],
    ['is not given where there is none', false, ends(at), 1],
    ['is not asked where there is none', false, [], 0],
  ])('%s', (_what, has, components, count) => {
    expect(faults(offer(has), components)).toHaveLength(count);
  });
});

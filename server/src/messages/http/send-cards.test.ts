import { describe, expect, test } from 'vitest';
import { fakeApi } from '#http/testing/fake-api';
import { post } from '#http/testing/post-message';

const api = fakeApi();

const carousel = (...cards: readonly object[]) => ({
  to: '447700900123',
  type: 'interactive',
  interactive: {
    type: 'carousel',
    body: { text: 'A' },
    action: {
      cards: cards.map((card) => ({ header: { type: 'image', image: { link: 'https://a.example/b' } }, ...card })),
    },
  },
});
const cardsOf = (...actions: readonly (object | null)[]) =>
  carousel(...actions.map((action, index) => ({ card_index: index, ...(action === null ? {} : { action }) })));
const opening = { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://a.example' } };
const replies = (...list: readonly (readonly [id: string, title: string])[]) => ({
  buttons: list.map(([key, title]) => ({ type: 'quick_reply', quick_reply: { id: key, title } })),
});
const cardAt = (index: number, rest = '') => `interactive.action.cards[${index}]${rest}`;

type Case = readonly [label: string, body: object, ...faults: (readonly [path: string, sentence: string])[]];

const wrong: readonly Case[] = [
  ['a card without a button', cardsOf(opening, null), [cardAt(1, '.action'), `${cardAt(1, '.action')} is required.`]],
  [
    'a card that opens an address and has buttons',
    cardsOf(opening, { ...opening, ...replies(['a', 'A']) }),
    [cardAt(1, '.action'), `${cardAt(1, '.action')} needs exactly one of parameters, buttons.`],
  ],
  [
    'an address of a card without its name, and a name beside buttons',
    cardsOf({ parameters: opening.parameters }, { name: 'cta_url', ...replies(['a', 'A']) }),
    [cardAt(0, '.action.name'), `${cardAt(0, '.action.name')} is required beside parameters.`],
    [cardAt(1, '.action.name'), `${cardAt(1, '.action.name')} is allowed only with parameters.`],
    [cardAt(1, '.action'), `${cardAt(1, '.action')} must have the same kind and number of buttons as cards[0].action.`],
  ],
  [
    'a card that leads to no address, with words on two lines',
    cardsOf(opening, { name: 'cta_url', parameters: { display_text: 'a\nb', url: 'a.example' } }),
    [
      cardAt(1, '.action.parameters.display_text'),
      `${cardAt(1, '.action.parameters.display_text')} must be on one line.`,
    ],
    [cardAt(1, '.action.parameters.url'), `${cardAt(1, '.action.parameters.url')} must be an address`],
  ],
  [
    'buttons of a message of its own on a card',
    cardsOf(replies(['a', 'A']), { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] }),
    [cardAt(1, '.action.buttons[0].reply'), `${cardAt(1, '.action.buttons[0].reply')} is not a known field here.`],
    [cardAt(1, '.action.buttons[0].type'), `${cardAt(1, '.action.buttons[0].type')} must be`],
    [cardAt(1, '.action.buttons[0].quick_reply'), `${cardAt(1, '.action.buttons[0].quick_reply')} is required.`],
  ],
  [
    'two buttons of a card that are the same',
    cardsOf(replies(['a', 'A'], ['a', 'A']), replies([' b', 'B'], ['c', 'C'])),
    [
      cardAt(0, '.action.buttons[1].quick_reply.id'),
      `${cardAt(0, '.action.buttons[1].quick_reply.id')} must differ from the id of another button.`,
    ],
    [
      cardAt(0, '.action.buttons[1].quick_reply.title'),
      `${cardAt(0, '.action.buttons[1].quick_reply.title')} must differ from the title of another button.`,
    ],
    [
      cardAt(1, '.action.buttons[0].quick_reply.id'),
      `${cardAt(1, '.action.buttons[0].quick_reply.id')} must not begin or end with a space.`,
    ],
  ],
  [
    'two cards at one place',
    carousel({ card_index: 3, action: opening }, { card_index: 3, action: opening }),
    [cardAt(1, '.card_index'), `${cardAt(1, '.card_index')} must differ from the card_index of another card.`],
  ],
  [
    'places that are none',
    carousel({ card_index: 10, action: opening }, { card_index: -1, action: opening }),
    [cardAt(0, '.card_index'), `${cardAt(0, '.card_index')} must be a whole number from 0 to 9.`],
    [cardAt(1, '.card_index'), `${cardAt(1, '.card_index')} must be a whole number from 0 to 9.`],
  ],
  [
    'cards with one button and with two',
    cardsOf(replies(['a', 'A']), replies(['b', 'A'], ['c', 'C']), replies(['d', 'A'])),
    [cardAt(1, '.action'), `${cardAt(1, '.action')} must have the same kind and number of buttons as cards[0].action.`],
  ],
];

describe('an interactive carousel', () => {
  test.each([
    ['a button that opens an address', opening],
    ['a button to answer with', replies(['a', 'A'])],
    ['three buttons to answer with', replies(['a', 'A'], ['b', 'B'], ['c', 'C'])],
  ])('may have %s on each card', async (_label, action) => {
    const own = fakeApi();
    expect((await post(own, cardsOf(action, action))).statusCode).toBe(202);
    expect(own.accepted).toHaveLength(1);
  });

  test.each(
    wrong.map(([label, body, ...faults]) => ({ label, body, faults })),
  )('with $label is refused with every fault and its path', async ({ body, faults }) => {
    const answer = await post(api, body);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed']);
    const details: { path: string; message: string }[] = answer.json().details;
    expect(details.map(({ path }) => path).toSorted()).toEqual(faults.map(([path]) => `body.${path}`).toSorted());
    for (const [path, sentence] of faults) {
      expect(details.find((detail) => detail.path === `body.${path}`)?.message).toContain(sentence);
    }
    expect(api.accepted).toEqual([]);
  });
});

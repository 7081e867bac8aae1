import { describe, expect, test } from 'vitest';
import { type Pushed, pathOf, popupOf, showPopup } from './popup.ts';

const pushed: Pushed = {
  ...{ id: 'n1', kind: 'mentioned', conversation_id: 'c1', customer: 'Ada Obi', who: 'Ben', text: null, unread: 2 },
};

interface Shown extends NotificationOptions {
  readonly title: string;
  readonly renotify?: boolean;
}

/** What a browser keeps of the popups of a worker: one for each tag. */
function makeRegistration() {
  const shown: Shown[] = [];
  const registration = {
    getNotifications: async ({ tag }: { readonly tag: string }) => shown.filter((one) => one.tag === tag).slice(-1),
    showNotification: async (title: string, options: NotificationOptions) => void shown.push({ title, ...options }),
  };
  return { shown, registration: registration as unknown as ServiceWorkerRegistration };
}

describe('a popup', () => {
  test('says who did what, and has the text only when it came along', () => {
    expect(popupOf(pushed)).toEqual({
      ...{ id: 'n1', title: 'Ben mentioned you in a note about Ada Obi', body: '', conversationId: 'c1' },
    });
    expect(popupOf({ ...pushed, text: 'Call her' }).body).toBe('Call her');
    expect(popupOf({ ...pushed, customer: null, who: null }).title).toBe(
      'Postrider mentioned you in a note about a customer',
    );
  });

  test('leads to its conversation, or to the inbox', () => {
    expect([pathOf({ conversationId: 'c1' }), pathOf({ conversationId: null })]).toEqual(['/inbox/c1', '/inbox']);
  });

  test('makes a noise when it is new, and none when it is shown already', async () => {
    const { shown, registration } = makeRegistration();
    await showPopup(registration, popupOf(pushed));
    await showPopup(registration, popupOf(pushed));
    await showPopup(registration, popupOf({ ...pushed, id: 'n2' }));
    expect(shown.map(({ tag, renotify, data }) => [tag, renotify, data.id])).toEqual([
      ['c1', false, 'n1'],
      ['c1', false, 'n1'],
      ['c1', true, 'n2'],
    ]);
  });
});

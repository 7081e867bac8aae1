/** What was typed and not sent, by conversation. It stays with this browser until it is sent. */
const PREFIX = 'postrider.draft.';

export function readDraft(conversationId: string): string {
  try {
    return localStorage.getItem(`${PREFIX}${conversationId}`) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(conversationId: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(`${PREFIX}${conversationId}`);
    else localStorage.setItem(`${PREFIX}${conversationId}`, text);
  } catch {
    // A browser that stores nothing keeps the text as long as the page is open.
  }
}

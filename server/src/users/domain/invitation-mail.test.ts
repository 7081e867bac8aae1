import { expect, test } from 'vitest';
import { invitationMail } from './invitation-mail.ts';

const url = 'https://chat.example.com/sign-in#token=abc';
const invitation = {
  ...{ to: 'ana@shop.example', name: 'Ana', tenantName: 'Flower shop', invitedBy: 'Bo', url },
  expiresMs: Date.UTC(2030, 0, 8, 9),
};

test('an invitation says who invites, to what, with which link and until when, in both forms', () => {
  const { subject, text, html } = invitationMail(invitation);
  expect(subject).toBe('Your invitation to Flower shop');
  for (const form of [text, html]) {
    expect(form).toContain('Bo has invited you to Flower shop.');
    expect(form).toContain(url);
    expect(form).toContain('2030-01-08 09:00 UTC');
  }
  expect(invitationMail({ ...invitation, invitedBy: null }).text).toContain('You are invited to Flower shop.');
});

test('the page loads nothing, and knows both themes', () => {
  const { html } = invitationMail(invitation);
  expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|@import|src=/);
  expect(html.match(/href="([^"]*)"/g)).toEqual([`href="${url}"`, `href="${url}"`]);
  expect(html).toContain('prefers-color-scheme: dark');
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
});

test('names cannot add headers, markup, links or a page of text', () => {
  const hostile = `<a href="https://evil.example">Ana</a>\r\nBcc: all@example.com\u202e ${'x'.repeat(500)}`;
  const { subject, text, html } = invitationMail({
    ...invitation,
    name: hostile,
    tenantName: hostile,
    invitedBy: hostile,
  });
  expect(subject).not.toMatch(/[\r\n\u202e]/);
  expect(subject.length).toBeLessThan(110);
  expect(text).not.toContain('https://evil.example');
  expect(html).not.toContain('<a href="https://evil');
  expect(html.match(/<a /g)).toHaveLength(2);
});

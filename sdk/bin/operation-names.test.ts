import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeOperations } from './described-operations.ts';
import type { Document } from './document.ts';
import { nameOperation } from './operation-names.ts';

const contract = new URL('../../contract/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(contract, 'utf8')) as Document;

describe('the name of an operation in the client library', () => {
  test.each([
    ['sendMessage', '/v1/messages', 'messages.send'],
    ['listTeams', '/v1/teams', 'teams.list'],
    ['createConversation', '/v1/conversations', 'conversations.create'],
    ['getMe', '/v1/me', 'me.get'],
    ['updateMe', '/v1/me', 'me.update'],
    ['deleteSession', '/v1/sessions/{id}', 'sessions.delete'],
    ['addPhoneNumber', '/v1/phone-numbers', 'phoneNumbers.add'],
    ['listCannedReplies', '/v1/canned-replies', 'cannedReplies.list'],
    ['listWebhookDeliveries', '/v1/webhook-endpoints/{id}/deliveries', 'webhookEndpoints.listDeliveries'],
    ['replyInConversation', '/v1/conversations/{id}/messages', 'conversations.reply'],
    ['updateConversations', '/v1/conversations/bulk', 'conversations.updateMany'],
    ['updateBusinessHours', '/v1/business-hours/{id}', 'businessHours.update'],
    ['topUpWallet', '/v1/wallet/topups', 'wallet.topUp'],
    ['getLinkUrl', '/v1/{platform}/oauth/url', 'oauth.getLinkUrl'],
  ])('of %s at %s is %s', (id, path, expected) => {
    const { resource, verb } = nameOperation({ id, path, tag: 'Any' });
    expect(`${resource}.${verb}`).toBe(expected);
  });

  test('of what is about the service itself begins with system', () => {
    expect(nameOperation({ id: 'getHealth', path: '/healthz', tag: 'System' })).toEqual({
      resource: 'system',
      verb: 'getHealth',
    });
  });

  test('is unique, and could be written in a program', () => {
    const names = describeOperations(document).map(({ resource, verb }) => `${resource}.${verb}`);
    expect(names.length).toBeGreaterThan(150);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*$/);
  });

  test('that two operations would have is refused, with both of them', () => {
    const [[path, methods] = ['', {}]] = Object.entries(document.paths);
    const twice = { ...document, paths: { [path]: methods, [`${path}/again`]: methods } };
    expect(() => describeOperations(twice)).toThrow(/sendMessage and sendMessage are both messages.send/);
  });
});

import { expect, test } from 'vitest';
import { answerColumns, answerHeader, answerRow, flowAnswerJson } from './flow-answer.ts';

function answerOf(json: string) {
  return {
    messageId: 'm',
    sentMessageId: 's',
    phoneNumberId: '1',
    fromPhone: '447700900123',
    fromUserId: null,
    profileName: '=Sam',
    contactId: null,
    conversationId: null,
    content: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: json } },
    createdMs: 0,
  };
}

test('a field that is called like a column stands apart from it, and nothing in the table is a formula', () => {
  const answer = answerOf('{"flow_token":"t","from":"Lagos","=sum":"+1","tags":["a"]}');
  const columns = answerColumns([answer]);
  expect(columns).toEqual(['data.from', 'data.=sum', 'data.tags']);
  expect(answerHeader(columns)).toMatch(/,from,.*,flow_token,data\.from,data\.=sum,data\.tags\r\n$/);
  expect(answerRow(answer, columns)).toBe(
    `1970-01-01T00:00:00.000Z,m,s,1,447700900123,,'=Sam,,,t,Lagos,'+1,"[""a""]"\r\n`,
  );
});

test.each([
  ['a list', '[1,2]', ['data'], [1, 2]],
  ['a text', '"Yes"', ['data'], 'Yes'],
  ['nothing', 'null', [], null],
  ['no JSON', '{', [], null],
])('an answer that is %s is shown whole', (_label, json, columns, data) => {
  expect(answerColumns([answerOf(json)])).toEqual(columns);
  expect(flowAnswerJson(answerOf(json))).toMatchObject({ flow_token: null, data });
});

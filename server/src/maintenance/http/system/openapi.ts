import Type from 'typebox';
import { defineOperation } from '#http/operation';

export const getOpenApi = defineOperation({
  method: 'GET',
  path: '/v1/openapi.json',
  operationId: 'getOpenApi',
  summary: 'Get the API description',
  description: 'Returns the OpenAPI description of the service. No key is needed.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The OpenAPI document.',
    schema: Type.Unsafe({ type: 'object', additionalProperties: true, description: 'An OpenAPI 3.1 document.' }),
    example: { openapi: '3.1.0', info: { title: 'Postrider', version: '1.0.0' } },
  },
  errors: [],
  handle:
    ({ openApiText }) =>
    (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(openApiText),
});

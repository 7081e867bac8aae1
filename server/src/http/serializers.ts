import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import { lazily } from '#http/validation/variants';

/**
 * Fastify's own serializers of responses, each compiled with the first response that needs it: those of all operations
 * together take a sixth of a start.
 */
export const buildLazySerializers: SerializerSelector.SerializerFactory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    const serialize = lazily(() => compile(route));
    return (document) => serialize()(document);
  };
};

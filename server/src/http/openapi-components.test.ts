import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { makeComponents } from './openapi-components.ts';
import { choiceOf, named } from './schemas/fields.ts';

const Pet = Type.Object({ name: Type.String() }, named('Pet', 'An animal.'));
const pet = { $ref: '#/components/schemas/Pet' };

describe('schemas of the document', () => {
  test('stand in it once under their names, wherever they are used', () => {
    const { show, schemas } = makeComponents();
    expect(show(Type.Array(Pet))).toEqual({ type: 'array', items: pet });
    expect(show({ ...Pet, description: 'The one that was asked for.' })).toEqual({
      ...pet,
      description: 'The one that was asked for.',
    });
    expect(Object.keys(schemas())).toEqual(['Pet']);
  });

  test('that differ cannot have one name', () => {
    const { show } = makeComponents();
    show(Pet);
    expect(() => show(Type.Object({}, named('Pet', 'Another one.')))).toThrow('Pet is the name of two schemas');
  });

  test('without a name are called after their operation, the same content but once', () => {
    const { show, schemas } = makeComponents();
    const body = () => Type.Object({ pet: Pet }, { description: 'Takes a pet.' });
    expect(show(body(), 'FeedPetRequest')).toEqual({ $ref: '#/components/schemas/FeedPetRequest' });
    expect(show(body(), 'WashPetRequest')).toEqual({ $ref: '#/components/schemas/FeedPetRequest' });
    expect(Object.keys(schemas())).toEqual(['FeedPetRequest', 'Pet']);
  });

  test('that may be null are references beside null', () => {
    const { show, schemas } = makeComponents();
    const nullable = Type.Unsafe({ type: ['object', 'null'], ...named('Lease', 'Who writes; null: nobody.') });
    expect(show(nullable)).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/Lease' }, { type: 'null' }] });
    expect(schemas().Lease).toMatchObject({ type: 'object' });
  });

  test('that one property tells apart have a discriminator, and branches under names of their own', () => {
    const { show, schemas } = makeComponents();
    const kind = (name: string) => Type.Object({ kind: choiceOf([name], 'Its kind.') });
    show(Type.Unsafe({ oneOf: [kind('cat'), kind('dog')], ...named('Animal', 'A cat or a dog.') }));
    expect(schemas().Animal).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/AnimalCat' }, { $ref: '#/components/schemas/AnimalDog' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/AnimalCat' } },
    });
  });

  test('have no default, which some generators take for required: their description says it', () => {
    const { show } = makeComponents();
    const field = Type.Boolean({ default: false, description: 'Whether it barks.' });
    expect(show(field)).toEqual({ type: 'boolean', description: 'Whether it barks. Default: false.' });
  });
});

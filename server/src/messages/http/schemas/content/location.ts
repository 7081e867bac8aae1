import Type, { type TUnsafe } from 'typebox';
import { named } from '#http/schemas/fields';
import { type LocationFields, MAX_PLACE_CHARACTERS } from '#messages/domain/location';
import { fields, words } from './parts.ts';

const place = {
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees.' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees.' }),
  name: Type.Optional(words(MAX_PLACE_CHARACTERS, 'Name of the location.')),
  address: Type.Optional(words(MAX_PLACE_CHARACTERS, 'Address of the location.')),
};

/** A place on the map. */
export const Location: TUnsafe<LocationFields> = Type.Unsafe<LocationFields>(
  fields(place, named('Location', 'A location on the map.')),
);

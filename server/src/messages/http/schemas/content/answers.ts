import Type from 'typebox';
import { named, nullableText, nullableUuid } from '#http/schemas/fields';

/*
 * Content of outbound messages in answers: one of these members is there, by the type of the message.
 */
const asSent = (description: string) => Type.Unsafe({ type: 'object', additionalProperties: true, description });

const Media = Type.Object(
  {
    media_id: nullableUuid('The upload; null for a media that is sent by its address.'),
    link: nullableText('Address that the network fetches it from.'),
    caption: nullableText('Text below the media.'),
    filename: nullableText('Name that the customer sees.'),
    voice: Type.Optional(Type.Boolean({ description: 'Whether it is shown as a voice message.' })),
  },
  named('MessageMedia', 'Of an image, video, audio, document or sticker.'),
);
const Location = Type.Object(
  {
    latitude: Type.Number({ description: 'Degrees.' }),
    longitude: Type.Number({ description: 'Degrees.' }),
    name: nullableText('Name of the place.'),
    address: nullableText('Address of the place.'),
  },
  named('MessageLocation', 'Of a location.'),
);
const Reaction = Type.Object(
  {
    message_id: Type.String({ description: 'The message reacted to, as it was named.' }),
    emoji: Type.String({ description: 'The emoji; empty when the reaction was taken back.' }),
  },
  named('MessageReaction', 'Of a reaction.'),
);
const Template = Type.Object(
  {
    name: Type.String({ description: 'Name of the template.' }),
    language: Type.String({ description: 'Its language.' }),
    variables: Type.Optional(
      Type.Unsafe({
        type: ['object', 'array'],
        additionalProperties: true,
        items: {},
        description: 'Values, as sent.',
      }),
    ),
    components: Type.Optional(Type.Array(asSent('A component.'), { description: 'Components, as sent.' })),
  },
  named('MessageTemplate', 'Of a template message.'),
);

/** What an outbound message says. */
export const contentFields = {
  body: Type.Optional(Type.String({ description: 'Text of the message, of the type text.' })),
  template: Type.Optional(Template),
  media: Type.Optional(Media),
  location: Type.Optional(Location),
  contacts: Type.Optional(Type.Array(asSent('A contact card.'), { description: 'Of contacts: the cards, as sent.' })),
  reaction: Type.Optional(Reaction),
  interactive: Type.Optional(asSent('Of an interactive message, as sent.')),
};

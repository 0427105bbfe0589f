import Type from 'typebox';
import { EXAMPLE_IDS } from '../../../application/schema/example-ids.ts';
import { about, named } from '../../../application/schema/kinds.ts';

const Uri = Type.String({ format: 'uri' });

/** Addresses by touchpoint code (spec 5.11); `web` is always there. */
export const linksSchema = named(
  'Links',
  Type.Object(
    { web: about(Uri, "The contact's chat page.", 'https://example.com/c/Zm9vYmFyYmF6cXV4') },
    {
      description: 'Where the conversation can be gone on with, by touchpoint code.',
      additionalProperties: about(
        Uri,
        'The address on another touchpoint.',
        'https://wa.example.com/?text=Zm9vYmFyYmF6cXV4',
      ),
    },
  ),
);

/** The query of GET /links. */
export const linksQuery = Type.Object({
  conversation: about(Type.String(), 'The id of the conversation.', EXAMPLE_IDS.conversations),
});

import Type from 'typebox';

/** Addresses by touchpoint code (spec 5.11); `web` is always there. */
export const linksSchema = Type.Object(
  { web: Type.String({ format: 'uri' }) },
  { additionalProperties: Type.String({ format: 'uri' }) },
);

/** The query of GET /links. */
export const linksQuery = Type.Object({ conversation: Type.String() });

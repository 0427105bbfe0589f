import { kbItemRecords } from '../../../store/records/tenant-records.ts';
import { recordKind } from '../../records/kind.ts';
import Type from 'typebox';
import {
  Language,
  Meta,
  Name,
  OwnedBy,
  Owner,
  Tags,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  patchOf,
  text,
} from '../../../application/schema/kinds.ts';

const MAX_CONTENT = 200_000;

const CONTENT = 'What there is to know.';

const fields = {
  title: about(Name, 'The title.', 'Opening hours'),
  organization: OwnedBy,
  content: Type.Optional(about(text({ min: 0, max: MAX_CONTENT }), CONTENT, 'Open from nine to five.')),
  language: Type.Optional(Language),
  tags: Type.Optional(Tags),
  meta: Type.Optional(Meta),
};

/** See spec 4.3. */
const kbItemInput = object('KnowledgeItemInput', 'A knowledge item to create.', fields);

const kbItemPatch = named('KnowledgeItemPatch', patchOf(kbItemInput, ['title', 'organization']));

const kbItemSchema = object('KnowledgeItem', 'Something that agents and bots may look up.', {
  id: idOf('kbitems', 'Its id.'),
  organization: Owner,
  title: about(Type.String(), 'The title.', 'Opening hours'),
  content: Type.Optional(about(Type.String(), CONTENT, 'Open from nine to five.')),
  language: Type.Optional(about(Type.String(), 'The language of its text.', 'en')),
  tags: about(Type.Array(Type.String()), 'Words to find it by.', ['opening hours']),
  meta: Meta,
  ...madeAndChanged,
});

/** See spec 4.3. */
export const kbItems = recordKind({
  name: 'kbitems',
  schema: kbItemSchema,
  input: kbItemInput,
  patch: kbItemPatch,
  store: kbItemRecords,
  draft: ({ title, content, language, tags = [] }) => ({
    title,
    tags,
    ...(content === undefined ? {} : { content }),
    ...(language === undefined ? {} : { language }),
  }),
  change: ({ title, content, language, tags }) => ({
    title,
    content,
    language,
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
  }),
});

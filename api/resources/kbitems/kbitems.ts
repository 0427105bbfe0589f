import { kbItemRecords } from '../../../store/records/kbitems.ts';
import { recordKind } from '../../records/kind.ts';
import { kbItemInput, kbItemPatch, kbItemSchema } from './schema.ts';

/** Knowledge items (spec 4.3). */
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

import type { Static } from 'typebox';
import { kbItemRecords } from '../../../store/records/kbitems.ts';
import { recordHandlers } from '../../records/handlers.ts';
import { kbItemResource } from './present.ts';
import { kbItemPaths } from './schema.ts';
import type { kbItemInput, kbItemPatch } from './schema.ts';

type KbItemInput = Static<typeof kbItemInput>;
type KbItemPatch = Static<typeof kbItemPatch>;

/** The requests of /kbitems. */
export const kbItems = recordHandlers({
  resource: kbItemResource,
  paths: kbItemPaths,
  store: kbItemRecords,
  draft: ({ title, content, language, tags = [] }: KbItemInput) => ({
    title,
    tags,
    ...(content === undefined ? {} : { content }),
    ...(language === undefined ? {} : { language }),
  }),
  change: ({ title, content, language, tags }: KbItemPatch) => ({
    title,
    content,
    language,
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
  }),
});

import Type from 'typebox';
import { Language, Meta, Name, OwnedBy, Tags, about, text } from '../../schema/kinds.ts';
import { declareRecord, withDefault } from '../../schema/record.ts';
import { defineRecordModel } from '../connection/model.ts';
import { tenantRecords } from './tenant-records.ts';
import type { RecordDocument } from '../connection/model.ts';

const MAX_CONTENT = 200_000;

/** See spec 4.3. */
export const kbItemRecord = declareRecord({
  resource: 'kbitems',
  title: 'KnowledgeItem',
  description: 'An article for agents and bots.',
  fields: {
    title: about(Name, 'The title.', 'Opening hours'),
    organization: OwnedBy,
    content: Type.Optional(
      about(text({ min: 0, max: MAX_CONTENT }), 'The content.', 'Open from nine to five.'),
    ),
    language: Type.Optional(Language),
    tags: withDefault(Tags, []),
    meta: withDefault(Meta, {}),
  },
});

export const kbItemModel = defineRecordModel<RecordDocument<typeof kbItemRecord>>('KbItem', kbItemRecord, [
  [{ organization: 1, _id: 1 }],
]);

export const kbItemRecords = tenantRecords(kbItemModel);

import { kbItemRecord, kbItemRecords } from '../../../store/records/kbitems.ts';
import { recordKind } from '../../records/kind.ts';

export const kbItems = recordKind({ record: kbItemRecord, store: kbItemRecords });

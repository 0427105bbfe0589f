import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Meta } from '../../domain/messages/message.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/** A form's document (spec 4.3). */
export interface FormDocument extends TenantDocument {
  name: string;
  type: 'topic' | 'static';
  fields: { name: string; key: string }[];
  meta: Meta;
}

const { Mixed } = mongoose.Schema.Types;

const formSchema = new mongoose.Schema<FormDocument>(
  {
    _id: String,
    organization: String,
    name: String,
    type: String,
    fields: [Mixed],
    meta: Mixed,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'forms', versionKey: false, minimize: false, strict: true },
);

formSchema.index({ organization: 1, name: 1, _id: 1 });

export const formModel = defineModel<FormDocument>('Form', formSchema);

export const formRecords = tenantRecords<FormDocument>(formModel);

/**
 * The form that a conversation's message means by an id or a name. Forms of the conversation's
 * organization and of all above it (`path`, from the root) can be meant, and those that its
 * categories list (`listed`, first those that are meant first). An id goes before a name; of
 * several forms with one name the listed one is meant, else the one of the nearest organization,
 * the oldest first.
 */
export async function findFormFor(
  { path, listed }: { path: readonly string[]; listed: readonly string[] },
  idOrName: string,
): Promise<FormDocument | null> {
  const forms = await formModel.collection
    .find({
      $and: [
        { $or: [{ _id: idOrName }, { name: idOrName }] },
        { $or: [{ organization: { $in: [...path] } }, { _id: { $in: [...listed] } }] },
      ],
    })
    .sort({ _id: 1 })
    .toArray();
  const rank = ({ _id, organization }: FormDocument) => {
    if (_id === idOrName) return -1;
    const place = listed.indexOf(_id);
    return place >= 0 ? place : listed.length + path.length - path.indexOf(organization);
  };
  return forms.sort((one, other) => rank(one) - rank(other))[0] ?? null;
}

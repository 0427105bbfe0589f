import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { chooseForm } from '../../domain/effects/form.ts';
import type { FormType, Meta } from '../../domain/messages/message.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/** A form (spec 4.3). */
export interface FormDocument extends TenantDocument {
  name: string;
  type: FormType;
  fields: { name: string; key: string }[];
  meta: Meta;
}

export interface FormFacts extends Pick<FormDocument, '_id' | 'name' | 'type'> {
  fields: { key: string }[];
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
 * Returns the form that a message refers to (see `chooseForm`), from the organizations in `path`,
 * the tenant path, or from categories (`listed`).
 */
export async function findFormFor(
  { path, listed }: { path: readonly string[]; listed: readonly string[] },
  idOrName: string,
): Promise<FormDocument | null> {
  const forms = await formModel.collection
    .find({ $and: [{ $or: [{ _id: idOrName }, { name: idOrName }] }, pathFilter({ path, listed })] })
    .sort({ _id: 1 })
    .toArray();
  return chooseForm(forms, { path, listed, idOrName });
}

/** Returns only forms that `findFormFor` may return. */
export async function findFormFacts(
  line: { path: readonly string[]; listed: readonly string[] },
  ids: readonly string[],
): Promise<FormFacts[]> {
  return formModel.collection
    .find<FormFacts>(
      { $and: [{ _id: { $in: [...ids] } }, pathFilter(line)] },
      { projection: { name: 1, type: 1, 'fields.key': 1 } },
    )
    .toArray();
}

/** Sorts by name. */
export async function findSomeForms(
  organization: string,
  limit: number,
): Promise<Pick<FormDocument, '_id' | 'name'>[]> {
  return formModel.collection
    .find({ organization }, { projection: { name: 1 } })
    .sort({ name: 1, _id: 1 })
    .limit(limit)
    .toArray();
}

function pathFilter({ path, listed }: { path: readonly string[]; listed: readonly string[] }): object {
  return { $or: [{ organization: { $in: [...path] } }, { _id: { $in: [...listed] } }] };
}

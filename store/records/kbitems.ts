import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Meta } from '../../domain/messages/message.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/** A knowledge item's document (spec 4.3). */
export interface KbItemDocument extends TenantDocument {
  title: string;
  content?: string;
  language?: string;
  tags: string[];
  meta: Meta;
}

const { Mixed } = mongoose.Schema.Types;

const kbItemSchema = new mongoose.Schema<KbItemDocument>(
  {
    _id: String,
    organization: String,
    title: String,
    content: String,
    language: String,
    tags: [String],
    meta: Mixed,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'kbitems', versionKey: false, minimize: false, strict: true },
);

kbItemSchema.index({ organization: 1, _id: 1 });

export const kbItemModel = defineModel<KbItemDocument>('KbItem', kbItemSchema);

export const kbItemRecords = tenantRecords<KbItemDocument>(kbItemModel);

import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Meta } from '../../domain/messages/message.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/** An organization group (spec 4.3). */
export interface OrgGroupDocument extends TenantDocument {
  name: string;
  organizations: string[];
  meta: Meta;
}

const { Mixed } = mongoose.Schema.Types;

const orgGroupSchema = new mongoose.Schema<OrgGroupDocument>(
  {
    _id: String,
    organization: String,
    name: String,
    organizations: [String],
    meta: Mixed,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'orggroups', versionKey: false, minimize: false, strict: true },
);

orgGroupSchema.index({ organization: 1, _id: 1 });
orgGroupSchema.index({ organizations: 1 });

export const orgGroupModel = defineModel<OrgGroupDocument>('OrgGroup', orgGroupSchema);

export const orgGroupRecords = tenantRecords<OrgGroupDocument>(orgGroupModel);

import mongoose from 'mongoose';
import type { TProperties, TSchema } from 'typebox';
import { selectFields } from '../../schema/record.ts';
import type { Stored } from '../../schema/record.ts';

/** Documents have string ids, never `ObjectId`. */
interface Identified {
  _id: string;
}

type TypedCollection<T extends Identified> = mongoose.mongo.Collection<T>;

export type Model<T extends Identified> = Omit<mongoose.Model<T>, 'collection'> & {
  readonly collection: TypedCollection<T>;
};

type AnyDocument = Identified & mongoose.mongo.Document;

export type AnyCollection = Pick<
  TypedCollection<AnyDocument>,
  'find' | 'findOne' | 'countDocuments' | 'updateOne' | 'insertOne' | 'insertMany'
>;

/** Unchecked: the driver's types do not resolve for a generic T. */
export function anyCollection<T extends Identified>(model: Pick<Model<T>, 'collection'>) {
  return model.collection as unknown as TypedCollection<AnyDocument>;
}

export function defineModel<T extends Identified>(name: string, schema: mongoose.Schema<T>): Model<T> {
  // Mongoose types every collection as unknown documents with ObjectIds.
  return mongoose.model<T>(name, schema) as unknown as Model<T>;
}

interface DeclaredRecord {
  /** Also the name of the collection. */
  resource: string;
  fields: TProperties;
}

export interface TenantDocument {
  _id: string;
  organization: string;
  createdBy?: string;
  createdAt: Date;
  updatedAt: Date;
}

export type RecordDocument<D extends { fields: TProperties }> = TenantDocument & Stored<D['fields']>;

export function defineRecordModel<T extends Identified>(
  name: string,
  { resource, fields }: DeclaredRecord,
  indexes: readonly [mongoose.IndexDefinition, mongoose.IndexOptions?][],
): Model<T> {
  const stored = Object.entries(selectFields(fields, ['answers', 'documents']));
  const paths: mongoose.SchemaDefinition = {
    _id: String,
    ...(Object.fromEntries(
      stored.map(([field, type]) => [field, toMongooseType(type)]),
    ) as mongoose.SchemaDefinition),
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  };
  const options = { collection: resource, versionKey: false, minimize: false, strict: true } as const;
  const schema = new mongoose.Schema<unknown>(paths, options);
  for (const [index, rules] of indexes) schema.index(index, rules);
  return defineModel<T>(name, schema as unknown as mongoose.Schema<T>);
}

interface FieldSchema extends TSchema {
  type?: string;
  format?: string;
  items?: TSchema;
}

function toMongooseType({ type, format, items = {} }: FieldSchema): unknown {
  if (type === 'array') return [toMongooseType(items)];
  if (type === 'string') return format === 'date-time' ? Date : String;
  if (type === 'number' || type === 'integer') return Number;
  return type === 'boolean' ? Boolean : mongoose.Schema.Types.Mixed;
}

import mongoose from 'mongoose';

/** Documents have string ids, never `ObjectId`. */
interface Identified {
  _id: string;
}

type TypedCollection<T extends Identified> = mongoose.mongo.Collection<T>;

/** A mongoose model whose native `collection` is typed too. */
export type Model<T extends Identified> = Omit<mongoose.Model<T>, 'collection'> & {
  readonly collection: TypedCollection<T>;
};

type AnyDocument = Identified & mongoose.mongo.Document;

/** Methods for generic queries, which know no field except the id. */
export type AnyCollection = Pick<
  TypedCollection<AnyDocument>,
  'find' | 'findOne' | 'countDocuments' | 'updateOne' | 'insertOne' | 'insertMany'
>;

/** Filters and updates of the returned collection are not type-checked. */
export function anyCollection<T extends Identified>(model: Pick<Model<T>, 'collection'>) {
  // The driver's types of filters and updates do not resolve for a generic T.
  return model.collection as unknown as TypedCollection<AnyDocument>;
}

/** `ensureIndexes` builds the indexes of the schema. */
export function defineModel<T extends Identified>(name: string, schema: mongoose.Schema<T>): Model<T> {
  // Mongoose types every collection as unknown documents with ObjectIds.
  return mongoose.model<T>(name, schema) as unknown as Model<T>;
}

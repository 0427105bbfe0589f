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

export type AnyCollection = Pick<
  TypedCollection<AnyDocument>,
  'find' | 'findOne' | 'countDocuments' | 'updateOne' | 'insertOne' | 'insertMany'
>;

/** Returns an unchecked collection: the driver's types do not resolve for a generic T. */
export function anyCollection<T extends Identified>(model: Pick<Model<T>, 'collection'>) {
  return model.collection as unknown as TypedCollection<AnyDocument>;
}

export function defineModel<T extends Identified>(name: string, schema: mongoose.Schema<T>): Model<T> {
  // Mongoose types every collection as unknown documents with ObjectIds.
  return mongoose.model<T>(name, schema) as unknown as Model<T>;
}

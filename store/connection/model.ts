import mongoose from 'mongoose';

/** Documents of this product have ids of their own making, never the driver's `ObjectId`. */
interface Identified {
  _id: string;
}

type TypedCollection<T extends Identified> = mongoose.mongo.Collection<T>;

/** A mongoose model whose `collection`, the driver's own, is typed by its documents too. */
export type Model<T extends Identified> = Omit<mongoose.Model<T>, 'collection'> & {
  readonly collection: TypedCollection<T>;
};

type AnyDocument = Identified & mongoose.mongo.Document;

/** The part of a collection that queries use which serve any: they know no field but the id. */
export type AnyCollection = Pick<
  TypedCollection<AnyDocument>,
  'find' | 'findOne' | 'countDocuments' | 'updateOne' | 'insertOne' | 'insertMany'
>;

/**
 * The collection of a model for documents of which only a part is known: what is written and asked
 * for is not checked.
 */
export function anyCollection<T extends Identified>(model: Pick<Model<T>, 'collection'>) {
  // The driver's types of filters and changes say nothing yet of a T that is a parameter.
  return model.collection as unknown as TypedCollection<AnyDocument>;
}

/** Registers the model of a collection; `ensureIndexes` builds the indexes of its schema. */
export function defineModel<T extends Identified>(name: string, schema: mongoose.Schema<T>): Model<T> {
  // Mongoose types the collection of every model as one of unknown documents with ObjectIds.
  return mongoose.model<T>(name, schema) as unknown as Model<T>;
}

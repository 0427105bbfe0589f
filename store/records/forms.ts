import Type from 'typebox';
import { Meta, Name, OwnedBy, about, object, oneOf } from '../../schema/kinds.ts';
import { declareRecord, withDefault } from '../../schema/record.ts';
import { chooseForm } from '../../domain/effects/form.ts';
import { FORM_TYPES } from '../../domain/messages/message.ts';
import { defineRecordModel } from '../connection/model.ts';
import { tenantRecords } from './tenant-records.ts';
import type { RecordDocument } from '../connection/model.ts';
import { toRatingForm } from '../../domain/messages/rating.ts';
import type { RatingForm } from '../../domain/messages/rating.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { organizationContext, organizationModel } from './organizations.ts';
import type { OrganizationDocument } from './organizations.ts';

const MAX_FIELDS = 200;

const Field = object('FormField', 'A field of a form.', {
  name: about(Name, 'The label of the field.', 'How many guests?'),
  key: about(Name, 'The key of the value.', 'guests'),
});

/** See spec 4.3. */
export const formRecord = declareRecord({
  resource: 'forms',
  title: 'Form',
  description: 'A list of questions for a conversation.',
  fields: {
    name: about(Name, 'The name.', 'Booking'),
    organization: OwnedBy,
    type: withDefault(
      about(oneOf(FORM_TYPES), 'A `static` form stays with a conversation. A `topic` is picked.'),
      'topic',
    ),
    fields: withDefault(about(Type.Array(Field, { maxItems: MAX_FIELDS }), 'The fields, in order.'), []),
    meta: withDefault(Meta, {}),
  },
});

export type FormDocument = RecordDocument<typeof formRecord>;

export interface FormFacts extends Pick<FormDocument, '_id' | 'name' | 'type'> {
  fields: { key: string }[];
}

export const formModel = defineRecordModel<FormDocument>('Form', formRecord, [
  [{ organization: 1, name: 1, _id: 1 }],
]);

export const formRecords = tenantRecords(formModel);

interface FormLine {
  path: readonly string[];
  /** Forms that the categories list. */
  usable: readonly string[];
}

export async function findFormFor(
  { listed, ...line }: FormLine & { listed: readonly string[] },
  idOrName: string,
): Promise<FormDocument | null> {
  const { path } = line;
  const forms = await formModel.collection
    .find({ $and: [{ $or: [{ _id: idOrName }, { name: idOrName }] }, pathFilter(line)] })
    .sort({ _id: 1 })
    .toArray();
  return chooseForm(forms, { path, listed, idOrName });
}

/** Returns only forms that `findFormFor` may return. */
export async function findFormFacts(line: FormLine, ids: readonly string[]): Promise<FormFacts[]> {
  return formModel.collection
    .find<FormFacts>(
      { $and: [{ _id: { $in: [...ids] } }, pathFilter(line)] },
      { projection: { name: 1, type: 1, 'fields.key': 1 } },
    )
    .toArray();
}

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

function pathFilter({ path, usable }: FormLine): object {
  return { $or: [{ organization: { $in: [...path] } }, { _id: { $in: [...usable] } }] };
}

const ratingForms = ttlCache<RatingForm | null>({ maxAgeMs: 5_000, max: 10_000, load: loadRatingForm });

/**
 * Returns the form of the nearest organization that has one (spec 10.11), at most five seconds
 * old.
 */
export function findRatingForm(organization: string): Promise<RatingForm | null> {
  return ratingForms.get(organization);
}

async function loadRatingForm(organization: string): Promise<RatingForm | null> {
  const path = (await organizationContext(organization))?.path ?? [];
  const found = await organizationModel
    .find({ _id: { $in: path }, ratingForm: { $exists: true } }, { ratingForm: 1, level: 1 })
    .sort({ level: -1 })
    .limit(1)
    .lean<Pick<OrganizationDocument, 'ratingForm'>[]>();
  const id = found[0]?.ratingForm;
  if (id === undefined) return null;
  const [form] = await findFormFacts({ path, usable: [] }, [id]);
  return form ? toRatingForm(form) : null;
}

import { organizationModel } from './organizations.ts';

/** Takes a form, which is no more, out of the categories of all organizations. */
export async function removeFromCategories(form: string): Promise<void> {
  await organizationModel.updateMany(
    { 'categories.forms': form },
    { $pull: { 'categories.$[].forms': form } },
  );
}

import { channelModel } from './channels.ts';
import { contactModel } from '../conversations/contacts.ts';
import { conversationModel } from '../conversations/conversations.ts';
import { eventTypeModel } from './eventtypes.ts';
import { formModel } from './forms.ts';
import { kbItemModel } from './kbitems.ts';
import { orgGroupModel } from './orggroups.ts';
import { organizationModel } from './organizations.ts';
import { serviceModel } from '../delivery/services.ts';
import { userModel } from '../accounts/users.ts';

/** What an organization has that does not go with it, in words; nothing if it can go. */
export async function whatRemains(organization: string): Promise<string[]> {
  const here = { organization };
  const kinds = [
    ['organizations below it', organizationModel.exists({ parent: organization })],
    ['users', userModel.exists(here)],
    ['contacts', contactModel.exists(here)],
    ['conversations', conversationModel.exists(here)],
  ] as const;
  const found = await Promise.all(kinds.map(async ([words, exists]) => ((await exists) ? words : null)));
  return found.filter((words) => words !== null);
}

/** Removes what is only of use to the organization itself, and its name from every group. */
export async function removeContents(organization: string): Promise<void> {
  const models = [formModel, channelModel, kbItemModel, orgGroupModel, eventTypeModel, serviceModel];
  await Promise.all(models.map(({ collection }) => collection.deleteMany({ organization })));
  await orgGroupModel.updateMany({ organizations: organization }, { $pull: { organizations: organization } });
}

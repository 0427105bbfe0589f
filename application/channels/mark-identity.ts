import type { Bar } from '../../domain/channels/channel-type.ts';
import { channelFacts, identityKeys, withMark } from '../../domain/channels/identity.ts';
import type { Identity } from '../../domain/channels/identity.ts';
import { unavailable } from '../../domain/errors.ts';
import { storeDate } from '../../store/cluster/clock.ts';
import { findContactById, updateContact } from '../../store/conversations/contacts.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';

const MAX_TRIES = 20;

/** Marks the identity of a contact, or removes the mark where `isSet` is false (spec 15.3). */
export async function markIdentity(
  contact: string,
  identity: Pick<Identity, 'service' | 'touchpoint' | 'id'>,
  mark: { bar: Bar; isSet: boolean },
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findContactById(contact);
    if (!found) return;
    const before = found.identities ?? [];
    const identities = withMark(before, identity, { ...mark, now: storeDate().toISOString() });
    if (identities.every((one) => before.includes(one))) return;
    const patch = { identities: [...identities], identityKeys: identityKeys(identities) };
    if (await updateContact({ organization: found.organization }, contact, patch, found)) return;
  }
  throw unavailable();
}

/** Marks the address to which a channel sends messages for a contact (spec 15.3). */
export async function markAddress(
  { _id: id, type, touchpoint = '' }: ServiceDocument,
  contact: string,
  bar: Bar,
): Promise<void> {
  const { address } = channelFacts({ id, type, touchpoint }, await findContactById(contact));
  if (address === undefined) return;
  await markIdentity(contact, { service: id, touchpoint, id: address }, { bar, isSet: true });
}

import type { ScreenProps } from '../route.ts';
import { ContactList } from './list.tsx';
import { ContactPage } from './contact-page.tsx';

export function ContactsScreen({ session, place: [id] }: ScreenProps) {
  return id === undefined ? <ContactList /> : <ContactPage key={id} id={id} session={session} />;
}

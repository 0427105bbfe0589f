import { de as page } from '../../../texts/de.ts';
import type { LaterTexts } from '../catalog.ts';
import { channels, webhooks } from './channels.ts';
import { contacts, reports } from './contacts.ts';
import { history, inbox, labels, narrowing, selection } from './inbox.ts';
import { account, events, ingest, kinds, operations, tasks, team, teams, widget } from './screens.ts';
import { timers } from './timers.ts';

const refusals: LaterTexts['refusals'] = {
  'is required': 'ist erforderlich',
  'must not be empty': 'darf nicht leer sein',
  'must have a visible character': 'braucht ein sichtbares Zeichen',
  'must have at least {} characters': 'braucht mindestens {} Zeichen',
  'must have at most {} characters': 'darf höchstens {} Zeichen haben',
  'must have at least {} entries': 'braucht mindestens {} Einträge',
  'must have at most {} entries': 'darf höchstens {} Einträge haben',
  'must be at least {}': 'muss mindestens {} sein',
  'must be at most {}': 'darf höchstens {} sein',
  'must be one of {}': 'muss einer dieser Werte sein: {}',
  'must not have an entry twice': 'darf keinen Eintrag doppelt haben',
  'must be a text': 'muss ein Text sein',
  'must be a number': 'muss eine Zahl sein',
  'must be a whole number': 'muss eine ganze Zahl sein',
  'must be in the future': 'muss in der Zukunft liegen',
  'must be within the next 400 days': 'muss in den nächsten 400 Tagen liegen',
  'must be an email address and nothing else, as in ada@example.com':
    'muss eine E-Mail-Adresse sein und nichts weiter, wie ada@example.com',
  'must be an email address, as in support@example.com':
    'muss eine E-Mail-Adresse sein, wie support@example.com',
  'must be an absolute http or https url': 'muss eine vollständige Adresse mit http oder https sein',
  'must be a telephone number and nothing else, as in +31201234567':
    'muss eine Telefonnummer sein und nichts weiter, wie +493012345678',
  'is not a telephone number that can exist; write it with + and its country code, as in +31201234567{}':
    'ist keine mögliche Telefonnummer; schreiben Sie sie mit + und der Landesvorwahl, wie +493012345678',
  'must be another contact': 'muss ein anderer Kontakt sein',
  'is taken by another user': 'gehört einem anderen Benutzer',
  'is taken by another contact of the organization': 'gehört einem anderen Kontakt der Organisation',
  'is taken by another event type of the organization': 'gehört einem anderen Ereignistyp der Organisation',
  'is the name of another category': 'ist der Name einer anderen Kategorie',
  'is the name of another timer': 'ist der Name eines anderen Timers',
  'is not right': 'stimmt nicht',
  'is wrong': 'stimmt nicht',
  'is not an IANA time zone such as Europe/Amsterdam': 'ist keine Zeitzone wie Europe/Berlin',
  'must be the name of a time zone such as Europe/Amsterdam':
    'muss der Name einer Zeitzone sein, wie Europe/Berlin',
  'must be a colour such as #3454d1': 'muss eine Farbe sein, wie #3454d1',
  'there is no such user': 'diesen Benutzer gibt es nicht',
  'there is no such bot': 'diesen Bot gibt es nicht',
  'the event type has no expression yet': 'der Ereignistyp hat noch keinen Ausdruck',
  'a contact has at most {} labels': 'ein Kontakt hat höchstens {} Labels',
  'a contact has at most {} notes; delete one first':
    'ein Kontakt hat höchstens {} Notizen; löschen Sie zuerst eine',
  'A label has at most {} characters.': 'Ein Label hat höchstens {} Zeichen.',
  'A file must not exceed {} MiB.': 'Eine Datei darf höchstens {} MiB haben.',
  '/snooze: the time must be in the future.': 'Der Zeitpunkt muss in der Zukunft liegen.',
  '/snooze: the time must be within 400 days.': 'Der Zeitpunkt muss in den nächsten 400 Tagen liegen.',
  '/snooze: the conversation is closed.': 'Die Unterhaltung ist geschlossen.',
  'The contact has a conversation already.': 'Der Kontakt hat schon eine Unterhaltung.',
  'One-time passwords are in use already. Remove them first.':
    'Einmalpasswörter werden schon verwendet. Entfernen Sie sie zuerst.',
  'You are not a member of this channel.': 'Sie sind kein Mitglied dieses Teams.',
  'This is the last admin of the root organization: create another admin first.':
    'Das ist der letzte Admin der obersten Organisation: Legen Sie zuerst einen anderen an.',
  'The link has expired.': 'Der Link ist abgelaufen.',
  'The link is not valid: it was used, or the email or the password has changed since.':
    'Der Link ist nicht gültig: Er wurde benutzt, oder E-Mail oder Passwort wurden seitdem geändert.',
  'The email, the password or the one-time password is wrong.':
    'E-Mail, Passwort oder Einmalpasswort ist falsch.',
  'Too many logins at once. Please try again.':
    'Zu viele Anmeldungen auf einmal. Bitte versuchen Sie es noch einmal.',
  'Too many mails were requested. Please try again later.':
    'Es wurden zu viele E-Mails angefordert. Bitte versuchen Sie es später noch einmal.',
  'This server sends no mail. An admin of your organization can give you a link.':
    'Dieser Server sendet keine E-Mails. Ein Admin Ihrer Organisation kann Ihnen einen Link geben.',
  'Too many of your uploads are under way.': 'Es laufen zu viele Ihrer Uploads.',
  'The contact is being changed by others. Please try again.':
    'Der Kontakt wird gerade von anderen geändert. Bitte versuchen Sie es noch einmal.',
  'This needs scope {}; you have {}.': 'Dafür ist die Rolle {} nötig; Sie haben {}.',
  'The organization still has {}': 'Die Organisation hat noch {}',
};

const codes: LaterTexts['codes'] = {
  otp_required: 'Dieser Benutzer meldet sich zusätzlich mit einem Einmalpasswort an.',
  forbidden: 'Dazu sind Sie nicht berechtigt.',
  token_expired: 'Ihre Sitzung ist abgelaufen. Melden Sie sich neu an.',
  not_found: 'Diesen Eintrag gibt es nicht (mehr).',
  precondition_failed: 'Der Datensatz wurde inzwischen geändert. Laden Sie ihn neu.',
  too_large: 'Das ist zu groß.',
  rate_limited: 'Bitte versuchen Sie es später noch einmal.',
  login_locked: 'Zu viele fehlgeschlagene Versuche. Bitte versuchen Sie es später noch einmal.',
  unavailable: 'Der Dienst ist gerade nicht verfügbar. Bitte versuchen Sie es noch einmal.',
  paused:
    'Der Betreiber des Servers hat dieses Gespräch angehalten. Bitte versuchen Sie es später noch einmal.',
  internal: 'Ein unerwarteter Fehler ist aufgetreten.',
};

const reasons: LaterTexts['reasons'] = {
  given_up: 'Alle Versuche sind fehlgeschlagen.',
  empty: 'Die Nachricht enthält nichts, was eine SMS übertragen kann.',
  too_large: 'Die Nachricht ist zu groß.',
  undelivered: 'Twilio konnte die Nachricht nicht zustellen.',
  failed: 'Twilio konnte die Nachricht nicht senden.',
  canceled: 'Twilio hat die Nachricht storniert.',
  '21211': 'An diese Nummer kann keine SMS gesendet werden.',
  '21214': 'An diese Nummer kann keine SMS gesendet werden.',
  '21217': 'An diese Nummer kann keine SMS gesendet werden.',
  '21610': 'Der Empfänger hat sich abgemeldet.',
  '21614': 'An diese Nummer kann keine SMS gesendet werden.',
  '30001': 'Twilio hatte zu viele Nachrichten in der Warteschlange.',
  '30002': 'Das Twilio-Konto ist gesperrt.',
  '30003': 'Das Telefon ist nicht erreichbar: Es ist vielleicht ausgeschaltet.',
  '30004': 'Der Empfänger oder der Netzbetreiber blockiert die Nachricht.',
  '30005': 'Die Nummer ist unbekannt oder nicht mehr vergeben.',
  '30006': 'Die Nummer ist ein Festnetzanschluss, oder der Netzbetreiber nimmt keine SMS an.',
  '30007': 'Der Netzbetreiber hat die Nachricht als unerwünscht ausgefiltert.',
  '30008': 'Der Netzbetreiber hat keinen Grund genannt.',
  '30034': 'Die Nummer des Absenders ist bei den Netzbetreibern nicht angemeldet (A2P 10DLC).',
  '5.1.1': 'Diese E-Mail-Adresse gibt es nicht.',
  '5.1.2': 'Die Domain dieser E-Mail-Adresse gibt es nicht.',
  '5.1.3': 'Diese E-Mail-Adresse ist nicht gültig.',
  '5.1.6': 'Der Empfänger hat eine andere E-Mail-Adresse.',
  '5.1.10': 'Diese E-Mail-Adresse gibt es nicht.',
  '5.2.1': 'Das Postfach nimmt keine E-Mails an.',
  '5.2.2': 'Das Postfach ist voll.',
  '5.2.3': 'Die Nachricht ist zu groß.',
  '5.3.4': 'Die Nachricht ist zu groß.',
  '5.4.4': 'Der Mailserver des Empfängers ist nicht zu finden.',
  '5.7.1': 'Der Mailserver des Empfängers lehnt die E-Mail ab.',
};

export const texts: LaterTexts = {
  page,
  inbox,
  labels,
  history,
  narrowing,
  selection,
  webhooks,
  channels,
  contacts,
  reports,
  timers,
  events,
  ingest,
  team,
  teams,
  widget,
  operations,
  account,
  kinds,
  tasks,
  refusals,
  codes,
  reasons,
};

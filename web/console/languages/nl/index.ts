import { nl as page } from '../../../texts/nl.ts';
import type { LaterTexts } from '../catalog.ts';
import { channels, webhooks } from './channels.ts';
import { contacts, reports } from './contacts.ts';
import { history, inbox, labels, narrowing, selection } from './inbox.ts';
import { account, events, ingest, kinds, operations, tasks, team, teams, widget } from './screens.ts';
import { timers } from './timers.ts';

const refusals: LaterTexts['refusals'] = {
  'is required': 'is verplicht',
  'must not be empty': 'mag niet leeg zijn',
  'must have a visible character': 'heeft een zichtbaar teken nodig',
  'must have at least {} characters': 'moet minstens {} tekens hebben',
  'must have at most {} characters': 'mag hoogstens {} tekens hebben',
  'must have at least {} entries': 'moet minstens {} items hebben',
  'must have at most {} entries': 'mag hoogstens {} items hebben',
  'must be at least {}': 'moet minstens {} zijn',
  'must be at most {}': 'mag hoogstens {} zijn',
  'must be one of {}': 'moet een van deze waarden zijn: {}',
  'must not have an entry twice': 'mag geen item dubbel hebben',
  'must be a text': 'moet een tekst zijn',
  'must be a number': 'moet een getal zijn',
  'must be a whole number': 'moet een geheel getal zijn',
  'must be in the future': 'moet in de toekomst liggen',
  'must be within the next 400 days': 'moet binnen de komende 400 dagen liggen',
  'must be an email address and nothing else, as in ada@example.com':
    'moet een e-mailadres zijn en niets anders, zoals ada@example.com',
  'must be an email address, as in support@example.com':
    'moet een e-mailadres zijn, zoals support@example.com',
  'must be an absolute http or https url': 'moet een volledig adres met http of https zijn',
  'must be a telephone number and nothing else, as in +31201234567':
    'moet een telefoonnummer zijn en niets anders, zoals +31201234567',
  'is not a telephone number that can exist; write it with + and its country code, as in +31201234567{}':
    'is geen mogelijk telefoonnummer; schrijf het met + en het landnummer, zoals +31201234567',
  'must be another contact': 'moet een ander contact zijn',
  'is taken by another user': 'is al van een andere gebruiker',
  'is taken by another contact of the organization': 'is al van een ander contact van de organisatie',
  'is taken by another event type of the organization':
    'is al van een ander gebeurtenistype van de organisatie',
  'is the name of another category': 'is de naam van een andere categorie',
  'is the name of another timer': 'is de naam van een andere timer',
  'is not right': 'klopt niet',
  'is wrong': 'klopt niet',
  'is not an IANA time zone such as Europe/Amsterdam': 'is geen tijdzone zoals Europe/Amsterdam',
  'must be the name of a time zone such as Europe/Amsterdam':
    'moet de naam van een tijdzone zijn, zoals Europe/Amsterdam',
  'must be a colour such as #3454d1': 'moet een kleur zijn, zoals #3454d1',
  'there is no such user': 'deze gebruiker bestaat niet',
  'there is no such bot': 'deze bot bestaat niet',
  'the event type has no expression yet': 'het gebeurtenistype heeft nog geen expressie',
  'a contact has at most {} labels': 'een contact heeft hoogstens {} labels',
  'a contact has at most {} notes; delete one first':
    'een contact heeft hoogstens {} notities; verwijder er eerst een',
  'A label has at most {} characters.': 'Een label heeft hoogstens {} tekens.',
  'A file must not exceed {} MiB.': 'Een bestand mag hoogstens {} MiB zijn.',
  '/snooze: the time must be in the future.': 'Het tijdstip moet in de toekomst liggen.',
  '/snooze: the time must be within 400 days.': 'Het tijdstip moet binnen 400 dagen liggen.',
  '/snooze: the conversation is closed.': 'Het gesprek is gesloten.',
  'The contact has a conversation already.': 'Het contact heeft al een gesprek.',
  'One-time passwords are in use already. Remove them first.':
    'Eenmalige wachtwoorden zijn al in gebruik. Verwijder ze eerst.',
  'You are not a member of this channel.': 'Je bent geen lid van dit team.',
  'This is the last admin of the root organization: create another admin first.':
    'Dit is de laatste beheerder van de hoofdorganisatie: maak eerst een andere aan.',
  'The link has expired.': 'De link is verlopen.',
  'The link is not valid: it was used, or the email or the password has changed since.':
    'De link is niet geldig: hij is gebruikt, of e-mail of wachtwoord is sindsdien gewijzigd.',
  'The email, the password or the one-time password is wrong.':
    'De e-mail, het wachtwoord of het eenmalige wachtwoord klopt niet.',
  'Too many logins at once. Please try again.': 'Te veel logins tegelijk. Probeer het opnieuw.',
  'Too many mails were requested. Please try again later.':
    'Er zijn te veel e-mails aangevraagd. Probeer het later opnieuw.',
  'This server sends no mail. An admin of your organization can give you a link.':
    'Deze server verstuurt geen e-mail. Een beheerder van je organisatie kan je een link geven.',
  'Too many of your uploads are under way.': 'Er lopen te veel van je uploads.',
  'The contact is being changed by others. Please try again.':
    'Het contact wordt door anderen gewijzigd. Probeer het opnieuw.',
  'This needs scope {}; you have {}.': 'Hiervoor is de rol {} nodig; je hebt {}.',
  'The organization still has {}': 'De organisatie heeft nog {}',
};

const codes: LaterTexts['codes'] = {
  otp_required: 'Deze gebruiker logt ook met een eenmalig wachtwoord in.',
  forbidden: 'Je hebt hier geen rechten voor.',
  token_expired: 'Je sessie is verlopen. Log opnieuw in.',
  not_found: 'Dit bestaat niet (meer).',
  precondition_failed: 'Het record is intussen gewijzigd. Laad het opnieuw.',
  too_large: 'Dit is te groot.',
  rate_limited: 'Probeer het later opnieuw.',
  login_locked: 'Te veel mislukte pogingen. Probeer het later opnieuw.',
  unavailable: 'De dienst is nu niet beschikbaar. Probeer het opnieuw.',
  paused: 'De beheerder van de server heeft dit gesprek stilgezet. Probeer het later opnieuw.',
  internal: 'Er is een onverwachte fout opgetreden.',
};

const reasons: LaterTexts['reasons'] = {
  given_up: 'Alle pogingen zijn mislukt.',
  empty: 'Het bericht bevat niets wat een sms kan overbrengen.',
  too_large: 'Het bericht is te groot.',
  undelivered: 'Twilio heeft het bericht niet kunnen bezorgen.',
  failed: 'Twilio heeft het bericht niet kunnen verzenden.',
  canceled: 'Twilio heeft het bericht geannuleerd.',
  '21211': 'Naar dit nummer kan geen sms worden gestuurd.',
  '21214': 'Naar dit nummer kan geen sms worden gestuurd.',
  '21217': 'Naar dit nummer kan geen sms worden gestuurd.',
  '21610': 'De ontvanger heeft zich afgemeld.',
  '21614': 'Naar dit nummer kan geen sms worden gestuurd.',
  '30001': 'Twilio had te veel berichten in de wachtrij.',
  '30002': 'Het Twilio-account is geblokkeerd.',
  '30003': 'De telefoon is niet bereikbaar: hij staat misschien uit.',
  '30004': 'De ontvanger of de provider blokkeert het bericht.',
  '30005': 'Het nummer is onbekend of niet meer in gebruik.',
  '30006': 'Het is een vast nummer, of de provider ervan neemt geen sms aan.',
  '30007': 'De provider hield het bericht tegen als ongewenst.',
  '30008': 'De provider gaf geen reden.',
  '30034': 'Het nummer van de afzender is niet aangemeld bij de providers (A2P 10DLC).',
  '5.1.1': 'Dit e-mailadres bestaat niet.',
  '5.1.2': 'Het domein van dit e-mailadres bestaat niet.',
  '5.1.3': 'Dit e-mailadres is niet geldig.',
  '5.1.6': 'De ontvanger is verhuisd naar een ander e-mailadres.',
  '5.1.10': 'Dit e-mailadres bestaat niet.',
  '5.2.1': 'De mailbox neemt geen e-mail aan.',
  '5.2.2': 'De mailbox is vol.',
  '5.2.3': 'Het bericht is te groot.',
  '5.3.4': 'Het bericht is te groot.',
  '5.4.4': 'De mailserver van de ontvanger is niet te vinden.',
  '5.7.1': 'De mailserver van de ontvanger weigert de e-mail.',
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

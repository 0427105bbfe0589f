import type { Texts } from './en.ts';

export const nl: Texts = {
  conversation: 'Gesprek',
  needsJavaScript: 'Dit gesprek heeft JavaScript nodig.',
  notFound: 'Hier is geen gesprek',
  whyNotFound:
    'Misschien is het verwijderd, of is het adres niet volledig. Controleer de link die u hebt gekregen.',

  connected: 'Verbonden',
  connecting: 'Verbinding maken…',
  reconnecting: 'Opnieuw verbinden…',
  reconnectingToSend: 'Opnieuw verbinden… uw berichten worden verzonden',
  gone: 'Dit gesprek bestaat niet meer',

  messages: 'Berichten',
  earlier: 'Eerdere berichten tonen',
  nothingYet: 'Hier staat nog niets. Stuur ons een bericht!',
  today: 'Vandaag',
  newMessages: 'Nieuwe berichten',
  newest: 'Naar het einde',
  countNew: (count) => `${count} ${count === 1 ? 'nieuw' : 'nieuwe'}`,

  authors: { contact: 'U', agent: 'Medewerker', bot: 'Bot', system: 'Systeem' },
  agentTypes: 'Een medewerker is aan het typen',
  botTypes: 'De bot is aan het typen',
  picture: 'Afbeelding',
  pictureMissing: (name) => `Afbeelding niet beschikbaar: ${name}`,
  showPicture: (host) => `Afbeelding van ${host} tonen`,

  sending: 'Wordt verzonden…',
  notSent: 'Niet verzonden',
  refused: 'Het bericht is geweigerd.',
  remove: 'Verwijderen',

  message: 'Bericht',
  writeMessage: 'Schrijf een bericht',
  send: 'Verzenden',
  place: 'Uw locatie',
  writePlace: 'Waar bent u? Straat en plaats',

  openInTab: 'Openen in een nieuw tabblad',
  close: 'Sluiten',

  read: 'Gelezen',
  typesNamed: (name) => `${name} is aan het typen`,
  hours: 'Openingstijden',
  file: 'Bestand',

  files: 'Bestanden',
  attach: 'Bestanden toevoegen',
  takePicture: 'Foto maken',
  dropHere: 'Zet bestanden hier neer',
  uploading: (name) => `${name} wordt geüpload`,
  removeUpload: (name) => `${name} verwijderen`,
  retryUpload: (name) => `${name} opnieuw uploaden`,
  uploadFailed: 'Het uploaden is mislukt.',
  fileTooLarge: 'Een bestand mag hoogstens 16 MB zijn.',
  waitForUploads: 'De bestanden zijn nog niet geüpload',
  tooLong: (excess) => `De tekst is te lang. Verwijder ${excess} tekens.`,
  previous: 'Vorige afbeelding',
  next: 'Volgende afbeelding',

  options: 'Opties',
  sound: 'Geluid',
  notifications: 'Meldingen',
  notAllowed: 'Uw browser staat hier geen meldingen toe.',
  print: 'Gesprek afdrukken',
  readingAll: 'Het hele gesprek wordt gelezen…',

  closed: 'Dit gesprek is gesloten. Schrijf een bericht om het weer te openen.',
  joined: (names: string) => `${names} heeft het gesprek overgenomen.`,
  rate: 'Hoe was dit gesprek?',
  rating: (rating: number, max: number) => `${rating} van ${max}`,
  comment: 'Wat kunnen we beter doen?',
  sendRating: 'Beoordeling versturen',
  rated: 'Bedankt voor uw beoordeling.',
  ratingFailed: 'De beoordeling is niet verstuurd. Probeer het opnieuw.',

  widget: {
    open: 'Chat openen',
    close: 'Chat sluiten',
    unread: '{count} ongelezen',
    connecting: 'Verbinden…',
    unreachable: 'De chat is nu niet bereikbaar.',
    again: 'Opnieuw proberen',
  },
};

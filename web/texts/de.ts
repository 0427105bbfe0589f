import type { Texts } from './en.ts';

export const de: Texts = {
  conversation: 'Unterhaltung',
  needsJavaScript: 'Diese Unterhaltung braucht JavaScript.',
  notFound: 'Hier ist keine Unterhaltung',
  whyNotFound:
    'Sie wurde vielleicht gelöscht, oder die Adresse ist unvollständig. Bitte prüfen Sie den Link, den Sie bekommen haben.',

  connected: 'Verbunden',
  connecting: 'Verbindung wird aufgebaut …',
  reconnecting: 'Neu verbinden …',
  reconnectingToSend: 'Neu verbinden … Ihre Nachrichten werden gesendet',
  gone: 'Diese Unterhaltung gibt es nicht mehr',

  messages: 'Nachrichten',
  earlier: 'Frühere Nachrichten zeigen',
  nothingYet: 'Hier steht noch nichts. Schreiben Sie uns!',
  today: 'Heute',
  newMessages: 'Neue Nachrichten',
  newest: 'Zum Ende',
  countNew: (count) => `${count} neue`,

  authors: { contact: 'Sie', agent: 'Team', bot: 'Bot', system: 'System' },
  agentTypes: 'Jemand schreibt',
  botTypes: 'Der Bot schreibt',
  picture: 'Bild',
  pictureMissing: (name) => `Bild nicht verfügbar: ${name}`,
  showPicture: (host) => `Bild von ${host} zeigen`,

  sending: 'Wird gesendet …',
  notSent: 'Nicht gesendet',
  refused: 'Die Nachricht wurde nicht angenommen.',
  remove: 'Entfernen',

  message: 'Nachricht',
  writeMessage: 'Nachricht schreiben',
  send: 'Senden',
  place: 'Ihr Standort',
  writePlace: 'Wo sind Sie? Straße und Ort',

  openInTab: 'In neuem Tab öffnen',
  close: 'Schließen',

  read: 'Gelesen',
  typesNamed: (name) => `${name} schreibt`,
  hours: 'Öffnungszeiten',
  file: 'Datei',

  files: 'Dateien',
  attach: 'Dateien anhängen',
  takePicture: 'Foto aufnehmen',
  dropHere: 'Dateien hier ablegen',
  uploading: (name) => `${name} wird hochgeladen`,
  removeUpload: (name) => `${name} entfernen`,
  retryUpload: (name) => `${name} erneut hochladen`,
  uploadFailed: 'Das Hochladen ist fehlgeschlagen.',
  fileTooLarge: 'Eine Datei darf höchstens 16 MB haben.',
  waitForUploads: 'Die Dateien sind noch nicht hochgeladen',
  tooLong: (excess) => `Der Text ist zu lang. Bitte kürzen Sie ihn um ${excess} Zeichen.`,
  previous: 'Voriges Bild',
  next: 'Nächstes Bild',

  options: 'Optionen',
  sound: 'Ton',
  notifications: 'Benachrichtigungen',
  notAllowed: 'Ihr Browser erlaubt hier keine Benachrichtigungen.',
  print: 'Unterhaltung drucken',
  readingAll: 'Die ganze Unterhaltung wird gelesen …',

  closed: 'Dieses Gespräch wurde geschlossen. Eine Nachricht öffnet es wieder.',
  joined: (names: string) => `${names} hat das Gespräch übernommen.`,
  rate: 'Wie war dieses Gespräch?',
  rating: (rating: number, max: number) => `${rating} von ${max}`,
  comment: 'Was können wir besser machen?',
  sendRating: 'Bewertung senden',
  rated: 'Danke für Ihre Bewertung.',
  ratingFailed: 'Die Bewertung wurde nicht gesendet. Bitte versuchen Sie es noch einmal.',

  widget: {
    open: 'Chat öffnen',
    close: 'Chat schließen',
    unread: '{count} ungelesen',
    connecting: 'Verbinden…',
    unreachable: 'Der Chat ist gerade nicht erreichbar.',
    again: 'Erneut versuchen',
  },
};

import type { Texts } from './en.ts';

export const fr: Texts = {
  conversation: 'Conversation',
  needsJavaScript: 'Cette conversation nécessite JavaScript.',
  notFound: 'Il n’y a pas de conversation ici',
  whyNotFound:
    'Elle a peut-être été supprimée, ou l’adresse est incomplète. Veuillez vérifier le lien que vous avez reçu.',

  connected: 'Connecté',
  connecting: 'Connexion…',
  reconnecting: 'Reconnexion…',
  reconnectingToSend: 'Reconnexion… vos messages seront envoyés',
  gone: 'Cette conversation n’existe plus',

  messages: 'Messages',
  earlier: 'Afficher les messages précédents',
  nothingYet: 'Aucun message pour l’instant. Écrivez-nous !',
  today: 'Aujourd’hui',
  newMessages: 'Nouveaux messages',
  newest: 'Aller à la fin',
  countNew: (count) => `${count} ${count === 1 ? 'nouveau' : 'nouveaux'}`,

  authors: { contact: 'Vous', agent: 'Conseiller', bot: 'Bot', system: 'Système' },
  agentTypes: 'Un conseiller est en train d’écrire',
  botTypes: 'Le bot est en train d’écrire',
  picture: 'Image',
  pictureMissing: (name) => `Image indisponible : ${name}`,
  showPicture: (host) => `Afficher l’image de ${host}`,

  sending: 'Envoi…',
  notSent: 'Non envoyé',
  refused: 'Le message a été refusé.',
  remove: 'Supprimer',

  message: 'Message',
  writeMessage: 'Écrire un message',
  send: 'Envoyer',
  place: 'Votre position',
  writePlace: 'Où êtes-vous ? Rue et ville',

  openInTab: 'Ouvrir dans un nouvel onglet',
  close: 'Fermer',

  read: 'Lu',
  typesNamed: (name) => `${name} écrit`,
  hours: "Heures d'ouverture",
  file: 'Fichier',

  files: 'Fichiers',
  attach: 'Joindre des fichiers',
  takePicture: 'Prendre une photo',
  dropHere: 'Déposez les fichiers ici',
  uploading: (name) => `Envoi de ${name}`,
  removeUpload: (name) => `Retirer ${name}`,
  retryUpload: (name) => `Renvoyer ${name}`,
  uploadFailed: 'L’envoi du fichier a échoué.',
  fileTooLarge: 'Un fichier ne peut dépasser 16 Mo.',
  waitForUploads: 'Les fichiers ne sont pas encore envoyés',
  tooLong: (excess) => `Le texte est trop long. Supprimez ${excess} caractères.`,
  previous: 'Image précédente',
  next: 'Image suivante',

  options: 'Options',
  sound: 'Son',
  notifications: 'Notifications',
  notAllowed: 'Votre navigateur ne permet pas les notifications ici.',
  print: 'Imprimer la conversation',
  readingAll: 'Lecture de toute la conversation…',

  closed: 'Cette conversation est close. Écrivez un message pour la rouvrir.',
  joined: (names: string) => `${names} a repris la conversation.`,
  rate: 'Comment était cette conversation ?',
  rating: (rating: number, max: number) => `${rating} sur ${max}`,
  comment: 'Que pourrions-nous améliorer ?',
  sendRating: 'Envoyer la note',
  rated: 'Merci pour votre note.',
  ratingFailed: 'La note n’a pas été envoyée. Veuillez réessayer.',

  widget: {
    open: 'Ouvrir le chat',
    close: 'Fermer le chat',
    unread: '{count} non lus',
    connecting: 'Connexion…',
    unreachable: 'Le chat est injoignable pour le moment.',
    again: 'Réessayer',
  },
};

import { fr as page } from '../../../texts/fr.ts';
import type { LaterTexts } from '../catalog.ts';
import { channels, webhooks } from './channels.ts';
import { contacts, reports } from './contacts.ts';
import { history, inbox, labels, narrowing, selection } from './inbox.ts';
import { account, events, ingest, kinds, operations, tasks, team, teams, widget } from './screens.ts';
import { timers } from './timers.ts';

const refusals: LaterTexts['refusals'] = {
  'is required': 'est obligatoire',
  'must not be empty': 'ne doit pas être vide',
  'must have a visible character': 'doit avoir un caractère visible',
  'must have at least {} characters': 'doit avoir au moins {} caractères',
  'must have at most {} characters': 'doit avoir au plus {} caractères',
  'must have at least {} entries': 'doit avoir au moins {} éléments',
  'must have at most {} entries': 'doit avoir au plus {} éléments',
  'must be at least {}': 'doit être au moins {}',
  'must be at most {}': 'doit être au plus {}',
  'must be one of {}': 'doit être l’une de ces valeurs : {}',
  'must not have an entry twice': 'ne doit pas avoir deux fois le même élément',
  'must be a text': 'doit être un texte',
  'must be a number': 'doit être un nombre',
  'must be a whole number': 'doit être un nombre entier',
  'must be in the future': 'doit être dans le futur',
  'must be within the next 400 days': 'doit être dans les 400 prochains jours',
  'must be an email address and nothing else, as in ada@example.com':
    'doit être une adresse e-mail et rien d’autre, comme ada@example.com',
  'must be an email address, as in support@example.com':
    'doit être une adresse e-mail, comme support@example.com',
  'must be an absolute http or https url': 'doit être une adresse complète en http ou https',
  'must be a telephone number and nothing else, as in +31201234567':
    'doit être un numéro de téléphone et rien d’autre, comme +33123456789',
  'is not a telephone number that can exist; write it with + and its country code, as in +31201234567{}':
    'n’est pas un numéro de téléphone possible ; écrivez-le avec + et l’indicatif du pays, comme +33123456789',
  'must be another contact': 'doit être un autre contact',
  'is taken by another user': 'appartient déjà à un autre utilisateur',
  'is taken by another contact of the organization': 'appartient déjà à un autre contact de l’organisation',
  'is taken by another event type of the organization':
    'appartient déjà à un autre type d’événement de l’organisation',
  'is the name of another category': 'est le nom d’une autre catégorie',
  'is the name of another timer': 'est le nom d’une autre minuterie',
  'is not right': 'n’est pas correct',
  'is wrong': 'n’est pas correct',
  'is not an IANA time zone such as Europe/Amsterdam': 'n’est pas un fuseau horaire comme Europe/Paris',
  'must be the name of a time zone such as Europe/Amsterdam':
    'doit être le nom d’un fuseau horaire, comme Europe/Paris',
  'must be a colour such as #3454d1': 'doit être une couleur, comme #3454d1',
  'there is no such user': 'cet utilisateur n’existe pas',
  'there is no such bot': 'ce bot n’existe pas',
  'the event type has no expression yet': 'le type d’événement n’a pas encore d’expression',
  'a contact has at most {} labels': 'un contact a au plus {} étiquettes',
  'a contact has at most {} notes; delete one first':
    'un contact a au plus {} notes ; supprimez-en d’abord une',
  'A label has at most {} characters.': 'Une étiquette a au plus {} caractères.',
  'A file must not exceed {} MiB.': 'Un fichier ne peut dépasser {} Mio.',
  '/snooze: the time must be in the future.': 'Le moment doit être dans le futur.',
  '/snooze: the time must be within 400 days.': 'Le moment doit être dans les 400 prochains jours.',
  '/snooze: the conversation is closed.': 'La conversation est fermée.',
  'The contact has a conversation already.': 'Le contact a déjà une conversation.',
  'One-time passwords are in use already. Remove them first.':
    'Les mots de passe à usage unique sont déjà utilisés. Supprimez-les d’abord.',
  'You are not a member of this channel.': 'Vous n’êtes pas membre de cette équipe.',
  'This is the last admin of the root organization: create another admin first.':
    'C’est le dernier administrateur de l’organisation racine : créez-en d’abord un autre.',
  'The link has expired.': 'Le lien a expiré.',
  'The link is not valid: it was used, or the email or the password has changed since.':
    'Le lien n’est pas valide : il a été utilisé, ou l’e-mail ou le mot de passe a changé depuis.',
  'The email, the password or the one-time password is wrong.':
    'L’e-mail, le mot de passe ou le mot de passe à usage unique est incorrect.',
  'Too many logins at once. Please try again.': 'Trop de connexions à la fois. Veuillez réessayer.',
  'Too many mails were requested. Please try again later.':
    'Trop d’e-mails ont été demandés. Veuillez réessayer plus tard.',
  'This server sends no mail. An admin of your organization can give you a link.':
    'Ce serveur n’envoie pas d’e-mails. Un administrateur de votre organisation peut vous donner un lien.',
  'Too many of your uploads are under way.': 'Trop de vos envois de fichiers sont en cours.',
  'The contact is being changed by others. Please try again.':
    'Le contact est modifié par d’autres. Veuillez réessayer.',
  'This needs scope {}; you have {}.': 'Le rôle {} est nécessaire ; vous avez {}.',
  'The organization still has {}': 'L’organisation a encore {}',
};

const codes: LaterTexts['codes'] = {
  otp_required: 'Cet utilisateur se connecte aussi avec un mot de passe à usage unique.',
  forbidden: 'Vous n’avez pas le droit de faire cela.',
  token_expired: 'Votre session a expiré. Reconnectez-vous.',
  not_found: 'Cet élément n’existe pas ou plus.',
  precondition_failed: 'L’enregistrement a été modifié entre-temps. Rechargez-le.',
  too_large: 'C’est trop volumineux.',
  rate_limited: 'Veuillez réessayer plus tard.',
  login_locked: 'Trop de tentatives échouées. Veuillez réessayer plus tard.',
  unavailable: 'Le service n’est pas disponible pour le moment. Veuillez réessayer.',
  paused: 'L’exploitant du serveur a suspendu cette conversation. Veuillez réessayer plus tard.',
  internal: 'Une erreur inattendue s’est produite.',
};

const reasons: LaterTexts['reasons'] = {
  given_up: 'Toutes les tentatives ont échoué.',
  empty: 'Le message ne contient rien qu’un SMS puisse transmettre.',
  too_large: 'Le message est trop volumineux.',
  undelivered: 'Twilio n’a pas pu remettre le message.',
  failed: 'Twilio n’a pas pu envoyer le message.',
  canceled: 'Twilio a annulé le message.',
  '21211': 'Aucun SMS ne peut être envoyé à ce numéro.',
  '21214': 'Aucun SMS ne peut être envoyé à ce numéro.',
  '21217': 'Aucun SMS ne peut être envoyé à ce numéro.',
  '21610': 'Le destinataire s’est désabonné.',
  '21614': 'Aucun SMS ne peut être envoyé à ce numéro.',
  '30001': 'La file d’attente de Twilio était pleine.',
  '30002': 'Le compte Twilio est suspendu.',
  '30003': 'Le téléphone est injoignable : il est peut-être éteint.',
  '30004': 'Le destinataire ou l’opérateur bloque le message.',
  '30005': 'Le numéro est inconnu ou n’est plus attribué.',
  '30006': 'Le numéro est un poste fixe, ou son opérateur n’accepte pas les SMS.',
  '30007': 'L’opérateur a filtré le message comme indésirable.',
  '30008': 'L’opérateur n’a donné aucune raison.',
  '30034': 'Le numéro d’envoi n’est pas enregistré auprès des opérateurs (A2P 10DLC).',
  '5.1.1': 'Cette adresse e-mail n’existe pas.',
  '5.1.2': 'Le domaine de cette adresse e-mail n’existe pas.',
  '5.1.3': 'Cette adresse e-mail n’est pas valide.',
  '5.1.6': 'Le destinataire a une autre adresse e-mail.',
  '5.1.10': 'Cette adresse e-mail n’existe pas.',
  '5.2.1': 'La boîte aux lettres n’accepte pas d’e-mails.',
  '5.2.2': 'La boîte aux lettres est pleine.',
  '5.2.3': 'Le message est trop volumineux.',
  '5.3.4': 'Le message est trop volumineux.',
  '5.4.4': 'Le serveur de messagerie du destinataire est introuvable.',
  '5.7.1': 'Le serveur de messagerie du destinataire refuse l’e-mail.',
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

import { es as page } from '../../../texts/es.ts';
import type { LaterTexts } from '../catalog.ts';
import { channels, webhooks } from './channels.ts';
import { contacts, reports } from './contacts.ts';
import { history, inbox, labels, narrowing, selection } from './inbox.ts';
import { account, events, ingest, kinds, operations, tasks, team, teams, widget } from './screens.ts';
import { timers } from './timers.ts';

const refusals: LaterTexts['refusals'] = {
  'is required': 'es obligatorio',
  'must not be empty': 'no debe estar vacío',
  'must have a visible character': 'debe tener un carácter visible',
  'must have at least {} characters': 'debe tener al menos {} caracteres',
  'must have at most {} characters': 'debe tener como máximo {} caracteres',
  'must have at least {} entries': 'debe tener al menos {} elementos',
  'must have at most {} entries': 'debe tener como máximo {} elementos',
  'must be at least {}': 'debe ser al menos {}',
  'must be at most {}': 'debe ser como máximo {}',
  'must be one of {}': 'debe ser uno de estos valores: {}',
  'must not have an entry twice': 'no debe tener un elemento dos veces',
  'must be a text': 'debe ser un texto',
  'must be a number': 'debe ser un número',
  'must be a whole number': 'debe ser un número entero',
  'must be in the future': 'debe estar en el futuro',
  'must be within the next 400 days': 'debe estar dentro de los próximos 400 días',
  'must be an email address and nothing else, as in ada@example.com':
    'debe ser una dirección de correo y nada más, como ada@example.com',
  'must be an email address, as in support@example.com':
    'debe ser una dirección de correo, como support@example.com',
  'must be an absolute http or https url': 'debe ser una dirección completa con http o https',
  'must be a telephone number and nothing else, as in +31201234567':
    'debe ser un número de teléfono y nada más, como +34912345678',
  'is not a telephone number that can exist; write it with + and its country code, as in +31201234567{}':
    'no es un número de teléfono posible; escríbalo con + y el prefijo del país, como +34912345678',
  'must be another contact': 'debe ser otro contacto',
  'is taken by another user': 'ya pertenece a otro usuario',
  'is taken by another contact of the organization': 'ya pertenece a otro contacto de la organización',
  'is taken by another event type of the organization':
    'ya pertenece a otro tipo de evento de la organización',
  'is the name of another category': 'es el nombre de otra categoría',
  'is the name of another timer': 'es el nombre de otro temporizador',
  'is not right': 'no es correcto',
  'is wrong': 'no es correcto',
  'is not an IANA time zone such as Europe/Amsterdam': 'no es una zona horaria como Europe/Madrid',
  'must be the name of a time zone such as Europe/Amsterdam':
    'debe ser el nombre de una zona horaria, como Europe/Madrid',
  'must be a colour such as #3454d1': 'debe ser un color, como #3454d1',
  'there is no such user': 'no existe este usuario',
  'there is no such bot': 'no existe este bot',
  'the event type has no expression yet': 'el tipo de evento todavía no tiene expresión',
  'a contact has at most {} labels': 'un contacto tiene como máximo {} etiquetas',
  'a contact has at most {} notes; delete one first':
    'un contacto tiene como máximo {} notas; elimine primero una',
  'A label has at most {} characters.': 'Una etiqueta tiene como máximo {} caracteres.',
  'A file must not exceed {} MiB.': 'Un archivo puede tener como máximo {} MiB.',
  '/snooze: the time must be in the future.': 'El momento debe estar en el futuro.',
  '/snooze: the time must be within 400 days.': 'El momento debe estar dentro de los próximos 400 días.',
  '/snooze: the conversation is closed.': 'La conversación está cerrada.',
  'The contact has a conversation already.': 'El contacto ya tiene una conversación.',
  'One-time passwords are in use already. Remove them first.':
    'Las contraseñas de un solo uso ya están en uso. Quítelas primero.',
  'You are not a member of this channel.': 'Usted no es miembro de este equipo.',
  'This is the last admin of the root organization: create another admin first.':
    'Es el último administrador de la organización raíz: cree primero otro.',
  'The link has expired.': 'El enlace ha caducado.',
  'The link is not valid: it was used, or the email or the password has changed since.':
    'El enlace no es válido: se ha usado, o el correo o la contraseña han cambiado desde entonces.',
  'The email, the password or the one-time password is wrong.':
    'El correo, la contraseña o la contraseña de un solo uso no es correcta.',
  'Too many logins at once. Please try again.': 'Demasiados inicios de sesión a la vez. Inténtelo de nuevo.',
  'Too many mails were requested. Please try again later.':
    'Se han solicitado demasiados correos. Inténtelo más tarde.',
  'This server sends no mail. An admin of your organization can give you a link.':
    'Este servidor no envía correo. Un administrador de su organización puede darle un enlace.',
  'Too many of your uploads are under way.': 'Hay demasiadas subidas suyas en curso.',
  'The contact is being changed by others. Please try again.':
    'Otros están cambiando el contacto. Inténtelo de nuevo.',
  'This needs scope {}; you have {}.': 'Se necesita el rol {}; usted tiene {}.',
  'The organization still has {}': 'La organización todavía tiene {}',
};

const codes: LaterTexts['codes'] = {
  otp_required: 'Este usuario inicia sesión también con una contraseña de un solo uso.',
  forbidden: 'No tiene permiso para esto.',
  token_expired: 'Su sesión ha caducado. Vuelva a iniciar sesión.',
  not_found: 'Este elemento no existe o ya no existe.',
  precondition_failed: 'El registro ha cambiado entretanto. Vuelva a cargarlo.',
  too_large: 'Es demasiado grande.',
  rate_limited: 'Inténtelo más tarde.',
  login_locked: 'Demasiados intentos fallidos. Inténtelo más tarde.',
  unavailable: 'El servicio no está disponible en este momento. Inténtelo de nuevo.',
  paused: 'El operador del servidor ha detenido esta conversación. Inténtelo más tarde.',
  internal: 'Se ha producido un error inesperado.',
};

const reasons: LaterTexts['reasons'] = {
  given_up: 'Todos los intentos han fallado.',
  empty: 'El mensaje no contiene nada que pueda enviarse por SMS.',
  too_large: 'El mensaje es demasiado grande.',
  undelivered: 'Twilio no ha podido entregar el mensaje.',
  failed: 'Twilio no ha podido enviar el mensaje.',
  canceled: 'Twilio ha cancelado el mensaje.',
  '21211': 'No se puede enviar un SMS a este número.',
  '21214': 'No se puede enviar un SMS a este número.',
  '21217': 'No se puede enviar un SMS a este número.',
  '21610': 'El destinatario se ha dado de baja.',
  '21614': 'No se puede enviar un SMS a este número.',
  '30001': 'La cola de Twilio estaba llena.',
  '30002': 'La cuenta de Twilio está suspendida.',
  '30003': 'El teléfono no está disponible: puede estar apagado.',
  '30004': 'El destinatario o la operadora bloquea el mensaje.',
  '30005': 'El número es desconocido o ya no se usa.',
  '30006': 'El número es de una línea fija, o su operadora no acepta SMS.',
  '30007': 'La operadora ha filtrado el mensaje como no deseado.',
  '30008': 'La operadora no ha dado ningún motivo.',
  '30034': 'El número de envío no está registrado en las operadoras (A2P 10DLC).',
  '5.1.1': 'Esta dirección de correo no existe.',
  '5.1.2': 'El dominio de esta dirección de correo no existe.',
  '5.1.3': 'Esta dirección de correo no es válida.',
  '5.1.6': 'El destinatario tiene otra dirección de correo.',
  '5.1.10': 'Esta dirección de correo no existe.',
  '5.2.1': 'El buzón no acepta correo.',
  '5.2.2': 'El buzón está lleno.',
  '5.2.3': 'El mensaje es demasiado grande.',
  '5.3.4': 'El mensaje es demasiado grande.',
  '5.4.4': 'No se encuentra el servidor de correo del destinatario.',
  '5.7.1': 'El servidor de correo del destinatario rechaza el correo.',
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

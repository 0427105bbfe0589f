import type { Texts } from './en.ts';

export const es: Texts = {
  conversation: 'Conversación',
  needsJavaScript: 'Esta conversación necesita JavaScript.',
  notFound: 'Aquí no hay ninguna conversación',
  whyNotFound:
    'Quizá se haya eliminado, o la dirección está incompleta. Compruebe el enlace que ha recibido.',

  connected: 'Conectado',
  connecting: 'Conectando…',
  reconnecting: 'Reconectando…',
  reconnectingToSend: 'Reconectando… sus mensajes se enviarán',
  gone: 'Esta conversación ya no existe',

  messages: 'Mensajes',
  earlier: 'Mostrar mensajes anteriores',
  nothingYet: 'Todavía no hay mensajes. ¡Escríbanos!',
  today: 'Hoy',
  newMessages: 'Mensajes nuevos',
  newest: 'Ir al final',
  countNew: (count) => `${count} ${count === 1 ? 'nuevo' : 'nuevos'}`,

  authors: { contact: 'Usted', agent: 'Agente', bot: 'Bot', system: 'Sistema' },
  agentTypes: 'Un agente está escribiendo',
  botTypes: 'El bot está escribiendo',
  picture: 'Imagen',
  pictureMissing: (name) => `Imagen no disponible: ${name}`,
  showPicture: (host) => `Mostrar la imagen de ${host}`,

  sending: 'Enviando…',
  notSent: 'No enviado',
  refused: 'El mensaje no se ha aceptado.',
  remove: 'Quitar',

  message: 'Mensaje',
  writeMessage: 'Escriba un mensaje',
  send: 'Enviar',
  place: 'Su ubicación',
  writePlace: '¿Dónde está? Calle y localidad',

  openInTab: 'Abrir en una pestaña nueva',
  close: 'Cerrar',

  read: 'Leído',
  typesNamed: (name) => `${name} está escribiendo`,
  hours: 'Horario',
  file: 'Archivo',

  files: 'Archivos',
  attach: 'Adjuntar archivos',
  takePicture: 'Hacer una foto',
  dropHere: 'Suelte los archivos aquí',
  uploading: (name) => `Subiendo ${name}`,
  removeUpload: (name) => `Quitar ${name}`,
  retryUpload: (name) => `Volver a subir ${name}`,
  uploadFailed: 'No se pudo subir el archivo.',
  fileTooLarge: 'Un archivo puede tener como máximo 16 MB.',
  waitForUploads: 'Los archivos aún no se han subido',
  tooLong: (excess) => `El texto es demasiado largo. Elimine ${excess} caracteres.`,
  previous: 'Imagen anterior',
  next: 'Imagen siguiente',

  options: 'Opciones',
  sound: 'Sonido',
  notifications: 'Notificaciones',
  notAllowed: 'Su navegador no permite notificaciones aquí.',
  print: 'Imprimir la conversación',
  readingAll: 'Leyendo toda la conversación…',

  closed: 'Esta conversación está cerrada. Escriba un mensaje para abrirla de nuevo.',
  joined: (names: string) => `${names} se ha hecho cargo de la conversación.`,
  rate: '¿Cómo ha sido esta conversación?',
  rating: (rating: number, max: number) => `${rating} de ${max}`,
  comment: '¿Qué podríamos mejorar?',
  sendRating: 'Enviar valoración',
  rated: 'Gracias por su valoración.',
  ratingFailed: 'La valoración no se ha enviado. Inténtelo de nuevo.',

  widget: {
    open: 'Abrir el chat',
    close: 'Cerrar el chat',
    unread: '{count} sin leer',
    connecting: 'Conectando…',
    unreachable: 'El chat no está disponible en este momento.',
    again: 'Reintentar',
  },
};

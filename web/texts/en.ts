export const en = {
  conversation: 'Conversation',
  needsJavaScript: 'This conversation needs JavaScript.',
  notFound: 'Conversation not found',
  whyNotFound:
    'It may have been removed, or the address is incomplete. Please check the link that you were given.',

  connected: 'Connected',
  connecting: 'Connecting…',
  reconnecting: 'Reconnecting…',
  reconnectingToSend: 'Reconnecting… your messages will be sent',
  gone: 'This conversation no longer exists',

  messages: 'Messages',
  earlier: 'Show earlier messages',
  nothingYet: 'No messages yet. Write to us!',
  today: 'Today',
  newMessages: 'New messages',
  newest: 'Newest',
  countNew: (count: number) => `${count} new`,

  authors: { contact: 'You', agent: 'Agent', bot: 'Bot', system: 'System' },
  agentTypes: 'An agent is typing',
  botTypes: 'The bot is typing',
  picture: 'Picture',
  pictureMissing: (name: string) => `Picture not available: ${name}`,
  showPicture: (host: string) => `Show the picture from ${host}`,

  sending: 'Sending…',
  notSent: 'Not sent',
  refused: 'The message was refused.',
  remove: 'Remove',

  message: 'Message',
  writeMessage: 'Write a message',
  send: 'Send',
  place: 'Your location',
  writePlace: 'Where are you? Write a street and a place',

  openInTab: 'Open in a new tab',
  close: 'Close',

  read: 'Read',
  typesNamed: (name: string) => `${name} is typing`,
  hours: 'Opening hours',
  file: 'File',

  files: 'Files',
  attach: 'Attach files',
  takePicture: 'Take a picture',
  dropHere: 'Drop files here',
  uploading: (name: string) => `Uploading ${name}`,
  removeUpload: (name: string) => `Remove ${name}`,
  retryUpload: (name: string) => `Upload ${name} again`,
  uploadFailed: 'The upload failed.',
  fileTooLarge: 'A file may have at most 16 MB.',
  waitForUploads: 'The files are not uploaded yet',
  tooLong: (excess: number) => `The text is too long. Remove ${excess} characters.`,
  previous: 'Previous picture',
  next: 'Next picture',

  options: 'Options',
  sound: 'Sound',
  notifications: 'Notifications',
  notAllowed: 'Your browser does not allow notifications here.',
  print: 'Print the conversation',
  readingAll: 'Reading the whole conversation…',

  closed: 'This conversation was closed. Write a message to open it again.',
  joined: (names: string) => `${names} has taken over the conversation.`,
  rate: 'How was this conversation?',
  rating: (rating: number, max: number) => `${rating} of ${max}`,
  comment: 'What could we do better?',
  sendRating: 'Send rating',
  rated: 'Thank you for your rating.',
  ratingFailed: 'The rating was not sent. Please try again.',

  widget: {
    open: 'Open chat',
    close: 'Close chat',
    unread: '{count} unread',
    connecting: 'Connecting…',
    unreachable: 'The chat cannot be reached right now.',
    again: 'Try again',
  },
};

export type Texts = typeof en;

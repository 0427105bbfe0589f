import { typingInput } from '../resources/conversations/conversations.ts';
import { openRoute } from '../route.ts';
import type { Route } from '../route.ts';
import { showAsset, showHome, showPage, showLook, showWidget } from './pages.ts';
import { serveFile } from '../files/serve.ts';
import { postAsContact, uploadAsContact, viewerInput } from './post.ts';
import { putRead, putTyping, readInput, showUnread, readConversation, streamToContact } from './chat.ts';
import { startChat, startInput } from './begin.ts';

/** Routes without a token: the slug of a chat is a secret. */
export const PAGES: readonly Route[] = [
  openRoute('GET /', 'What runs here', showHome),
  openRoute('GET /viewer/:file', 'A file of the pages', showAsset),
  openRoute('GET /widget.js', 'What a website loads to have the widget', showWidget),
  openRoute('GET /c/:organization/look', "What the widget's button needs", showLook),
  openRoute('POST /c/:organization/start', 'Ask for the key of a conversation', startChat, {
    body: startInput,
  }),
  openRoute('GET /c/:slug', "The contact's page", showPage),
  openRoute('GET /c/:slug/messages', 'Read the main thread', readConversation),
  openRoute('POST /c/:slug/messages', 'Say something as the contact', postAsContact, { body: viewerInput }),
  openRoute('POST /c/:slug/files', 'Upload a file as the contact', uploadAsContact, { takesFile: true }),
  // `:key` would have to be an id.
  openRoute('GET /f/:fileKey', 'A file of a conversation', serveFile),
  openRoute('GET /c/:slug/unread', 'Count what the contact has not read', showUnread),
  openRoute('PUT /c/:slug/read', 'Say how far the contact has read', putRead, { body: readInput }),
  openRoute('PUT /c/:slug/typing', 'Say that the contact is writing, or has stopped', putTyping, {
    body: typingInput,
  }),
  openRoute('GET /c/:slug/stream', 'Hear what is said', streamToContact),
];

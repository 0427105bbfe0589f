import { typingInput } from '../resources/conversations/conversations.ts';
import { openRoute } from '../route.ts';
import type { Route } from '../route.ts';
import { showAsset, showHome, showPage, showLook, showWidget } from './pages.ts';
import { serveFile } from '../files/serve.ts';
import { postAsContact, uploadAsContact, viewerInput } from './post.ts';
import { putRead, putTyping, readInput, showUnread, readConversation, streamToContact } from './chat.ts';
import { startChat, startInput } from './begin.ts';
import { putRating, ratingInput } from './standing.ts';

/** Routes without a token: the slug of a chat is a secret. */
export const PAGES: readonly Route[] = [
  openRoute('GET /', 'The start page', showHome),
  openRoute('GET /viewer/:file', 'A file of the pages', showAsset),
  openRoute('GET /widget.js', 'The script of the widget', showWidget),
  openRoute('GET /c/:organization/look', "The look of the widget's button", showLook),
  openRoute('POST /c/:organization/start', 'Start or continue a conversation', startChat, {
    body: startInput,
  }),
  openRoute('GET /c/:slug', "The contact's page", showPage),
  openRoute('GET /c/:slug/messages', 'Read the main thread', readConversation),
  openRoute('POST /c/:slug/messages', 'Post a message as the contact', postAsContact, { body: viewerInput }),
  openRoute('POST /c/:slug/files', 'Upload a file as the contact', uploadAsContact, { takesFile: true }),
  // `:key` would have to be an id.
  openRoute('GET /f/:fileKey', 'A file of a conversation', serveFile),
  openRoute('GET /c/:slug/unread', 'Count the unread messages of the contact', showUnread),
  openRoute('PUT /c/:slug/read', 'Set the position to which the contact has read', putRead, {
    body: readInput,
  }),
  openRoute('PUT /c/:slug/typing', 'Set whether the contact is typing', putTyping, {
    body: typingInput,
  }),
  openRoute('PUT /c/:slug/rating', 'Rate a closed conversation as the contact', putRating, {
    body: ratingInput,
  }),
  openRoute('GET /c/:slug/stream', 'Stream the events of the conversation', streamToContact),
];

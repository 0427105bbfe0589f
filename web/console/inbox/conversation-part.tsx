import { lazy } from '../lazy.tsx';

export const ConversationView = lazy(() => import('./conversation-view.tsx'), 'ConversationView');

import './chat.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { createChat } from './chat.ts';

const root = document.getElementById('chat');
if (root) render(<App chat={createChat()} />, root);

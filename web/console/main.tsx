import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './route.ts';
import './console.css';

const place = document.getElementById('console');
followLinks();
if (place) render(<App />, place);

import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/tables.css';
import './style/views.css';
import './style/transaction.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startFeed } from './live/feed.ts';
import { showTextsAsTheyAre } from './parts/shown-texts.ts';
import { listenToKeys } from './routing/keys.ts';

showTextsAsTheyAre();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
startFeed();
listenToKeys();

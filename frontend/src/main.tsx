import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { startApp } from './app/start-app.ts';
import { startLanguage } from './i18n/catalogue.ts';
import { AuthPage } from './pages/auth/AuthPage.tsx';
import { loadMessageParts } from './parts/markdown/use-message-parts.ts';
import { recoverLostChunks } from './parts/updates/lost-chunks.ts';
import { chat } from './stores/chat.ts';
import './styles/tokens.css';
import './styles/base.css';

// Beside the page: it is there before the first message is.
void loadMessageParts();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
recoverLostChunks();
// The page itself comes first.
import('./parts/updates/service-worker.ts').then(
  ({ startServiceWorker }) => startServiceWorker(),
  () => {},
);
startApp();
// Nothing is shown in a language that the user did not choose, not even for a moment, unless theirs fails to load.
await Promise.all([startLanguage(), chat().user === null ? AuthPage.prepare() : null]);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

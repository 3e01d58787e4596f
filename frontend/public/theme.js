// Runs before the first paint; `src/stores/theme.ts` writes the same key and attributes later.
(() => {
  try {
    const theme = localStorage.getItem('chat_theme');
    if (theme !== 'light' && theme !== 'dark') return;
    document.documentElement.dataset.theme = theme;
    // The browser's own bars take the same colour.
    for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
      meta.media = meta.dataset.theme === theme ? 'all' : 'not all';
    }
  } catch {
    // No storage: the system decides.
  }
})();

// Runs before the first paint; `src/stores/theme.ts` writes the same key and attribute later.
(() => {
  try {
    const theme = localStorage.getItem('chat_theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // No storage: the system decides.
  }
})();

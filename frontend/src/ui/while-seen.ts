/**
 * Calls `act` now, and again when the user comes back to the page, if they look at it. Returns the function that ends
 * that.
 */
export function whileSeen(act: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible' && document.hasFocus()) act();
  };
  look();
  document.addEventListener('visibilitychange', look);
  window.addEventListener('focus', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('focus', look);
  };
}

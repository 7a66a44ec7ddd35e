// before the first paint, so that nobody who works in the dark is dazzled
try {
  const kept = localStorage.getItem('platen.theme');
  const isDark = kept ? kept === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
} catch {
  // storage is blocked: the light theme of the style sheet holds
}

// before the first paint, to avoid a bright flash in the dark theme
try {
  const kept = localStorage.getItem('platen.theme');
  const isDark = kept ? kept === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
} catch {
  // storage is blocked: the style sheet's light theme applies
}

// Light or dark: as the system has it, until the reader chooses. A plain script, so that it runs before anything is painted.

(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const kept = () => {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null;
    }
  };
  if (['light', 'dark'].includes(kept())) root.dataset.theme = kept();

  root.addEventListener('toggletheme', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', root.dataset.theme);
    } catch {
      // Without a place to keep it, the choice lasts as long as the page.
    }
  });
})();
